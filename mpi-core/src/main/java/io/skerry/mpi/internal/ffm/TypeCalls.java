package io.skerry.mpi.internal.ffm;

import io.skerry.mpi.internal.launch.NativeProcess;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings for the MPI functions that operate on derived datatypes. Handles are 64-bit values;
 * results are error codes.
 *
 * <p>Each function has a holder class, so that the function is linked on its first call and its
 * method handle is constant afterwards.
 */
final class TypeCalls {
  private TypeCalls() {}

  private static final class Typecontiguous {
    static final MethodHandle CALL = Libmpi.link("MPI_Type_contiguous", "ilp");
  }

  static int contiguous(int count, long type, MemorySegment result) {
    try {
      return (int) Typecontiguous.CALL.invokeExact(count, type, result);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Typecreatehindexed {
    static final MethodHandle CALL = Libmpi.link("MPI_Type_create_hindexed", "ipplp");
  }

  static int indexed(
      int count,
      MemorySegment lengths,
      MemorySegment displacements,
      long type,
      MemorySegment result) {
    try {
      return (int) Typecreatehindexed.CALL.invokeExact(count, lengths, displacements, type, result);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Typecreatestruct {
    static final MethodHandle CALL = Libmpi.link("MPI_Type_create_struct", "ipppp");
  }

  static int struct(
      int count,
      MemorySegment lengths,
      MemorySegment displacements,
      MemorySegment types,
      MemorySegment result) {
    try {
      return (int) Typecreatestruct.CALL.invokeExact(count, lengths, displacements, types, result);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Typecommit {
    static final MethodHandle CALL = Libmpi.link("MPI_Type_commit", "p");
  }

  static int commit(MemorySegment type) {
    try {
      return (int) Typecommit.CALL.invokeExact(type);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Typefree {
    static final MethodHandle CALL = Libmpi.link("MPI_Type_free", "p");
  }

  static int free(MemorySegment type) {
    try {
      return (int) Typefree.CALL.invokeExact(type);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }
}
