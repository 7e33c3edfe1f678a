package io.skerry.mpi.internal.ffm;

import io.skerry.mpi.internal.launch.NativeProcess;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings for the collective functions of MPI. Handles are 64-bit values; results are error codes.
 *
 * <p>Each function has a holder class, so that the function is linked on its first call and its
 * method handle is constant afterwards.
 */
final class CollectiveCalls {
  private CollectiveCalls() {}

  private static final class Bcast {
    static final MethodHandle CALL = Libmpi.link("MPI_Bcast", "pilil");
  }

  static int broadcast(MemorySegment buffer, int count, long type, int root, long comm) {
    try {
      return (int) Bcast.CALL.invokeExact(buffer, count, type, root, comm);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Gather {
    static final MethodHandle CALL = Libmpi.link("MPI_Gather", "pilpilil");
  }

  static int gather(
      MemorySegment send,
      int sendCount,
      long sendType,
      MemorySegment receive,
      int receiveCount,
      long receiveType,
      int root,
      long comm) {
    try {
      return (int)
          Gather.CALL.invokeExact(
              send, sendCount, sendType, receive, receiveCount, receiveType, root, comm);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Scatter {
    static final MethodHandle CALL = Libmpi.link("MPI_Scatter", "pilpilil");
  }

  static int scatter(
      MemorySegment send,
      int sendCount,
      long sendType,
      MemorySegment receive,
      int receiveCount,
      long receiveType,
      int root,
      long comm) {
    try {
      return (int)
          Scatter.CALL.invokeExact(
              send, sendCount, sendType, receive, receiveCount, receiveType, root, comm);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Allgather {
    static final MethodHandle CALL = Libmpi.link("MPI_Allgather", "pilpill");
  }

  static int allGather(
      MemorySegment send,
      int sendCount,
      long sendType,
      MemorySegment receive,
      int receiveCount,
      long receiveType,
      long comm) {
    try {
      return (int)
          Allgather.CALL.invokeExact(
              send, sendCount, sendType, receive, receiveCount, receiveType, comm);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Allgatherv {
    static final MethodHandle CALL = Libmpi.link("MPI_Allgatherv", "pilpppll");
  }

  static int allGatherVariable(
      MemorySegment send,
      int sendCount,
      long sendType,
      MemorySegment receive,
      MemorySegment counts,
      MemorySegment displacements,
      long receiveType,
      long comm) {
    try {
      return (int)
          Allgatherv.CALL.invokeExact(
              send, sendCount, sendType, receive, counts, displacements, receiveType, comm);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Alltoall {
    static final MethodHandle CALL = Libmpi.link("MPI_Alltoall", "pilpill");
  }

  static int allToAll(
      MemorySegment send,
      int sendCount,
      long sendType,
      MemorySegment receive,
      int receiveCount,
      long receiveType,
      long comm) {
    try {
      return (int)
          Alltoall.CALL.invokeExact(
              send, sendCount, sendType, receive, receiveCount, receiveType, comm);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Allreduce {
    static final MethodHandle CALL = Libmpi.link("MPI_Allreduce", "ppilll");
  }

  static int allReduce(
      MemorySegment send, MemorySegment receive, int count, long type, long op, long comm) {
    try {
      return (int) Allreduce.CALL.invokeExact(send, receive, count, type, op, comm);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Exscan {
    static final MethodHandle CALL = Libmpi.link("MPI_Exscan", "ppilll");
  }

  static int exclusiveScan(
      MemorySegment send, MemorySegment receive, int count, long type, long op, long comm) {
    try {
      return (int) Exscan.CALL.invokeExact(send, receive, count, type, op, comm);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }
}
