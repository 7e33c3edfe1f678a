package io.skerry.chunk;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * A stored chunk: its bytes and its section table.
 *
 * @param bytes the image, exactly {@code sections.size()} bytes; not copied
 * @param sections the offsets, sizes and filter masks of the sections
 */
public record ChunkImage(MemorySegment bytes, SectionTable sections) {
  /**
   * Creates an image. Local, thread-safe.
   *
   * @throws FormatException if the number of bytes differs from the size in the section table
   */
  public ChunkImage {
    if (bytes.byteSize() != sections.size()) {
      throw new FormatException("chunk image length", sections.size(), bytes.byteSize());
    }
  }
}
