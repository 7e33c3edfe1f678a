package io.skerry.iod.object;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The CRC-64 of liblzma, the library of the xz programs, which multiplies without carries where the
 * processor can (since version 5.4). It has the polynomial of {@link Crc64}, and inverts the
 * checksum at the end. The library is in the public domain, under the licence 0BSD since version
 * 5.6, and Debian installs it with dpkg. Local, thread-safe.
 */
final class Liblzma {
  /** The maximum number of bytes per call, during which the JVM cannot collect garbage. */
  private static final long PIECE = 1 << 20;

  /** A holder class that loads the library on first use. */
  private static final class Found {
    static final Optional<MethodHandle> LIBRARY = load();

    /** A constant, so that the compiler calls the function directly. Not called if empty. */
    static final MethodHandle CRC64 =
        LIBRARY.orElseGet(() ->
            MethodHandles.empty(
                MethodType.methodType(long.class, MemorySegment.class, long.class, long.class)));
  }

  private Liblzma() {}

  /**
   * Returns whether the library can be used: whether it is installed, native access is allowed, and
   * addresses are 64 bits wide.
   */
  static boolean isInstalled() {
    return Found.LIBRARY.isPresent();
  }

  // The methods are restricted because the loader may find any library with that name, and because
  // a wrong signature can crash the process. This one matches the declaration in lzma/check.h.
  @SuppressWarnings("restricted")
  private static Optional<MethodHandle> load() {
    boolean isPossible =
        ValueLayout.ADDRESS.byteSize() == Long.BYTES
            && Liblzma.class.getModule().isNativeAccessEnabled();
    if (!isPossible) {
      return Optional.empty();
    }
    try {
      MemorySegment function =
          SymbolLookup.libraryLookup("liblzma.so.5", Arena.global()).findOrThrow("lzma_crc64");
      FunctionDescriptor form =
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG);
      return Optional.of(
          Linker.nativeLinker().downcallHandle(function, form, Linker.Option.critical(true)));
    } catch (IllegalArgumentException | NoSuchElementException e) {
      // Not installed: the checksum is computed in Java.
      return Optional.empty();
    }
  }

  /**
   * Extends a checksum with further bytes, as {@link Crc64} does. Called only if the library is
   * installed.
   */
  static long update(long before, MemorySegment bytes) {
    long inverted = ~before;
    long size = bytes.byteSize();
    for (long at = 0; at < size; at += PIECE) {
      inverted = call(bytes.asSlice(at, Math.min(PIECE, size - at)), inverted);
    }
    return ~inverted;
  }

  private static long call(MemorySegment bytes, long before) {
    try {
      return (long) Found.CRC64.invokeExact(bytes, bytes.byteSize(), before);
    } catch (Throwable e) {
      // A method handle declares Throwable; the function throws nothing.
      throw switch (e) {
        case RuntimeException exception -> exception;
        case Error error -> throw error;
        default -> new IllegalStateException("liblzma", e);
      };
    }
  }
}
