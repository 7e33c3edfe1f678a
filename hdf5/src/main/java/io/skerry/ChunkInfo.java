package io.skerry;

import io.skerry.chunk.SectionTable;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Where a stored chunk is and how it divides.
 *
 * @param offset coordinates of its first element in the dataset
 * @param address byte of the file at which it begins, a user block counted
 * @param size bytes as stored
 * @param sections its sections in order: one of a dense chunk; of a sparse one the locations, then
 *     the values, then the heap if they have variable length
 */
public record ChunkInfo(List<Long> offset, long address, long size, List<Section> sections) {

  /**
   * A section of a chunk.
   *
   * @param start its first byte within the chunk
   * @param length bytes as stored
   * @param unfilteredLength bytes before filtering, a checksum included, if the index tells: it
   *     does for sparse chunks with filters
   * @param filterMask bit i is set if filter i of the section was skipped
   */
  public record Section(long start, long length, OptionalLong unfilteredLength, int filterMask) {}

  /** Copies the lists. */
  public ChunkInfo {
    offset = List.copyOf(offset);
    sections = List.copyOf(sections);
  }

  public static ChunkInfo of(long[] offset, long address, SectionTable table) {
    long[] unfiltered = table.unfilteredSizes();
    List<Section> sections =
        IntStream.range(0, table.sections())
            .mapToObj(i ->
                new Section(
                    table.start(i),
                    table.length(i),
                    unfiltered.length == 0 ? OptionalLong.empty() : OptionalLong.of(unfiltered[i]),
                    table.filterMask(i)))
            .toList();
    return new ChunkInfo(LongStream.of(offset).boxed().toList(), address, table.size(), sections);
  }
}
