package io.skerry.mpi.internal.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Reduction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Map;

/**
 * The binary interface (ABI) of an MPI library. Handles are passed as 64-bit values; a narrower
 * handle is in the lower half of its register. The width of a handle matters only if the library
 * reads or writes it in memory.
 *
 * <p>File handles are pointers in all interfaces and need no translation.
 */
public abstract sealed class Abi permits OpenMpiAbi, MpichAbi, StandardAbi {

  /** Returns the name of the family of libraries with this interface. */
  abstract String family();

  abstract long world();

  abstract long errorsReturn();

  abstract long byteType();

  abstract long infoNull();

  abstract long typeOf(ElementKind kind);

  abstract long operationOf(Reduction op);

  abstract int anySource();

  abstract int threadFunneled();

  abstract int readOnly();

  abstract int readWrite();

  /** Returns the size of the buffer for an error text in bytes, including the terminating NUL. */
  abstract int maxErrorString();

  abstract int statusBytes();

  /** Returns the offset of the source in a status, in bytes; the tag follows the source. */
  abstract int statusSourceOffset();

  /**
   * Returns whether the library is known to treat bytes as unsigned when it computes a minimum or
   * maximum.
   */
  abstract boolean comparesUnsignedBytes();

  /**
   * Returns the name of the component that is expected to implement collective I/O, judging only by
   * the environment variables.
   */
  abstract String fileComponent(Map<String, String> environment);

  /** Returns whether handles in memory are pointers; otherwise they are {@code int}. */
  abstract boolean wideHandles();

  /** Returns the meaning of an error class that {@code MPI_Error_class} returned. */
  abstract MpiErrorClass errorClass(int value);

  /**
   * Returns the meaning of an error class of the MPI 5.0 standard; Open MPI uses the same numbers.
   */
  static MpiErrorClass standardErrorClass(int value) {
    return switch (value) {
      case 15 -> MpiErrorClass.TRUNCATED;
      case 20, 45 -> MpiErrorClass.ACCESS;
      case 35 -> MpiErrorClass.IO;
      case 41, 44 -> MpiErrorClass.NO_SPACE;
      case 42 -> MpiErrorClass.NO_SUCH_FILE;
      default -> value >= 1 && value <= 13 ? MpiErrorClass.USAGE : MpiErrorClass.OTHER;
    };
  }

  final int statusSource(MemorySegment status) {
    return status.get(JAVA_INT, statusSourceOffset());
  }

  final int statusTag(MemorySegment status) {
    return status.get(JAVA_INT, statusSourceOffset() + 4L);
  }

  /** Reads a handle that the library wrote. */
  final long handle(MemorySegment place) {
    return wideHandles() ? place.get(JAVA_LONG, 0) : Integer.toUnsignedLong(place.get(JAVA_INT, 0));
  }

  /**
   * Writes a handle for the library to read, and returns the memory; 8 bytes are enough for any
   * handle.
   */
  final MemorySegment put(MemorySegment place, long handle) {
    if (wideHandles()) {
      place.set(JAVA_LONG, 0, handle);
    } else {
      place.set(JAVA_INT, 0, (int) handle);
    }
    return place;
  }

  /** Allocates memory and writes a handle to it. */
  final MemorySegment place(SegmentAllocator memory, long handle) {
    return put(memory.allocate(JAVA_LONG), handle);
  }

  /** Allocates an array and writes handles to it. */
  final MemorySegment array(Arena memory, long... handles) {
    int bytes = wideHandles() ? Long.BYTES : Integer.BYTES;
    var array = memory.allocate((long) bytes * handles.length, Long.BYTES);
    for (int i = 0; i < handles.length; i++) {
      if (wideHandles()) {
        array.setAtIndex(JAVA_LONG, i, handles[i]);
      } else {
        array.setAtIndex(JAVA_INT, i, (int) handles[i]);
      }
    }
    return array;
  }
}
