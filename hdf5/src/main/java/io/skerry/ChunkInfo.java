package io.skerry;

import io.skerry.chunk.SectionTable;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The location of a stored chunk in the file, and its sections. Immutable.
 *
 * @param offset the coordinates of the first element of the chunk, in elements
 * @param address the offset of the chunk in bytes from the beginning of the file, including the
 *     user block; -1 in a container, where chunks have no address
 * @param size the number of stored bytes
 * @param sections the sections in order: a chunk of {@link DatasetSpec.Storage#DENSE} storage has
 *     one; a sparse or structured chunk has the locations, the values and, for values of variable
 *     length, the heap
 */
public record ChunkInfo(List<Long> offset, long address, long size, List<Section> sections) {

  /**
   * A section of a stored chunk. Immutable.
   *
   * @param start the offset of the section in the chunk, in bytes
   * @param length the number of stored bytes
   * @param unfilteredLength the number of bytes before filtering, including the checksum if the
   *     section has one; present for sparse and structured chunks with filters
   * @param filterMask a mask in which bit i is set if filter i of the section was skipped
   */
  public record Section(long start, long length, OptionalLong unfilteredLength, int filterMask) {}

  /**
   * Creates the description of a chunk, with copies of the lists. Local, thread-safe; does not
   * fail.
   */
  public ChunkInfo {
    offset = List.copyOf(offset);
    sections = List.copyOf(sections);
  }

  /**
   * Creates the description of a chunk from its table of sections. Local, thread-safe.
   *
   * @param offset the coordinates of the first element of the chunk, in elements
   * @param address the offset of the chunk in bytes from the beginning of the file, including the
   *     user block; -1 if it has none
   * @param table the sections of the chunk
   * @return the description of the chunk
   * @throws ArrayIndexOutOfBoundsException if the table has unfiltered sizes or filter masks, but
   *     not one for each section
   */
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
