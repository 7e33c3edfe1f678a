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
    String text = text(e);
    return new EngineException(fault(status, text), container, shard, code, text, e);
  }

  /** Returns the exception for a file that a writer has removed since a reader opened it. */
  EngineException outdated(RocksDBException e) {
    EngineException missing = of(e);
    return new EngineException(
        Fault.INPUT_OUTPUT,
        container,
        shard,
        missing.code(),
        "a writer has removed what this reader reads; open the container again: " + text(e),
        e);
  }

  private static Fault fault(Optional<Status> status, String text) {
    if (status.filter(s -> s.getSubCode() == Status.SubCode.NoSpace).isPresent()) {
      return Fault.NO_SPACE;
    }
    if (status.filter(s -> s.getCode() == Status.Code.Corruption).isPresent()
        || text.contains("No such file")) {
      return Fault.DAMAGED;
    }
    return ofText(text);
  }

  /** Returns the exception for a failure of a file. */
  EngineException of(IOException e) {
    String text = text(e);
    Fault fault = e instanceof AccessDeniedException ? Fault.READ_ONLY : ofText(text);
    return new EngineException(fault, container, shard, e.getClass().getSimpleName(), text, e);
  }

  private static String text(Exception e) {
    return Optional.ofNullable(e.getMessage()).orElse("no message");
  }

  private static Fault ofText(String text) {
    if (text.contains("No space left") || text.contains("Disk quota exceeded")) {
      return Fault.NO_SPACE;
    }
    return text.contains("Read-only file system") || text.contains("Permission denied")
        ? Fault.READ_ONLY
        : Fault.INPUT_OUTPUT;
  }

  /** Returns the exception for bytes in the database that this engine did not write. */
  FormatException of(FormatException e) {
    return e.inFile(shard.isPresent() ? container + " shard=" + shard.getAsInt() : container);
  }
}
