package io.skerry.mpi.internal.ffm;

import io.skerry.mpi.internal.launch.NativeProcess;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings for the MPI functions that send and receive messages between two ranks. Handles are
 * 64-bit values; results are error codes.
 *
 * <p>Each function has a holder class, so that the function is linked on its first call and its
 * method handle is constant afterwards.
 */
final class MessageCalls {
  private MessageCalls() {}

  private static final class Send {
    static final MethodHandle CALL = Libmpi.link("MPI_Send", "piliil");
  }

  static int send(MemorySegment buffer, int count, long type, int destination, int tag, long comm) {
    try {
      return (int) Send.CALL.invokeExact(buffer, count, type, destination, tag, comm);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Recv {
    static final MethodHandle CALL = Libmpi.link("MPI_Recv", "piliilp");
  }

  static int receive(
      MemorySegment buffer,
      int count,
      long type,
      int source,
      int tag,
      long comm,
      MemorySegment status) {
    try {
      return (int) Recv.CALL.invokeExact(buffer, count, type, source, tag, comm, status);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Isend {
    static final MethodHandle CALL = Libmpi.link("MPI_Isend", "piliilp");
  }

  static int sendLater(
      MemorySegment buffer,
      int count,
      long type,
      int destination,
      int tag,
      long comm,
      MemorySegment request) {
    try {
      return (int) Isend.CALL.invokeExact(buffer, count, type, destination, tag, comm, request);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Irecv {
    static final MethodHandle CALL = Libmpi.link("MPI_Irecv", "piliilp");
  }

  static int receiveLater(
      MemorySegment buffer,
      int count,
      long type,
      int source,
      int tag,
      long comm,
      MemorySegment request) {
    try {
      return (int) Irecv.CALL.invokeExact(buffer, count, type, source, tag, comm, request);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Test {
    static final MethodHandle CALL = Libmpi.link("MPI_Test", "ppp");
  }

  static int test(MemorySegment request, MemorySegment flag, MemorySegment status) {
    try {
      return (int) Test.CALL.invokeExact(request, flag, status);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class WaitFor {
    static final MethodHandle CALL = Libmpi.link("MPI_Wait", "pp");
  }

  static int await(MemorySegment request, MemorySegment status) {
    try {
      return (int) WaitFor.CALL.invokeExact(request, status);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Getelementsx {
    static final MethodHandle CALL = Libmpi.link("MPI_Get_elements_x", "plp");
  }

  static int elements(MemorySegment status, long type, MemorySegment count) {
    try {
      return (int) Getelementsx.CALL.invokeExact(status, type, count);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }
}
