package io.skerry.iod.rocksdb;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineException.Fault;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.Optional;
import java.util.OptionalInt;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Turns failures of RocksDB and of files into exceptions of the engine that name the container.
 *
 * @param container the path of the container
 * @param shard the number of the shard; empty for failures of the container as a whole
 */
record Faults(String container, OptionalInt shard) {
  static Faults of(Object container) {
    return new Faults(container.toString(), OptionalInt.empty());
  }

  Faults ofShard(int number) {
    return new Faults(container, OptionalInt.of(number));
  }

  /** Returns the exception for a failure of RocksDB. */
  EngineException of(RocksDBException e) {
    Optional<Status> status = Optional.ofNullable(e.getStatus());
    String code = status.map(s -> s.getCode() + "/" + s.getSubCode()).orElse("");
    String said = said(e);
    return new EngineException(fault(status, said), container, shard, code, said, e);
  }

  private static Fault fault(Optional<Status> status, String said) {
    if (status.filter(s -> s.getSubCode() == Status.SubCode.NoSpace).isPresent()) {
      return Fault.NO_SPACE;
    }
    if (status.filter(s -> s.getCode() == Status.Code.Corruption).isPresent()
        || said.contains("No such file")) {
      return Fault.DAMAGED;
    }
    return ofText(said);
  }

  /** Returns the exception for a failure of a file. */
  EngineException of(IOException e) {
    String said = said(e);
    Fault fault = e instanceof AccessDeniedException ? Fault.READ_ONLY : ofText(said);
    return new EngineException(fault, container, shard, e.getClass().getSimpleName(), said, e);
  }

  private static String said(Exception e) {
    return Optional.ofNullable(e.getMessage()).orElse("nothing");
  }

  private static Fault ofText(String said) {
    if (said.contains("No space left") || said.contains("Disk quota exceeded")) {
      return Fault.NO_SPACE;
    }
    return said.contains("Read-only file system") || said.contains("Permission denied")
        ? Fault.READ_ONLY
        : Fault.INPUT_OUTPUT;
  }

  /** Returns the exception for bytes in the database that this engine did not write. */
  FormatException of(FormatException e) {
    return e.inFile(shard.isPresent() ? container + " shard=" + shard.getAsInt() : container);
  }
}
