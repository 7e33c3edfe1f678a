package io.skerry.chunk.format;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;

/** Reads rows through a reader that accepts only sets of elements and returns packed values. */
final class PackedRows {
  private PackedRows() {}

  /**
   * Reads rows and copies their values to their positions in a block of memory.
   *
   * @param rows the rows to read, all in one chunk
   * @param size the size of a value in bytes
   * @param block the memory for the values of a block of elements, in row-major order
   * @param reader the function that fills a segment with the values of the given elements of the
   *     chunk, in ascending order of the elements
   * @throws IllegalArgumentException if the block is too small for the rows
   */
  static void read(
      ChunkRows rows, long size, MemorySegment block, BiConsumer<RunSet, MemorySegment> reader) {
    if (block.byteSize() < rows.placeBound() * size) {
      throw tooSmall(rows.placeBound() * size, block);
    }
    if (rows.isContiguousInBlock()) {
      reader.accept(rows.elements(), block.asSlice(rows.place(0) * size, rows.count() * size));
      return;
    }
    MemorySegment packed = HeapBytes.allocate(rows.count() * size);
    reader.accept(rows.elements(), packed);
    long bytes = rows.length() * size;
    for (long row = 0; row < rows.rows(); row++) {
      MemorySegment.copy(packed, row * bytes, block, rows.place(row) * size, bytes);
    }
  }

  static IllegalArgumentException tooSmall(long least, MemorySegment block) {
    return new IllegalArgumentException(
        "values of a block: least=" + least + " actual=" + block.byteSize());
  }
}
