package io.skerry.collective.multifile;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * A file that holds a stretch of the address space.
 *
 * @param file the file
 * @param stored its first address as the whole stores it, unsigned
 * @param start where it is put when read
 * @param bytes bytes of it that belong to the whole; nothing if the file is missing
 */
record Segment(Path file, long stored, long start, OptionalLong bytes) {
  /** Bytes that are there. */
  long present() {
    return bytes.orElse(0);
  }
}
