package io.skerry.collective.core;

import io.skerry.mpi.MpiException;
import java.io.Serial;
import java.util.function.Supplier;

/**
 * Reports that a chunk could not be read, encoded or stored. Its message consists of the message of
 * the cause, the failed action and the name of the chunk. The request that fails may concern other
 * chunks, because it may have to evict this chunk to make room.
 */
final class ChunkAccessException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private ChunkAccessException(String doing, String chunk, RuntimeException cause) {
    super(cause.getMessage() + ": while=" + doing + " " + chunk, cause);
  }

  /**
   * Runs an action on a chunk. If the action throws one of the exceptions caught here, wraps it in
   * an exception whose message also names the action and the chunk.
   *
   * @param doing the name of the action, such as {@code store}
   * @param chunk the dataset and the chunk, as fields of a message
   */
  static <T> T naming(String doing, Supplier<String> chunk, Supplier<T> body) {
    try {
      return body.get();
    } catch (MpiException | IllegalStateException | IllegalArgumentException e) {
      throw new ChunkAccessException(doing, chunk.get(), e);
    }
  }
}
