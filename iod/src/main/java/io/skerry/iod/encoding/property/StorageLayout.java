package io.skerry.iod.encoding.property;

import io.skerry.iod.encoding.EncodedDataspace;
import java.util.List;

/** The layout of the elements of a dataset. Immutable. */
public sealed interface StorageLayout {
  /** The elements are in the object header. */
  record Compact() implements StorageLayout {}

  /** The elements are in one block. */
  record Contiguous() implements StorageLayout {}

  /**
   * The elements are in chunks.
   *
   * @param shape the size of a chunk along each dimension, in elements; empty if it was not set
   */
  record Chunked(List<Long> shape) implements StorageLayout {
    private static final int MAX_RANK = 32;
    private static final long MAX_SIZE = 0xffffffffL;

    /**
     * Creates a layout. Local, thread-safe.
     *
     * @throws IllegalArgumentException if there are more than 32 dimensions, or a size is outside 1
     *     to 2^32-1
     */
    public Chunked {
      shape = List.copyOf(shape);
      if (shape.size() > MAX_RANK || shape.stream().anyMatch(n -> n < 1 || n > MAX_SIZE)) {
        throw new IllegalArgumentException("chunk shape: shape=" + shape + " limit=2^32-1");
      }
    }
  }

  /**
   * The elements are those of other datasets.
   *
   * @param mappings the mappings in the order in which they are stored
   */
  record Virtual(List<Mapping> mappings) implements StorageLayout {
    public Virtual {
      mappings = List.copyOf(mappings);
    }
  }

  /**
   * A mapping of a virtual dataset. The selections may exceed their extents.
   *
   * @param file the name of the file, without NUL
   * @param dataset the path of the dataset, without NUL
   * @param source the selected elements of the source dataset; the extent is 0 if it is unknown
   * @param virtual the selected elements of the virtual dataset
   */
  record Mapping(String file, String dataset, EncodedDataspace source, EncodedDataspace virtual) {}
}
