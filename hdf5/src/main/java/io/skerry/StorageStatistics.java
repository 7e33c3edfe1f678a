package io.skerry;

import io.skerry.selection.SelectionForm;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a dataset takes in the file, and what for. Bytes and chunks are those of the last flush.
 *
 * @param elements elements of the extent
 * @param reachableChunks chunks of the extent, stored or not; 0 if it has none
 * @param chunks stored chunks
 * @param allocatedElements elements of the extent that lie in stored chunks; without chunks all if
 *     there is a place for them
 * @param defined defined elements; of a dense dataset all
 * @param sections what the sections of all chunks take; without chunks the values as one
 * @param indexBytes bytes of the chunk index
 * @param skippingChunks chunks for which a filter was skipped
 * @param fragmentation how the chunks lie in the file
 * @param forms how many chunks of a sparse dataset write down their locations in which form
 * @param dense what a dense dataset of the same elements would take, if that can be told
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
   * @param storedBytes as they stand in the file
   * @param unfilteredBytes before filtering, checksums included
   */
  public record SectionUsage(String name, long storedBytes, long unfilteredBytes) {}

  /**
   * How the chunks lie in the file.
   *
   * @param breaks chunks that do not begin where the one before them in the index ends; the first
   *     is none
   * @param holes stretches between the first and the last byte of all chunks that no chunk takes
   * @param holeBytes their bytes
   */
  public record Fragmentation(long breaks, long holes, long holeBytes) {
    static final Fragmentation NONE = new Fragmentation(0, 0, 0);
  }

  /**
   * The same chunks, stored dense with the filters of the values.
   *
   * @param bytes what they would take: measured if all were sampled, else as many times the sampled
   *     ones as there are
   * @param sampledChunks chunks that were encoded to find out
   * @param plainBytes what they would take without filters
   */
  public record DenseEstimate(long bytes, long sampledChunks, long plainBytes) {}

  /** Of a dataset without chunks: everything is in one place, or nothing is. */
  public static StorageStatistics flat(StorageUsage usage, long elements) {
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

  /** Bytes of the sections, without the index. */
  public long dataBytes() {
    return sections.stream().mapToLong(SectionUsage::storedBytes).sum();
  }

  /** Returns whether a dense dataset would be smaller. */
  public boolean wouldBeSmallerDense() {
    return dense.isPresent() && dense.get().bytes() < dataBytes();
  }
}
