package io.skerry.mpi.internal.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * One open file of the operating system: reads and writes at positions, from any number of threads
 * at once. An interrupt of a thread ends no call and closes nothing; it stays set. Positions and
 * sizes are bytes.
 */
sealed interface RawFile extends AutoCloseable permits PosixFile, ChannelFile {
  /**
   * Fills memory of any kind, as far as the file goes.
   *
   * @return bytes read, fewer than wanted only where the file ends
   */
  long read(long offset, MemorySegment data) throws IOException;

  /** Writes all of it. */
  void write(long offset, MemorySegment data) throws IOException;

  long size() throws IOException;

  /** Cuts the file if it is longer. */
  void cut(long bytes) throws IOException;

  /** Forces what was written to the device. */
  void force() throws IOException;

  /** Closes it, after the calls that are under way. A second call does nothing. */
  @Override
  void close() throws IOException;
}
