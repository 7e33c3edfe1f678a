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
 * Allocates uninitialized native memory with {@code malloc}. An arena, in contrast, zeroes the
 * memory that it allocates, which writes to every page of a large slab, even to pages that are
 * never used. If {@code malloc} cannot be called, for example because native access is denied, or
 * if the size is above 256 MiB, the memory comes from an arena.
 */
public final class UninitializedMemory {
  /** The alignment that malloc guarantees, in bytes. */
  private static final long ALIGNMENT = 16;

  private static final long CACHE_LINE = 64;

  /**
   * The maximum size, in bytes, that is allocated with malloc. Larger sizes are allocated through
   * the arena, because the JVM limits arena allocations, whereas malloc may promise memory that the
   * machine does not have.
   */
  private static final long MOST = 256L << 20;

  private final MethodHandle malloc;
  private final MethodHandle free;

  /** A holder class that looks up the functions on first use. */
  private static final class Found {
    static final Optional<UninitializedMemory> FUNCTIONS = load();
  }

  // The linker's methods are restricted because a wrong signature can crash the process.
  // The signatures used here match the C declarations.
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
      // The functions do not exist, or native access is denied.
      return Optional.empty();
    }
  }

  /**
   * Allocates memory with arbitrary content, aligned to 64 bytes, that is valid until the arena
   * closes.
   *
   * @param arena the arena that owns the memory
   * @param bytes the size in bytes, at least 0
   * @throws MemoryLimitException if the memory cannot be allocated
   */
  public static MemorySegment allocate(Arena arena, long bytes) {
    return bytes > MOST || Found.FUNCTIONS.isEmpty()
        ? MemoryLimit.outsideHeap(arena, bytes, CACHE_LINE)
        : Found.FUNCTIONS.get().get(arena, bytes);
  }

  // The method that sets the segment's length is restricted because a wrong length allows
  // access to other memory. The length set here is the length requested from malloc.
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

  /**
   * Converts a failure of a method handle call, which declares Throwable, to an unchecked
   * exception. Errors are rethrown; malloc and free throw no checked exceptions.
   */
  private static RuntimeException unchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException exception -> exception;
      case Error error -> throw error;
      default -> new IllegalStateException("the C library", failure);
    };
  }
}
