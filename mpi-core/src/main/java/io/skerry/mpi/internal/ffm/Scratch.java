package io.skerry.mpi.internal.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory for the results of MPI functions; each communicator has its own instance. */
final class Scratch {
  final MemorySegment status;
  final MemorySegment number;
  final MemorySegment handle;

  Scratch() {
    var arena = Arena.ofAuto();
    status = arena.allocate(Libmpi.ABI.statusBytes(), Long.BYTES);
    number = arena.allocate(JAVA_LONG);
    handle = arena.allocate(Long.BYTES, Long.BYTES);
  }

  int number() {
    return number.get(JAVA_INT, 0);
  }

  long longNumber() {
    return number.get(JAVA_LONG, 0);
  }

  long handle() {
    return Libmpi.ABI.handle(handle);
  }

  /** Writes a handle to the memory for handles, and returns that memory. */
  MemorySegment handle(long value) {
    return Libmpi.ABI.put(handle, value);
  }
}
