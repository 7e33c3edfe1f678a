package io.skerry.collective.multifile;

import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * A member file that holds a part of the address space.
 *
 * @param file the path of the member
 * @param stored the first address of the member in the stored address space, unsigned
 * @param start the offset of the member in the combined file
 * @param bytes the number of bytes of the member that are used; empty if the file is missing
 */
record Segment(Path file, long stored, long start, OptionalLong bytes) {
  /** Returns the number of bytes that exist; 0 if the file is missing. */
  long present() {
    return bytes.orElse(0);
  }
}
