package io.skerry.mpi.internal.ffm;

import io.skerry.mpi.internal.launch.NativeProcess;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings for the MPI functions that concern initialization, finalization, communicators and
 * errors. Handles are 64-bit values; results are error codes.
 *
 * <p>Each function has a holder class, so that the function is linked on its first call and its
 * method handle is constant afterwards.
 */
final class SessionCalls {
  private SessionCalls() {}

  private static final class Initialized {
    static final MethodHandle CALL = Libmpi.link("MPI_Initialized", "p");
  }

  static int initialized(MemorySegment flag) {
    try {
      return (int) Initialized.CALL.invokeExact(flag);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Initthread {
    static final MethodHandle CALL = Libmpi.link("MPI_Init_thread", "ppip");
  }

  static int initThread(
      MemorySegment argc, MemorySegment argv, int required, MemorySegment provided) {
    try {
      return (int) Initthread.CALL.invokeExact(argc, argv, required, provided);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Getversion {
    static final MethodHandle CALL = Libmpi.link("MPI_Get_version", "pp");
  }

  static int standardVersion(MemorySegment version, MemorySegment subversion) {
    try {
      return (int) Getversion.CALL.invokeExact(version, subversion);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Finalize {
    static final MethodHandle CALL = Libmpi.link("MPI_Finalize", "");
  }

  static int finish() {
    try {
      return (int) Finalize.CALL.invokeExact();
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Abort {
    static final MethodHandle CALL = Libmpi.link("MPI_Abort", "li");
  }

  static int abort(long comm, int code) {
    try {
      return (int) Abort.CALL.invokeExact(comm, code);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Commrank {
    static final MethodHandle CALL = Libmpi.link("MPI_Comm_rank", "lp");
  }

  static int rank(long comm, MemorySegment rank) {
    try {
      return (int) Commrank.CALL.invokeExact(comm, rank);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Commsize {
    static final MethodHandle CALL = Libmpi.link("MPI_Comm_size", "lp");
  }

  static int size(long comm, MemorySegment size) {
    try {
      return (int) Commsize.CALL.invokeExact(comm, size);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Commdup {
    static final MethodHandle CALL = Libmpi.link("MPI_Comm_dup", "lp");
  }

  static int duplicate(long comm, MemorySegment result) {
    try {
      return (int) Commdup.CALL.invokeExact(comm, result);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Commsplit {
    static final MethodHandle CALL = Libmpi.link("MPI_Comm_split", "liip");
  }

  static int split(long comm, int color, int key, MemorySegment result) {
    try {
      return (int) Commsplit.CALL.invokeExact(comm, color, key, result);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Commfree {
    static final MethodHandle CALL = Libmpi.link("MPI_Comm_free", "p");
  }

  static int free(MemorySegment comm) {
    try {
      return (int) Commfree.CALL.invokeExact(comm);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Commseterrhandler {
    static final MethodHandle CALL = Libmpi.link("MPI_Comm_set_errhandler", "ll");
  }

  static int setErrorHandler(long comm, long handler) {
    try {
      return (int) Commseterrhandler.CALL.invokeExact(comm, handler);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Errorclass {
    static final MethodHandle CALL = Libmpi.link("MPI_Error_class", "ip");
  }

  static int errorClass(int code, MemorySegment result) {
    try {
      return (int) Errorclass.CALL.invokeExact(code, result);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Errorstring {
    static final MethodHandle CALL = Libmpi.link("MPI_Error_string", "ipp");
  }

  static int errorString(int code, MemorySegment text, MemorySegment length) {
    try {
      return (int) Errorstring.CALL.invokeExact(code, text, length);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }
}
