package io.skerry.chunk.filter;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.bytes.HeapBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The libdeflate library, where it is installed: makes and reads the same streams as zlib in a half
 * to a third of the time.
 *
 * <p>It works from memory to memory within the bounds it is given. What it refuses goes to {@link
 * JavaZlib}, which has the last word and says what is wrong; so a stream is good or bad whether the
 * library is there or not.
 */
final class Libdeflate implements Zlib {
  private static final int SUCCESS = 0;
  private static final int INSUFFICIENT_SPACE = 3;
  private static final int USUAL_LEVEL = 6;

  private final Zlib fallback = new JavaZlib();
  private final MethodHandle allocDecompressor;
  private final MethodHandle decompress;
  private final MethodHandle freeDecompressor;
  private final MethodHandle allocCompressor;
  private final MethodHandle compress;
  private final MethodHandle freeCompressor;

  /** Looked for once, when the first stream comes. */
  private static final class Found {
    static final Optional<Zlib> LIBRARY = load();
  }

  // Restricted since a wrong signature could crash the process: these are those of libdeflate.h.
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
    freeCompressor =
        linker.downcallHandle(
            symbols.findOrThrow("libdeflate_free_compressor"), FunctionDescriptor.ofVoid(pointer));
  }

  /** The library; empty if there is none or native code is not allowed. */
  static Optional<Zlib> find() {
    return Found.LIBRARY;
  }

  // Restricted since any library of that name is taken, as the loader finds it.
  @SuppressWarnings("restricted")
  private static Optional<Zlib> load() {
    if (ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Libdeflate(SymbolLookup.libraryLookup("libdeflate.so.0", Arena.global())));
    } catch (IllegalArgumentException | NoSuchElementException | IllegalCallerException e) {
      // Not installed, too old, or native access denied: the JDK's zlib does it all.
      return Optional.empty();
    }
  }

  @Override
  public Optional<MemorySegment> deflate(MemorySegment in, int level, int room) {
    if (level == 0) {
      return fallback.deflate(in, level, room);
    }
    int chosen = level < 0 ? USUAL_LEVEL : level;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = nativeBytes(in, arena);
      MemorySegment out = arena.allocate(Math.max(1, room));
      long used = compress(source, chosen, out.asSlice(0, room));
      return used == 0 ? Optional.empty() : Optional.of(HeapBytes.copyOf(out.asSlice(0, used)));
    }
  }

  private long compress(MemorySegment in, int level, MemorySegment out) {
    try {
      MemorySegment compressor = (MemorySegment) allocCompressor.invokeExact(level);
      if (compressor.address() == 0) {
        throw new OutOfMemoryError("libdeflate could not make a compressor: level=" + level);
      }
      try {
        return (long) compress.invokeExact(compressor, in, in.byteSize(), out, out.byteSize());
      } finally {
        freeCompressor.invokeExact(compressor);
      }
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  @Override
  public MemorySegment inflate(MemorySegment in, int most, SegmentAllocator memory) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = nativeBytes(in, arena);
      MemorySegment used = arena.allocate(ValueLayout.JAVA_LONG);
      long room = Math.min(most, Plausible.bytes(in.byteSize()));
      while (true) {
        MemorySegment result = memory.allocate(room);
        MemorySegment out = result.isNative() ? result : arena.allocate(Math.max(1, room));
        int code = decompress(source, out.asSlice(0, room), used);
        if (code == SUCCESS) {
          MemorySegment inflated = result.asSlice(0, used.get(ValueLayout.JAVA_LONG, 0));
          if (!result.isNative()) {
            inflated.copyFrom(out.asSlice(0, inflated.byteSize()));
          }
          return inflated;
        }
        if (code != INSUFFICIENT_SPACE) {
          return fallback.inflate(in, most, memory);
        }
        if (room == most) {
          throw new FormatException("inflated bytes", "at most " + most, "more");
        }
        room = Math.min(most, Math.max(64, room * 8));
      }
    }
  }

  private int decompress(MemorySegment in, MemorySegment out, MemorySegment used) {
    try {
      MemorySegment decompressor = (MemorySegment) allocDecompressor.invokeExact();
      if (decompressor.address() == 0) {
        throw new OutOfMemoryError("libdeflate could not make a decompressor");
      }
      try {
        return (int)
            decompress.invokeExact(decompressor, in, in.byteSize(), out, out.byteSize(), used);
      } finally {
        freeDecompressor.invokeExact(decompressor);
      }
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static MemorySegment nativeBytes(MemorySegment in, Arena arena) {
    return in.isNative()
        ? in
        : arena.allocate(Math.max(1, in.byteSize())).copyFrom(in).asSlice(0, in.byteSize());
  }

  /** A method handle declares to throw anything; these calls throw what is unchecked, if at all. */
  private static RuntimeException unchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException exception -> exception;
      case Error error -> throw error;
      default -> new IllegalStateException("libdeflate", failure);
    };
  }
}
