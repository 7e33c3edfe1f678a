package io.skerry;

import io.skerry.selection.SelectionForm;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The bytes that a dataset takes in the file, by their use, in the state of the last flush.
 *
 * @param elements number of elements of the extent
 * @param reachableChunks number of chunks of the extent, stored or not; 0 without chunks
 * @param chunks number of stored chunks
 * @param allocatedElements number of elements of the extent in stored chunks; without chunks all if
 *     space is allocated
 * @param defined number of defined elements; of a dense dataset all
 * @param sections bytes of the sections of all chunks; without chunks one section of values
 * @param indexBytes number of bytes of the chunk index
 * @param skippingChunks number of chunks with a skipped filter
 * @param fragmentation order and gaps of the chunks in the file
 * @param forms number of chunks of a sparse dataset by the form of their encoded locations
 * @param dense estimated bytes of a dense dataset of the same elements; empty if unknown
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
    Map<SelectionForm, Long> forms,
    Optional<DenseEstimate> dense) {

  /** Copies. */
  public StorageStatistics {
    sections = List.copyOf(sections);
    forms = Map.copyOf(forms);
  }

  /**
   * One section of all chunks together.
   *
   * @param name locations, values or heap
   * @param storedBytes number of stored bytes
   * @param unfilteredBytes number of bytes before filtering, with checksums
   */
  public record SectionUsage(String name, long storedBytes, long unfilteredBytes) {}

  /**
   * The order and the gaps of the chunks in the file.
   *
   * @param breaks number of chunks that do not begin at the end of the previous chunk of the index
   * @param holes number of gaps between the first and the last byte of all chunks
   * @param holeBytes number of bytes of the gaps
   */
  public record Fragmentation(long breaks, long holes, long holeBytes) {
    static final Fragmentation NONE = new Fragmentation(0, 0, 0);
  }

  /**
   * The estimated bytes of the same chunks with dense storage and the filters of the values.
   *
   * @param bytes measured if all chunks were sampled, else extrapolated from the sample
   * @param sampledChunks number of chunks that were encoded
   * @param plainBytes number of bytes without filters
   */
  public record DenseEstimate(long bytes, long sampledChunks, long plainBytes) {}

  /** The statistics of a dataset without chunks. */
  public static StorageStatistics flat(StorageInfo.Usage usage, long elements) {
    long bytes = usage.dataBytes();
    return new StorageStatistics(
        elements,
        0,
        0,
        bytes > 0 ? elements : 0,
        elements,
        List.of(new SectionUsage("values", bytes, bytes)),
        0,
        0,
        Fragmentation.NONE,
        Map.of(),
        Optional.empty());
  }

  /** The number of bytes of all sections, without the index. */
  public long dataBytes() {
    return sections.stream().mapToLong(SectionUsage::storedBytes).sum();
  }

  /** Returns whether a dense dataset would be smaller. */
  public boolean wouldBeSmallerDense() {
    return dense.isPresent() && dense.get().bytes() < dataBytes();
  }
}
