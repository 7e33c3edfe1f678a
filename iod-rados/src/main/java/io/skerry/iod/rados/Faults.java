package io.skerry.iod.rados;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineException.Fault;
import io.skerry.iod.rados.library.RadosException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Turns failures of librados into exceptions of the engine that name the container.
 *
 * @param container the location of the container
 * @param shard the number of the shard; empty for failures of the container as a whole
 */
record Faults(String container, OptionalInt shard) {
  static Faults of(RadosLocation location) {
    return new Faults(location.toString(), OptionalInt.empty());
  }

  Faults ofShard(int number) {
    return new Faults(container, OptionalInt.of(number));
  }

  /** Returns the exception for a failure of librados. */
  EngineException of(RadosException e) {
    Fault fault =
        switch (e.number()) {
          case RadosException.NO_SPACE, RadosException.QUOTA -> Fault.NO_SPACE;
          case RadosException.READ_ONLY, RadosException.DENIED, RadosException.NOT_PERMITTED ->
              Fault.READ_ONLY;
          default -> Fault.INPUT_OUTPUT;
        };
    return of(fault, e, text(e));
  }

  EngineException of(Fault fault, RadosException e, String said) {
    return new EngineException(fault, container, shard, String.valueOf(e.number()), said, e);
  }

  EngineException of(Fault fault, String said, Exception cause) {
    return new EngineException(fault, container, shard, "", said, cause);
  }

  static String text(RadosException e) {
    return Optional.ofNullable(e.getMessage()).orElse("nothing");
  }

  /** Runs a step that calls librados. */
  <T> T call(Supplier<T> step) {
    try {
      return step.get();
    } catch (RadosException e) {
      throw of(e);
    }
  }

  /** Runs a step that decodes a result of the cluster, and adds the container to its failure. */
  <T> T checked(Supplier<T> decoding) {
    try {
      return decoding.get();
    } catch (FormatException e) {
      throw e.inFile(shard.isPresent() ? container + " shard=" + shard.getAsInt() : container);
    }
  }

  /** Describes the shard for messages. */
  String describe() {
    return "container=" + container + " shard=" + shard.orElse(-1);
  }
}
