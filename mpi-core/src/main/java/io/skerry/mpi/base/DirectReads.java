package io.skerry.mpi.base;

import io.skerry.mpi.MemoryPlaces;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Reads without memory in between, where a {@link FileChannel} would read into memory of its own
 * and copy: little into Java arrays by the C library's {@code pread}, much by copying from a
 * mapping, and into many places of native memory by {@code preadv}. Linux only, and only where
 * native access is allowed.
 */
final class DirectReads implements AutoCloseable {
  /**
   * While {@code pread} fills an array the garbage collector has to wait; so many bytes cost a
   * fraction of a millisecond if they are in memory.
   */
  private static final long STEP = 512 << 10;

  /** From here on a mapping takes less than it saves. */
  private static final long LEAST_MAPPED = 2 << 20;

  /** How much is mapped at a time. */
  private static final long WINDOW = 64 << 20;

  /** The least that Linux takes in one call. */
  private static final int MOST_PLACES = 1024;

  private static final int READ_ONLY_CLOSE_ON_EXEC = 02000000;

  private final int descriptor;
  private final FileChannel channel;
  private final ReentrantReadWriteLock open = new ReentrantReadWriteLock();
  private boolean closed;

  private DirectReads(int descriptor, FileChannel channel) {
    this.descriptor = descriptor;
    this.channel = channel;
  }

  /** The functions, looked up once. */
  private record Calls(
      MethodHandle open, MethodHandle read, MethodHandle scatter, MethodHandle close) {
    static final Optional<Calls> FOUND = find();

    @SuppressWarnings("restricted")
    private static Optional<Calls> find() {
      boolean linux = System.getProperty("os.name", "").equals("Linux");
      boolean wide = ValueLayout.ADDRESS.byteSize() == Long.BYTES;
      if (!linux || !wide || !DirectReads.class.getModule().isNativeAccessEnabled()) {
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
                // The C function has no last argument and takes no notice of it. What is passed
                // there
                // stays allocated during the call, which the addresses in the vector cannot
                // achieve.
                linker.downcallHandle(
                    symbols.findOrThrow("preadv"),
                    FunctionDescriptor.of(
                        size, number, ValueLayout.ADDRESS, number, size, ValueLayout.ADDRESS)),
                linker.downcallHandle(
                    symbols.findOrThrow("close"), FunctionDescriptor.of(number, number))));
      } catch (NoSuchElementException | IllegalCallerException | UnsupportedOperationException e) {
        return Optional.empty();
      }
    }
  }

  /** The file of that name; empty if it has to be read without this. */
  static Optional<DirectReads> open(Path path) {
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
          new DirectReads(descriptor, FileChannel.open(same, StandardOpenOption.READ)));
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

  /** A method handle declares to throw anything; these calls throw what is unchecked, if at all. */
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
    long done = array.byteSize() < LEAST_MAPPED ? 0 : copyMapped(offset, array);
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

  private long copyMapped(long offset, MemorySegment array) {
    long done = 0;
    while (done < array.byteSize()) {
      long bytes = Math.min(WINDOW, array.byteSize() - done);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment window = channel.map(MapMode.READ_ONLY, offset + done, bytes, arena);
        MemorySegment.copy(window, 0, array, done, bytes);
      } catch (IOException | InternalError e) {
        // The file ends before, is cut by somebody else at this moment, or cannot be mapped: a
        // plain read finds out.
        return done;
      }
      done += bytes;
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

  /**
   * Reads consecutive bytes into places of native memory, as far as it gets.
   *
   * @param places all within the memory
   * @return bytes read
   */
  long scatter(long offset, MemorySegment memory, MemoryPlaces places) {
    int most = Math.min(MOST_PLACES, places.count());
    long[] vector = new long[2 * most];
    long done = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment passed = arena.allocate(ValueLayout.JAVA_LONG, vector.length);
      for (int first = 0; first < places.count(); first += most) {
        int count = Math.min(most, places.count() - first);
        long wanted = 0;
        for (int i = 0; i < count; i++) {
          vector[2 * i] = memory.address() + places.offset(first + i);
          vector[2 * i + 1] = places.length(first + i);
          wanted += vector[2 * i + 1];
        }
        MemorySegment.copy(vector, 0, passed, ValueLayout.JAVA_LONG, 0, 2 * count);
        long got = scatter(passed, count, offset + done, memory);
        done += Math.max(0, got);
        if (got != wanted) {
          break;
        }
      }
    }
    return done;
  }

  private long scatter(MemorySegment vector, int count, long offset, MemorySegment memory) {
    MethodHandle scatter = Calls.FOUND.orElseThrow().scatter();
    open.readLock().lock();
    try {
      return closed ? 0 : (long) scatter.invokeExact(descriptor, vector, count, offset, memory);
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
