package io.skerry.jobs;

import io.skerry.Dataset;
import io.skerry.Slabs;
import io.skerry.chunk.space.Shape;
import java.util.List;

/**
 * How a sparse dataset is gone through in row-major order: in bands that are as high as a chunk, so
 * that every chunk is opened once, unless such a band has very many elements.
 */
final class Bands {
  private static final long LEAST = 1 << 22;
  private static final long MOST = 1 << 26;

  private Bands() {}

  /** Bands of a dataset. */
  static Slabs of(Dataset dataset) {
    Shape shape = dataset.shape();
    List<Long> chunk = dataset.storage().chunk();
    return new Slabs(shape, chunk, elements(shape, chunk));
  }

  private static long elements(Shape shape, List<Long> chunk) {
    if (chunk.isEmpty() || shape.elements() == 0) {
      return LEAST;
    }
    long row = shape.elements() / shape.extent(0);
    long high = Math.min(chunk.getFirst(), shape.extent(0));
    return row > MOST / high ? MOST : Math.max(LEAST, row * high);
  }
}
