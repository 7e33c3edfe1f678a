package io.skerry.chunk.bytes;

import io.skerry.exception.MemoryLimitException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Native memory that nobody fills with zeros first, by the C library: an arena does, and every page
 * of a large slab is then written to before it is used, and those that are never used too. Where
 * native calls are not allowed it comes from the arena. For memory that holds whatever its last
 * user left.
 */
public final class UninitializedMemory {
  /** What malloc guarantees. */
  private static final long ALIGNMENT = 16;

  private static final long CACHE_LINE = 64;

  /**
   * More than this is asked of the arena, and so of the JVM, which knows a limit: the C library
   * promises what the machine does not have.
   */
  private static final long MOST = 256L << 20;

  private final MethodHandle malloc;
  private final MethodHandle free;

  /** Looked for once. */
  private static final class Found {
    static final Optional<UninitializedMemory> FUNCTIONS = load();
  }

  // Restricted since a wrong signature could crash the process: these are those of C.
  @SuppressWarnings("restricted")
  private UninitializedMemory(Linker linker) {
    malloc =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("malloc"),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
    free =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("free"),
            FunctionDescriptor.ofVoid(ValueLayout.ADDRESS));
  }

  private static Optional<UninitializedMemory> load() {
    if (ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
      return Optional.empty();
    }
    try {
      return Optional.of(new UninitializedMemory(Linker.nativeLinker()));
    } catch (NoSuchElementException | UnsupportedOperationException | IllegalCallerException e) {
      // No such functions, or native access denied.
      return Optional.empty();
    }
  }

  /**
   * Memory of any content, aligned to 64 bytes, until the arena closes.
   *
   * @param bytes at least 0
   * @throws MemoryLimitException if there is not so much
   */
  public static MemorySegment allocate(Arena arena, long bytes) {
    return bytes > MOST || Found.FUNCTIONS.isEmpty()
        ? MemoryLimit.outsideHeap(arena, bytes, CACHE_LINE)
        : Found.FUNCTIONS.get().get(arena, bytes);
  }

  // Restricted since the length is what we say: it is what malloc was asked for.
  @SuppressWarnings("restricted")
  private MemorySegment get(Arena arena, long bytes) {
    long asked = Math.addExact(bytes, CACHE_LINE - ALIGNMENT);
    MemorySegment memory;
    try {
      memory = (MemorySegment) malloc.invokeExact(Math.max(1, asked));
    } catch (Throwable e) {
      throw unchecked(e);
    }
    if (memory.address() == 0) {
      throw MemoryLimit.nativeRefusal(bytes, "malloc");
    }
    MemorySegment all = memory.reinterpret(Math.max(1, asked), arena, this::giveBack);
    long skipped = -all.address() & (CACHE_LINE - 1);
    return all.asSlice(skipped, bytes);
  }

  private void giveBack(MemorySegment memory) {
    try {
      free.invokeExact(memory);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** A method handle declares to throw anything; these calls throw what is unchecked, if at all. */
  private static RuntimeException unchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException exception -> exception;
      case Error error -> throw error;
      default -> new IllegalStateException("the C library", failure);
    };
  }
}
