package io.skerry.spi;

import io.skerry.ChunkTable;
import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.datatype.Datatype;
import io.skerry.internal.value.PackedArrays;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * A dataset as a connector keeps it. Reads and writes are collective; each rank gives its own
 * selection, {@link Selection#none()} if it has nothing to do. Values are packed in selection
 * order; where ranks write the same element in one call, the highest rank wins.
 */
public non-sealed interface StoredDataset extends StoredObject {
  /** Current and maximum extent. Local. */
  Shape shape();

  /** Returns whether it has a type but no element, not even a single one. Local. */
  boolean isNull();

  /** Type of an element where it is stored. Local. */
  Datatype datatype();

  /** Value of elements that were never written: one element as it is stored. Local. */
  byte[] fillValue();

  /** Storage layout of the dataset, filters included. Local. */
  StorageInfo storage();

  /** Bytes that the dataset occupies, as of the last flush. Local. */
  StorageInfo.Usage usage();

  /**
   * The reasons why files that hold elements of the dataset are refused; see {@link
   * io.skerry.Dataset#refusedFiles}. Local.
   */
  default List<String> refusedFiles() {
    return List.of();
  }

  /**
   * Other files that hold elements of the dataset; see {@link io.skerry.Dataset#elementFiles}.
   * Local.
   */
  default Set<Path> elementFiles() {
    return Set.of();
  }

  /** Returns whether elements can be undefined. Local. */
  boolean isSparse();

  /**
   * Writes values; the elements are defined from now on. Collective.
   *
   * @param memory type of the values given
   * @param values one per selected element
   */
  void write(Selection selection, Datatype memory, MemorySegment values);

  /** Writes values of any type, with content of variable length and references. Collective. */
  void writeValues(Selection selection, List<Value> values);

  /**
   * Reads values. Collective.
   *
   * @param memory type of the values wanted
   * @param target makes the memory that receives one value per selected element; its failure on one
   *     rank fails the read on all
   */
  void read(Selection selection, Datatype memory, ReadTarget target);

  /** Reads elements as they are stored, with what they lead to. Collective. */
  StoredElements readElements(Selection selection);

  /** Reads elements of any type as values. Collective. */
  List<Value> readValues(Selection selection);

  /** Selects the defined ones of the selected elements; of a dense dataset all. Collective. */
  Selection defined(Selection selection);

  /** Makes elements of a sparse dataset undefined. Collective. */
  void erase(Selection selection);

  /** The stored chunks, after storing what was not flushed. Collective. */
  ChunkTable chunks();

  /** Flushes the dataset and returns the bytes that it occupies, by purpose. Collective. */
  StorageStatistics statistics();

  /**
   * Puts encoded chunks in the place of stored ones. Collective.
   *
   * @param images this rank's, by the coordinates of the first element of each chunk
   */
  void writeChunks(Map<List<Long>, ChunkImage> images);

  /** Gives the dataset another extent. Collective; the same on all ranks. */
  void extendTo(long... extent);

  /**
   * The same dataset for reads of one rank for itself, in any thread; see {@link
   * io.skerry.Dataset#independent}. Local.
   */
  StoredDataset independent();

  /** Makes the memory that receives what is read. */
  @FunctionalInterface
  interface ReadTarget {
    /**
     * The memory.
     *
     * @param elements how many values it must hold
     */
    MemorySegment make(long elements);
  }

  /**
   * An array for what one read gives.
   *
   * @param <A> {@code int[]} and the like
   */
  final class ArrayTarget<A> implements ReadTarget {
    private final String path;
    private final int unit;
    private final long valueBytes;
    private final IntFunction<A> array;
    private final Function<A, MemorySegment> segment;
    private Optional<A> made = Optional.empty();

    /**
     * @param path of the dataset, for the error
     * @param unit array elements to one value
     * @param valueBytes bytes of the heap that one value takes, in the array and in what is made of
     *     it
     * @param array makes one of a length
     * @param segment the array as memory
     */
    public ArrayTarget(
        String path,
        int unit,
        long valueBytes,
        IntFunction<A> array,
        Function<A, MemorySegment> segment) {
      this.path = path;
      this.unit = unit;
      this.valueBytes = valueBytes;
      this.array = array;
      this.segment = segment;
    }

    @Override
    public MemorySegment make(long elements) {
      Supplier<String> purpose = () -> purpose(elements);
      MemoryLimit.require(elements, valueBytes, purpose);
      int length = PackedArrays.length(elements, unit, path);
      A values = MemoryLimit.make(elements, valueBytes, purpose, () -> array.apply(length));
      made = Optional.of(values);
      return segment.apply(values);
    }

    private String purpose(long elements) {
      return "an array of "
          + elements
          + " elements of "
          + path
          + ", in place of smaller parts or a read into a MemorySegment";
    }

    /** The array, once the read is done. */
    public A made() {
      return made.orElseThrow();
    }
  }
}
