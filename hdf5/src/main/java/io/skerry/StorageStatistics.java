package io.skerry;

import io.skerry.selection.Selection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The space that a dataset occupies, in bytes, broken down by use; for a chunked dataset, at the
 * last flush. Immutable.
 *
 * @param elements the number of elements in the extent
 * @param reachableChunks the number of chunks in the extent, stored or not; 0 if the dataset is not
 *     chunked
 * @param chunks the number of stored chunks
 * @param allocatedElements the number of elements in the extent that are in stored chunks; if the
 *     dataset is not chunked, all elements if space is allocated
 * @param defined the number of defined elements; for a dense dataset, all elements; for a virtual
 *     dataset, 0 if the policy refuses a source
 * @param sections the bytes of the sections of all chunks; if the dataset is not chunked, one
 *     section of values
 * @param indexBytes the number of bytes of the chunk index
 * @param skippingChunks the number of chunks for which at least one filter was skipped
 * @param fragmentation the order and the gaps of the chunks in the file
 * @param forms the number of chunks for each encoding of the locations; empty for a dataset that is
 *     not sparse
 * @param dense the estimated size of a dense dataset with the same elements; empty if unknown
 */
public record StorageStatistics(
    long elements,
    long reachableChunks,
    long chunks,
    long allocatedElements,
    long defined,
    List<SectionUsage> sections,
    long indexBytes,
    long skippingChunks,
    Fragmentation fragmentation,
    Map<Selection.Form, Long> forms,
    Optional<DenseEstimate> dense) {

  /** Creates statistics with copies of the collections. Local, thread-safe; does not fail. */
  public StorageStatistics {
    sections = List.copyOf(sections);
    forms = Map.copyOf(forms);
  }

  /**
   * The bytes of one section, summed over all chunks. Immutable.
   *
   * @param name the name of the section: locations, values or heap
   * @param storedBytes the number of stored bytes
   * @param unfilteredBytes the number of bytes before filtering, including checksums
   */
  public record SectionUsage(String name, long storedBytes, long unfilteredBytes) {}

  /**
   * The order and the gaps of the chunks in the file. Immutable.
   *
   * @param breaks the number of chunks that do not begin where the previous chunk in index order
   *     ends
   * @param holes the number of gaps between the first and the last byte of all chunks
   * @param holeBytes the number of bytes in the gaps
   */
  public record Fragmentation(long breaks, long holes, long holeBytes) {
    static final Fragmentation NONE = new Fragmentation(0, 0, 0);
  }

  /**
   * The estimated size that the chunks would have in dense storage, with the filters of their
   * values section. Immutable.
   *
   * @param bytes the number of bytes: measured if all chunks were sampled, otherwise extrapolated
   *     from the sample
   * @param sampledChunks the number of chunks that were encoded
   * @param plainBytes the number of bytes without filters
   */
  public record DenseEstimate(long bytes, long sampledChunks, long plainBytes) {}

  /**
   * Returns the statistics of a dataset without chunks. Local, thread-safe; does not fail.
   *
   * @param usage the bytes of the dataset
   * @param elements the number of elements of the extent
   * @return statistics with one section of values
   */
  public static StorageStatistics flat(StorageInfo.Usage usage, long elements) {
    return flat(usage, elements, elements);
  }

  /**
   * Returns the statistics of a virtual dataset, some elements of which may be undefined. Local,
   * thread-safe; does not fail.
   *
   * @param usage the bytes of the dataset
   * @param elements the number of elements of the extent
   * @param defined the number of defined elements
   * @return statistics with one section of values
   */
  public static StorageStatistics flat(StorageInfo.Usage usage, long elements, long defined) {
    long bytes = usage.dataBytes();
    return new StorageStatistics(
        elements,
        0,
        0,
        bytes > 0 ? elements : 0,
        defined,
        List.of(new SectionUsage("values", bytes, bytes)),
        0,
        0,
        Fragmentation.NONE,
        Map.of(),
        Optional.empty());
  }

  /**
   * Returns the number of bytes of all sections together. Local, thread-safe; does not fail.
   *
   * @return the number of stored bytes, excluding the index
   */
  public long dataBytes() {
    return sections.stream().mapToLong(SectionUsage::storedBytes).sum();
  }

  /**
   * Returns whether a dense dataset would be smaller. Local, thread-safe; does not fail.
   *
   * @return true if the estimate exists and is below {@link #dataBytes}
   */
  public boolean wouldBeSmallerDense() {
    return dense.isPresent() && dense.get().bytes() < dataBytes();
  }
}
