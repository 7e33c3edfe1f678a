package io.skerry.mpi.internal.file;

import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.concurrent.StripedUseCount;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file by its descriptor. A {@link java.nio.channels.FileChannel} would be closed for everybody
 * by the interrupt of one thread that is inside, or comes inside with an interrupt pending; the
 * functions of the C library know nothing of interrupts.
 */
final class PosixFile implements RawFile {
  private final PosixCalls calls;
  private final int descriptor;

  /** A closed descriptor's number may belong to another file at once. */
  private final StripedUseCount visitors = new StripedUseCount();

  private boolean closed;

  private PosixFile(PosixCalls calls, int descriptor) {
    this.calls = calls;
    this.descriptor = descriptor;
  }

  /** The existing file of that name; empty if it has to be read and written without this. */
  static Optional<PosixFile> open(Path path, OpenMode mode) {
    return PosixCalls.found()
        .flatMap(calls -> {
          Optional<Integer> descriptor =
              switch (mode) {
                case READ -> calls.openToRead(path);
                case WRITE, CREATE, CREATE_NEW -> calls.openToWrite(path);
              };
          return descriptor.flatMap(number -> checked(calls, number, path));
        });
  }

  /** The name is handed over in another encoding than Java's own calls use. */
  private static Optional<PosixFile> checked(PosixCalls calls, int descriptor, Path path) {
    boolean same = false;
    try {
      same = Files.isSameFile(place(descriptor), path);
    } catch (IOException e) {
      // Gone already, or no such folder of descriptors: do without.
    }
    if (same) {
      return Optional.of(new PosixFile(calls, descriptor));
    }
    calls.close(descriptor);
    return Optional.empty();
  }

  /** Where the system shows an open file of this process. */
  static Path place(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /** What is done with a descriptor that nobody closes meanwhile. */
  @FunctionalInterface
  interface Use {
    /** Does it. */
    long with(PosixCalls calls, int descriptor) throws IOException;
  }

  /** Does something with the descriptor. */
  long use(Use action) throws IOException {
    if (!visitors.enter()) {
      throw new ClosedChannelException();
    }
    try {
      return action.with(calls, descriptor);
    } finally {
      visitors.leave();
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
    visitors.close();
    if (!closed) {
      closed = true;
      calls.close(descriptor);
    }
  }
}
