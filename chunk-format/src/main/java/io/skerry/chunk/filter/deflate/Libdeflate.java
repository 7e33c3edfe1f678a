package io.skerry.chunk.filter.deflate;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.UninitializedMemory;
import io.skerry.chunk.filter.bits.DecodeLimit;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Compresses and decompresses zlib streams with the libdeflate library.
 *
 * <p>The library decompresses an entire stream in one call. Streams that it rejects are passed to
 * {@link JavaZlib}, which either decodes them or reports the error. The decompressed data therefore
 * does not depend on whether the library is installed.
 */
final class Libdeflate implements Zlib {
  private static final int SUCCESS = 0;
  private static final int INSUFFICIENT_SPACE = 3;
  private static final int USUAL_LEVEL = 6;

  /** The minimum size of a buffer, in bytes. */
  private static final long SMALLEST = 64 << 10;

  /** The maximum size, in bytes, of a buffer that is kept for the next call. */
  private static final long KEPT = 8 << 20;

  private final Zlib fallback = new JavaZlib();
  private final MethodHandle allocDecompressor;
  private final MethodHandle decompress;
  private final MethodHandle freeDecompressor;
  private final MethodHandle allocCompressor;
  private final MethodHandle compress;
  private final MethodHandle compressRaw;
  private final MethodHandle freeCompressor;

  /** The native objects that no call is using; at most one set for each processor. */
  private final Queue<Tools> idle =
      new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

  /** A holder class that loads the library on first use. */
  private static final class Found {
    static final Optional<Zlib> LIBRARY = load();
  }

  // The linker's methods are restricted because a wrong signature can crash the process.
  // The signatures used here match the declarations in libdeflate.h.
  @SuppressWarnings("restricted")
  private Libdeflate(SymbolLookup symbols) {
    Linker linker = Linker.nativeLinker();
    ValueLayout pointer = ValueLayout.ADDRESS;
    ValueLayout size = ValueLayout.JAVA_LONG;
    ValueLayout number = ValueLayout.JAVA_INT;
    allocDecompressor =
        linker.downcallHandle(
            symbols.findOrThrow("libdeflate_alloc_decompressor"), FunctionDescriptor.of(pointer));
    decompress =
        linker.downcallHandle(
            symbols.findOrThrow("libdeflate_zlib_decompress"),
            FunctionDescriptor.of(number, pointer, pointer, size, pointer, size, pointer));
    freeDecompressor =
        linker.downcallHandle(
            symbols.findOrThrow("libdeflate_free_decompressor"),
            FunctionDescriptor.ofVoid(pointer));
    allocCompressor =
        linker.downcallHandle(
            symbols.findOrThrow("libdeflate_alloc_compressor"),
            FunctionDescriptor.of(pointer, number));
    compress =
        linker.downcallHandle(
            symbols.findOrThrow("libdeflate_zlib_compress"),
            FunctionDescriptor.of(size, pointer, pointer, size, pointer, size));
    compressRaw =
        linker.downcallHandle(
            symbols.findOrThrow("libdeflate_deflate_compress"),
            FunctionDescriptor.of(size, pointer, pointer, size, pointer, size));
    freeCompressor =
        linker.downcallHandle(
            symbols.findOrThrow("libdeflate_free_compressor"), FunctionDescriptor.ofVoid(pointer));
  }

  /**
   * Returns the library; empty if it is not installed or is too old, if native access is not
   * allowed, or if addresses are not 64 bits wide.
   */
  static Optional<Zlib> find() {
    return Found.LIBRARY;
  }

