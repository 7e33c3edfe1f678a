package io.skerry.mpi.internal.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * An open file of the operating system, for positional reads and writes from any number of threads
 * at once. An interrupt of a thread neither ends a call nor closes the file; the interrupt flag
 * stays set. Positions and sizes are in bytes.
 */
sealed interface RawFile extends AutoCloseable permits PosixFile, ChannelFile {
  /**
   * Fills native memory or an array with the bytes at the given offset in the file, or reads up to
   * the end of the file.
   *
   * @return the number of bytes read, less than requested only at the end of the file
   */
  long read(long offset, MemorySegment data) throws IOException;

  /** Writes all of the memory at the given offset in the file. */
  void write(long offset, MemorySegment data) throws IOException;

  long size() throws IOException;

  /** Truncates the file to the given size in bytes if the file is longer. */
  void cut(long bytes) throws IOException;

  /** Flushes written data to the device. */
  void force() throws IOException;

  /**
   * Closes the file. A call that is still running may fail with a {@code ClosedChannelException}. A
   * second call does nothing.
   */
  @Override
  void close() throws IOException;
}
