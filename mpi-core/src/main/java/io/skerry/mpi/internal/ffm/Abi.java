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
 * What differs between the binary interfaces of MPI libraries, and nothing else. Handles travel as
 * 64-bit values, whatever their width: a narrower one lies in the lower half of its register. Only
 * where the library reads or writes them in memory does the width matter.
 *
 * <p>Handles of files are pointers everywhere and need none of this.
 */
public abstract sealed class Abi permits OpenMpiAbi, MpichAbi, StandardAbi {

  /** What the family of libraries is called. */
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

  /** With the byte for the end of the text. */
  abstract int maxErrorString();

  abstract int statusBytes();

  /** The offset of the source in a status; the tag comes next. */
  abstract int statusSourceOffset();

  /** Whether the least and the greatest of bytes are found as if they had no sign. */
  abstract boolean comparesUnsignedBytes();

  /** What does collective I/O, as far as the environment decides. */
  abstract String fileComponent(Map<String, String> environment);

  /** Whether handles in memory are pointers; else they are {@code int}. */
  abstract boolean wideHandles();

  /** The meaning of a value of {@code MPI_Error_class}. */
  abstract MpiErrorClass errorClass(int value);

  /** The numbers that the standard gave error classes in MPI 5.0, which are Open MPI's. */
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

  /** The handle that the library wrote. */
  final long handle(MemorySegment place) {
    return wideHandles() ? place.get(JAVA_LONG, 0) : Integer.toUnsignedLong(place.get(JAVA_INT, 0));
  }

  /** Puts a handle where the library reads it; 8 bytes are enough for any. */
  final MemorySegment put(MemorySegment place, long handle) {
    if (wideHandles()) {
      place.set(JAVA_LONG, 0, handle);
    } else {
      place.set(JAVA_INT, 0, (int) handle);
    }
    return place;
  }

  /** A place for a handle, holding one. */
  final MemorySegment place(SegmentAllocator memory, long handle) {
    return put(memory.allocate(JAVA_LONG), handle);
  }

  /** An array of handles. */
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