  // SymbolLookup.libraryLookup is restricted because the loader may find any library with
  // that name.
  @SuppressWarnings("restricted")
  private static Optional<Zlib> load() {
    if (ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Libdeflate(SymbolLookup.libraryLookup("libdeflate.so.0", Arena.global())));
    } catch (IllegalArgumentException | NoSuchElementException | IllegalCallerException e) {
      // Not installed, too old, or native access denied: the zlib of the JDK is used instead.
      return Optional.empty();
    }
  }

  @Override
  public Optional<MemorySegment> deflate(MemorySegment in, int level, int room) {
    return level == 0 ? fallback.deflate(in, level, room) : deflate(compress, in, level, room);
  }

  @Override
  public Optional<MemorySegment> deflateRaw(MemorySegment in, int level, int room) {
    return deflate(compressRaw, in, level, room);
  }

  private Optional<MemorySegment> deflate(
      MethodHandle compressing, MemorySegment in, int level, int room) {
    int chosen = level < 0 ? USUAL_LEVEL : level;
    try (Tools tools = tools()) {
      MemorySegment source = in.isNative() ? in : tools.source(in);
      MemorySegment out = tools.target(room);
      long used;
      try {
        used =
            (long)
                compressing.invokeExact(
                    tools.compressor(chosen), source, source.byteSize(), out, out.byteSize());
      } catch (Throwable e) {
        throw unchecked(e);
      }
      return used == 0 ? Optional.empty() : Optional.of(HeapBytes.copyOf(out.asSlice(0, used)));
    }
  }

  @Override
  public MemorySegment inflate(MemorySegment in, DecodeLimit limit, SegmentAllocator memory) {
    int most = limit.most();
    try (Tools tools = tools()) {
      MemorySegment source = in.isNative() ? in : tools.source(in);
      long room = Math.min(most, OutputSizeGuess.initialBytes(in.byteSize()));
      while (true) {
        MemorySegment result = memory.allocate(room);
        MemorySegment out = result.isNative() ? result.asSlice(0, room) : tools.target(room);
        int code = decompress(tools, source, out);
        if (code == SUCCESS) {
          MemorySegment inflated = result.asSlice(0, tools.used().get(ValueLayout.JAVA_LONG, 0));
          if (!result.isNative()) {
            inflated.copyFrom(out.asSlice(0, inflated.byteSize()));
          }
          return inflated;
        }
        if (code != INSUFFICIENT_SPACE) {
          return fallback.inflate(in, limit, memory);
        }
        if (room == most) {
          throw limit.exceeded("inflated bytes");
        }
        room = Math.min(most, Math.max(64, room * 8));
      }
    }
  }

  private int decompress(Tools tools, MemorySegment in, MemorySegment out) {
    try {
      return (int)
          decompress.invokeExact(
              tools.decompressor(), in, in.byteSize(), out, out.byteSize(), tools.used());
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private Tools tools() {
    Tools ready = idle.poll();
    return ready != null ? ready : new Tools();
  }

  /**
   * A buffer of native memory that is replaced by a larger one as needed; its initial content is
   * arbitrary.
   */
  private static final class Buffer implements AutoCloseable {
    private Optional<Arena> arena = Optional.empty();
    private MemorySegment memory = MemorySegment.NULL;

    MemorySegment take(long bytes) {
      if (memory.byteSize() < Math.max(1, bytes)) {
        close();
        Arena next = Arena.ofShared();
        arena = Optional.of(next);
        memory =
            UninitializedMemory.allocate(
                next, bytes > KEPT ? bytes : Math.max(SMALLEST, bytes + bytes / 4));
      }
      return memory.asSlice(0, bytes);
    }

    /** Frees the memory if it is larger than {@code KEPT} bytes. */
    void shrink() {
      if (memory.byteSize() > KEPT) {
        close();
      }
    }

    @Override
    public void close() {
      arena.ifPresent(Arena::close);
      arena = Optional.empty();
      memory = MemorySegment.NULL;
    }
  }

  /**
   * The native objects of a call, kept for later calls because creating them is expensive. For use
   * by one thread at a time.
   */
  private final class Tools implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final Map<Integer, MemorySegment> compressors = new HashMap<>();
    private final MemorySegment used = arena.allocate(ValueLayout.JAVA_LONG);
    private final Buffer source = new Buffer();
    private final Buffer target = new Buffer();
    private Optional<MemorySegment> decompressor = Optional.empty();

    /** Returns the native memory that receives the number of bytes that a decompression writes. */
    MemorySegment used() {
      return used;
    }

    /** Copies the bytes to native memory and returns the copy. */
    MemorySegment source(MemorySegment in) {
      return source.take(in.byteSize()).copyFrom(in);
    }

    /** Returns native memory with arbitrary content. */
    MemorySegment target(long bytes) {
      return target.take(bytes);
    }

    MemorySegment compressor(int level) {
      return compressors.computeIfAbsent(
          level,
          _ -> owned(() -> (MemorySegment) allocCompressor.invokeExact(level), freeCompressor));
    }

    MemorySegment decompressor() {
      if (decompressor.isEmpty()) {
        decompressor =
            Optional.of(
                owned(() -> (MemorySegment) allocDecompressor.invokeExact(), freeDecompressor));
      }
      return decompressor.get();
    }

    // MemorySegment.reinterpret is restricted because a wrong lifetime or cleanup is
    // unsafe. Here, the object belongs to the arena alone and is freed together with it.
    @SuppressWarnings("restricted")
    private MemorySegment owned(Making making, MethodHandle freeing) {
      try {
        MemorySegment made = making.make();
        if (made.address() == 0) {
          throw new OutOfMemoryError("libdeflate could not allocate a compressor");
        }
        return made.reinterpret(
            arena,
            memory -> {
              try {
                freeing.invokeExact(memory);
              } catch (Throwable e) {
                throw unchecked(e);
              }
            });
      } catch (Throwable e) {
        throw unchecked(e);
      }
    }

    /** Keeps the objects for a later call, or frees them if enough are already kept. */
    @Override
    public void close() {
      source.shrink();
      target.shrink();
      if (!idle.offer(this)) {
        source.close();
        target.close();
        arena.close();
      }
    }
  }

  /** A native call that creates an object. */
  @FunctionalInterface
  private interface Making {
    MemorySegment make() throws Throwable;
  }

  /** Returns the exception to throw for a failed call of a method handle. Errors are rethrown. */
  private static RuntimeException unchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException exception -> exception;
      case Error error -> throw error;
      default -> new IllegalStateException("libdeflate", failure);
    };
  }
}
