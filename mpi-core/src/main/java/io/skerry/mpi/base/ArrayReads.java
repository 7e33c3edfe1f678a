package io.skerry.mpi.base;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Fills Java arrays from a file by the C library's {@code pread}, which puts the bytes where they
 * belong; a {@link FileChannel} reads into memory of its own and copies. Linux only, and only where
 * native access is allowed.
 *
 * <p>While a call lasts, the garbage collector has to wait: each asks for little.
 */
final class ArrayReads implements AutoCloseable {
  /** Costs a fraction of a millisecond if the bytes are in memory. */
  private static final long STEP = 512 << 10;

  private static final int READ_ONLY_CLOSE_ON_EXEC = 02000000;

  private final int descriptor;
  private final FileChannel channel;
  private final ReentrantReadWriteLock open = new ReentrantReadWriteLock();
  private boolean closed;

  private ArrayReads(int descriptor, FileChannel channel) {
    this.descriptor = descriptor;
    this.channel = channel;
  }

  /** The functions, looked up once. */
  private record Calls(MethodHandle open, MethodHandle read, MethodHandle close) {
    static final Optional<Calls> FOUND = find();

    @SuppressWarnings("restricted")
    private static Optional<Calls> find() {
      boolean linux = System.getProperty("os.name", "").equals("Linux");
      boolean wide = ValueLayout.ADDRESS.byteSize() == Long.BYTES;
      if (!linux || !wide || !ArrayReads.class.getModule().isNativeAccessEnabled()) {
        return Optional.empty();
      }
      try {
        Linker linker = Linker.nativeLinker();
        SymbolLookup symbols = linker.defaultLookup();
        ValueLayout number = ValueLayout.JAVA_INT;
        ValueLayout size = ValueLayout.JAVA_LONG;
        return Optional.of(
            new Calls(
                linker.downcallHandle(
                    symbols.findOrThrow("open"),
                    FunctionDescriptor.of(number, ValueLayout.ADDRESS, number),
                    Linker.Option.firstVariadicArg(2)),
                linker.downcallHandle(
                    symbols.findOrThrow("pread"),
                    FunctionDescriptor.of(size, number, ValueLayout.ADDRESS, size, size),
                    Linker.Option.critical(true)),
                linker.downcallHandle(
                    symbols.findOrThrow("close"), FunctionDescriptor.of(number, number))));
      } catch (NoSuchElementException | IllegalCallerException | UnsupportedOperationException e) {
        return Optional.empty();
      }
    }
  }

  /** The file of that name; empty if it has to be read without this. */
  static Optional<ArrayReads> open(Path path) {
    Optional<Calls> calls = Calls.FOUND;
    if (calls.isEmpty()) {
      return Optional.empty();
    }
    int descriptor = descriptor(calls.get(), path);
    if (descriptor < 0) {
      return Optional.empty();
    }
    try {
      Path same = Path.of("/proc/self/fd/" + descriptor);
      if (!Files.isSameFile(same, path)) {
        throw new IOException("the name led elsewhere: path=" + path);
      }
      // By way of the descriptor, so that both are the same file whatever happens to its name.
      return Optional.of(
          new ArrayReads(descriptor, FileChannel.open(same, StandardOpenOption.READ)));
    } catch (IOException e) {
      close(calls.get(), descriptor);
      return Optional.empty();
    }
  }

  private static int descriptor(Calls calls, Path path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(path.toString());
      return (int) calls.open().invokeExact(name, READ_ONLY_CLOSE_ON_EXEC);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static void close(Calls calls, int descriptor) {
    try {
      int unused = (int) calls.close().invokeExact(descriptor);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static RuntimeException unchecked(Throwable e) {
    return switch (e) {
      case RuntimeException unchecked -> unchecked;
      case Error error -> throw error;
      default -> new IllegalStateException("a call of the C library failed", e);
    };
  }

  /** The same file, for all else. */
  FileChannel channel() {
    return channel;
  }

  /**
   * Reads as far as it gets.
   *
   * @return bytes read; whoever wants more asks the channel, which says why there are none
   */
  long read(long offset, MemorySegment array) {
    MethodHandle read = Calls.FOUND.orElseThrow().read();
    long done = 0;
    while (done < array.byteSize()) {
      long wanted = Math.min(STEP, array.byteSize() - done);
      long got = read(read, array.asSlice(done, wanted), wanted, offset + done);
      if (got <= 0) {
        break;
      }
      done += got;
    }
    return done;
  }

  private long read(MethodHandle read, MemorySegment target, long bytes, long offset) {
    // The number of a closed descriptor may belong to another file at once.
    open.readLock().lock();
    try {
      return closed ? 0 : (long) read.invokeExact(descriptor, target, bytes, offset);
    } catch (Throwable e) {
      throw unchecked(e);
    } finally {
      open.readLock().unlock();
    }
  }

  @Override
  public void close() {
    open.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        close(Calls.FOUND.orElseThrow(), descriptor);
      }
    } finally {
      open.writeLock().unlock();
    }
  }
}
