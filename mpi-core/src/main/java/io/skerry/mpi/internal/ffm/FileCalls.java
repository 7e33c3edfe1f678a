package io.skerry.mpi.internal.ffm;

import io.skerry.mpi.internal.launch.NativeProcess;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Bindings for the MPI functions that operate on files and hints. Nonblocking collective functions
 * are omitted deliberately: with ROMIO in Open MPI 4, they are null pointers. Handles are 64-bit
 * values; results are error codes.
 *
 * <p>Each function has a holder class, so that the function is linked on its first call and its
 * method handle is constant afterwards.
 */
final class FileCalls {
  private FileCalls() {}

  private static final class Infocreate {
    static final MethodHandle CALL = Libmpi.link("MPI_Info_create", "p");
  }

  static int infoCreate(MemorySegment info) {
    try {
      return (int) Infocreate.CALL.invokeExact(info);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Infoset {
    static final MethodHandle CALL = Libmpi.link("MPI_Info_set", "lpp");
  }

  static int infoSet(long info, MemorySegment key, MemorySegment value) {
    try {
      return (int) Infoset.CALL.invokeExact(info, key, value);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Infofree {
    static final MethodHandle CALL = Libmpi.link("MPI_Info_free", "p");
  }

  static int infoFree(MemorySegment info) {
    try {
      return (int) Infofree.CALL.invokeExact(info);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Fileopen {
    static final MethodHandle CALL = Libmpi.link("MPI_File_open", "lpilp");
  }

  static int open(long comm, MemorySegment path, int mode, long info, MemorySegment file) {
    try {
      return (int) Fileopen.CALL.invokeExact(comm, path, mode, info, file);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Fileseterrhandler {
    static final MethodHandle CALL = Libmpi.link("MPI_File_set_errhandler", "ll");
  }

  static int setErrorHandler(long file, long handler) {
    try {
      return (int) Fileseterrhandler.CALL.invokeExact(file, handler);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Filesetview {
    static final MethodHandle CALL = Libmpi.link("MPI_File_set_view", "llllpl");
  }

  static int setView(
      long file,
      long displacement,
      long elementType,
      long fileType,
      MemorySegment representation,
      long info) {
    try {
      return (int)
          Filesetview.CALL.invokeExact(
              file, displacement, elementType, fileType, representation, info);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Filewriteatall {
    static final MethodHandle CALL = Libmpi.link("MPI_File_write_at_all", "llpilp");
  }

  static int writeAtAll(
      long file, long offset, MemorySegment buffer, int count, long type, MemorySegment status) {
    try {
      return (int) Filewriteatall.CALL.invokeExact(file, offset, buffer, count, type, status);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Filereadatall {
    static final MethodHandle CALL = Libmpi.link("MPI_File_read_at_all", "llpilp");
  }

  static int readAtAll(
      long file, long offset, MemorySegment buffer, int count, long type, MemorySegment status) {
    try {
      return (int) Filereadatall.CALL.invokeExact(file, offset, buffer, count, type, status);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Filesetsize {
    static final MethodHandle CALL = Libmpi.link("MPI_File_set_size", "ll");
  }

  static int setSize(long file, long bytes) {
    try {
      return (int) Filesetsize.CALL.invokeExact(file, bytes);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Filesync {
    static final MethodHandle CALL = Libmpi.link("MPI_File_sync", "l");
  }

  static int sync(long file) {
    try {
      return (int) Filesync.CALL.invokeExact(file);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  private static final class Fileclose {
    static final MethodHandle CALL = Libmpi.link("MPI_File_close", "p");
  }

  static int close(MemorySegment file) {
    try {
      return (int) Fileclose.CALL.invokeExact(file);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }
}
