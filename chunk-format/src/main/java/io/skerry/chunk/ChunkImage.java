package io.skerry.chunk;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * A chunk as it is stored: its bytes and how they divide into sections.
 *
 * @param bytes exactly {@code sections.size()} bytes
 * @param sections offsets, sizes and masks of the sections
 */
public record ChunkImage(MemorySegment bytes, SectionTable sections) {
  /** Refuses an image whose length is not the one its record tells. */
  public ChunkImage {
    if (bytes.byteSize() != sections.size()) {
      throw new FormatException("chunk image length", sections.size(), bytes.byteSize());
    }
  }
}
