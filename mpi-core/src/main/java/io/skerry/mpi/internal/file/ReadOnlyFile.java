package io.skerry.mpi.internal.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An existing file that this process opens for reading without a communicator, with a single system
 * call if the path is ASCII. Reads are positional and may be made from any thread.
 */
public final class ReadOnlyFile implements AutoCloseable {
  private final PosixFile file;
  private final DirectReads direct;

  private ReadOnlyFile(PosixFile file) {
    this.file = file;
    this.direct = new DirectReads(file);
  }

  /**
   * Opens a file. Local.
   *
   * @param path the path of a regular file
   * @return the file; empty if the path is a symbolic link, or if the file cannot be opened with a
   *     POSIX call. The caller must then open the file in another way, which reports any failure.
   */
  public static Optional<ReadOnlyFile> open(Path path) {
    return PosixFile.openUnlinked(path).map(ReadOnlyFile::new);
  }

  /**
   * Fills memory with the bytes at an offset, or reads up to the end of the file. Local,
   * thread-safe.
   *
   * @return the number of bytes read, less than requested only at the end of the file
   * @throws IOException if the file cannot be read, for example because it is a directory or a FIFO
   */
  public long read(long offset, MemorySegment data) throws IOException {
    long done = data.isNative() ? 0 : direct.read(offset, data);
    boolean ended = done == data.byteSize() || done > 0 && offset + done == file.size();
    return ended ? done : done + file.read(offset + done, data.asSlice(done));
  }

  /** Returns the size of the file in bytes. Local, thread-safe. */
  public long size() throws IOException {
    return file.size();
  }

  /** Closes the file, after all reads of other threads have ended. Local. */
  @Override
  public void close() {
    file.close();
  }
}
