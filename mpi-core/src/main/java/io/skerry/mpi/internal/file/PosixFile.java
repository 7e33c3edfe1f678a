package io.skerry.mpi.internal.file;

import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.concurrent.StripedUseCount;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file accessed through its descriptor. An interrupt of one thread would close a {@link
 * java.nio.channels.FileChannel} for all threads that use it; the functions of the C library ignore
 * such interrupts.
 */
final class PosixFile implements RawFile {
  private final PosixCalls calls;
  private final int descriptor;

  /**
   * Counts the threads that use the descriptor. Closing waits for them, since the system may reuse
   * the number of a closed descriptor at once.
   */
  private final StripedUseCount uses = new StripedUseCount();

  private boolean closed;

  private PosixFile(PosixCalls calls, int descriptor) {
    this.calls = calls;
    this.descriptor = descriptor;
  }

  /**
   * Opens an existing file. The result is empty if the file cannot be opened or must be accessed in
   * another way.
   */
  static Optional<PosixFile> open(Path path, OpenMode mode) {
    return callsFor(path)
        .flatMap(calls -> {
          Optional<Integer> descriptor =
              switch (mode) {
                case READ -> calls.openToRead(path);
                case WRITE, CREATE, CREATE_NEW -> calls.openToWrite(path);
              };
          return descriptor.flatMap(number -> checked(calls, number, path));
        });
  }

  /**
   * Opens an existing file for reading, unless the last component of its path is a symbolic link.
   * The result is empty if the file cannot be opened or must be accessed in another way.
   */
  static Optional<PosixFile> openUnlinked(Path path) {
    return callsFor(path)
        .flatMap(calls ->
            calls.openUnlinkedToRead(path).flatMap(descriptor -> checked(calls, descriptor, path)));
  }

  /**
   * Returns the functions that can open a path. The C library knows only the files of the default
   * file system; a path of another one, such as that of a ZIP file, may have the same text as a
   * path of the default one.
   */
  private static Optional<PosixCalls> callsFor(Path path) {
    return path.getFileSystem().equals(FileSystems.getDefault())
        ? PosixCalls.found()
        : Optional.empty();
  }

  /**
   * Returns the file for a descriptor. Unless the descriptor is known to refer to the file at the
   * path, closes the descriptor and returns empty. The files may differ if the path is not ASCII,
   * since the path was passed to the C library in an encoding that may differ from that of Java's
   * own calls.
   */
  private static Optional<PosixFile> checked(PosixCalls calls, int descriptor, Path path) {
    boolean same = isAscii(path.toString());
    try {
      same = same || Files.isSameFile(place(descriptor), path);
    } catch (IOException e) {
      // The file was removed, or the system has no descriptor folder: another implementation is
      // used.
    }
    if (same) {
      return Optional.of(new PosixFile(calls, descriptor));
    }
    calls.close(descriptor);
    return Optional.empty();
  }

  /**
   * Returns whether a path is ASCII; all encodings used on Linux represent it by the same bytes.
   */
  private static boolean isAscii(String path) {
    return path.chars().allMatch(character -> character < 0x80);
  }

  /** Returns the path by which the system exposes an open file of this process. */
  private static Path place(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /** An operation on a descriptor, which is not closed during the operation. */
  @FunctionalInterface
  interface Use {
    /** Performs the operation. */
    long with(PosixCalls calls, int descriptor) throws IOException;
  }

  /** Performs an operation on the descriptor. */
  long use(Use action) throws IOException {
    if (!uses.enter()) {
      throw new ClosedChannelException();
    }
    try {
      return action.with(calls, descriptor);
    } finally {
      uses.leave();
    }
  }

  @Override
  public long read(long offset, MemorySegment data) throws IOException {
    return data.isNative()
        ? readNative(offset, data)
        : HeapStage.read(this::readNative, offset, data);
  }

  private long readNative(long offset, MemorySegment data) throws IOException {
    long done = 0;
    while (done < data.byteSize()) {
      long at = done;
      long got = use((c, file) -> c.read(file, data.asSlice(at), offset + at));
      if (got == 0) {
        break;
      }
      done += got;
    }
    return done;
  }

  @Override
  public void write(long offset, MemorySegment data) throws IOException {
    if (data.isNative()) {
      writeNative(offset, data);
    } else {
      HeapStage.write(this::writeNative, offset, data);
    }
  }

  private void writeNative(long offset, MemorySegment data) throws IOException {
    long done = 0;
    while (done < data.byteSize()) {
      long at = done;
      done += use((c, file) -> c.write(file, data.asSlice(at), offset + at));
    }
  }

  @Override
  public long size() throws IOException {
    return use(PosixCalls::size);
  }

  @Override
  public void cut(long bytes) throws IOException {
    long unused =
        use((c, file) -> {
          if (c.size(file) > bytes) {
            c.cut(file, bytes);
          }
          return bytes;
        });
  }

  @Override
  public void force() throws IOException {
    long unused =
        use((c, file) -> {
          c.force(file);
          return 0;
        });
  }

  @Override
  public synchronized void close() {
    uses.close();
    if (!closed) {
      closed = true;
      calls.close(descriptor);
    }
  }
}
