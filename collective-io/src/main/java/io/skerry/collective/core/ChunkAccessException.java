package io.skerry.collective.core;

import io.skerry.mpi.MpiException;
import java.io.Serial;
import java.util.function.Supplier;

/**
 * A chunk could not be fetched, encoded or stored, for a reason that says nothing of chunks: the
 * request that is told may be one for others, whose room it was to be.
 */
final class ChunkAccessException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private ChunkAccessException(String doing, String chunk, RuntimeException cause) {
    super(cause.getMessage() + ": while=" + doing + " " + chunk, cause);
  }

  /**
   * Does something to a chunk.
   *
   * @param doing such as {@code store}
   * @param chunk dataset and chunk, as fields of a message
   */
  static <T> T naming(String doing, Supplier<String> chunk, Supplier<T> body) {
    try {
      return body.get();
    } catch (MpiException | IllegalStateException | IllegalArgumentException e) {
      throw new ChunkAccessException(doing, chunk.get(), e);
    }
  }
}
