package io.skerry.mpi.internal.ffm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.base.AbstractMpiFile;
import io.skerry.mpi.internal.base.NativeStaging;
import io.skerry.mpi.internal.file.PositionalFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;

/**
 * A file opened by the MPI library. A transfer sets the file view to the caller's blocks and then
 * moves packed bytes at offset 0 of that view. Each library call moves at most 1 GiB per rank,
 * since counts are {@code int}; all ranks agree on the number of calls.
 */
final class FfmFile extends AbstractMpiFile {
  private static final long STEP = 1L << 30;

  private final FfmCommunicator communicator;
  private final long handle;
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment status = arena.allocate(Libmpi.ABI.statusBytes(), Long.BYTES);
  private final MemorySegment moved = arena.allocate(JAVA_LONG);
  private final String component = Libmpi.ABI.fileComponent(System.getenv());
  private final MemorySegment representation = arena.allocateFrom("native");

  private FfmFile(FfmCommunicator communicator, PositionalFile file, OpenMode mode, long handle) {
    super(communicator, file, mode);
    this.communicator = communicator;
    this.handle = handle;
  }

  /** Opens the file on all ranks or on none. */
  static MpiFile open(
      FfmCommunicator communicator, PositionalFile file, OpenMode mode, Map<String, String> hints) {
    try (var arena = Arena.ofConfined()) {
      var handle = arena.allocate(JAVA_LONG);
      int access = mode == OpenMode.READ ? Libmpi.ABI.readOnly() : Libmpi.ABI.readWrite();
      var path = arena.allocateFrom(file.path().toString());
      var info = Libmpi.ABI.place(arena, Libmpi.ABI.infoNull());
      long none = Libmpi.ABI.handle(info);
      int code = hint(info, hints, arena);
      // The ranks agree before they open the file: ROMIO on four ranks hangs in the collective open
      // if one rank passes an Info and the others do not.
      long hinted = communicator.allReduce(code == ErrorCode.SUCCESS ? 0 : 1, Reduction.MAX);
      if (hinted == 0) {
        code = FileCalls.open(communicator.handle(), path, access, Libmpi.ABI.handle(info), handle);
      }
      if (Libmpi.ABI.handle(info) != none) {
        FileCalls.infoFree(info);
      }
      if (hinted != 0) {
        throw failed(communicator, file, code);
      }
      if (code == ErrorCode.SUCCESS) {
        code = FileCalls.setErrorHandler(handle.get(JAVA_LONG, 0), Libmpi.ABI.errorsReturn());
      }
      // A rank that opened the file cannot close its handle: closing is collective, and the ranks
      // that failed have no handle.
      if (communicator.allReduce(code == ErrorCode.SUCCESS ? 0 : 1, Reduction.MAX) != 0) {
        throw failed(communicator, file, code);
      }
      return new FfmFile(communicator, file, mode, handle.get(JAVA_LONG, 0));
    }
  }

  /** Closes the file of this rank, and returns the exception of a file that no rank opens. */
  private static MpiException failed(FfmCommunicator communicator, PositionalFile file, int code) {
    file.close();
    return code == ErrorCode.SUCCESS
        ? communicator.failure(
            "openFile",
            MpiErrorClass.IO,
            "the MPI library could not open the file on another rank: path=" + file.path())
        : communicator.exception(code, "openFile");
  }

  /**
   * Creates an MPI Info with the hints; does nothing if there are none.
   *
   * @param info the memory that holds the handle; receives a new handle if an Info is created
   * @return the first error code other than success, or success
   */
  private static int hint(MemorySegment info, Map<String, String> hints, Arena arena) {
    int code = hints.isEmpty() ? ErrorCode.SUCCESS : FileCalls.infoCreate(info);
    for (var hint : hints.entrySet()) {
      if (code == ErrorCode.SUCCESS) {
        code =
            FileCalls.infoSet(
                Libmpi.ABI.handle(info),
                arena.allocateFrom(hint.getKey()),
                arena.allocateFrom(hint.getValue()));
      }
    }
    return code;
  }

  @Override
  public String component() {
    return component;
  }

  @FunctionalInterface
  private interface Transfer {
    int move(MemorySegment buffer, int count);
  }

  @Override
  protected void writeTogether(FileView view, MemorySegment data) {
    try (var staging = new NativeStaging()) {
      inRounds(
          "writeAtAll",
          view,
          staging.outgoing(data),
          (buffer, count) ->
              FileCalls.writeAtAll(handle, 0, buffer, count, Libmpi.ABI.byteType(), status));
    }
  }

  @Override
  protected void readTogether(FileView view, MemorySegment data) {
    try (var staging = new NativeStaging()) {
      inRounds(
          "readAtAll",
          view,
          staging.incoming(data),
          (buffer, count) ->
              FileCalls.readAtAll(handle, 0, buffer, count, Libmpi.ABI.byteType(), status));
      staging.deliver();
    }
  }

  // If a round fails on a rank, the rank still takes part in the remaining rounds, since the other
  // ranks would otherwise hang. With some libraries, they may hang nevertheless.
  private void inRounds(String operation, FileView view, MemorySegment data, Transfer transfer) {
    long total = data.byteSize();
    long rounds = communicator.allReduce(Math.ceilDiv(total, STEP), Reduction.MAX);
    Optional<MpiException> failure = Optional.empty();
    for (long round = 0; round < rounds; round++) {
      long from = Math.min(total, round * STEP);
      long to = Math.min(total, from + STEP);
      var part = total <= STEP ? view : view.slice(from, to);
      var failed =
          round(operation, part, data.asSlice(from, to - from), transfer)
              .map(e -> explained(e, to - from));
      failed.ifPresent(communicator::expectOthers);
      failure = failure.or(() -> failed);
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private Optional<MpiException> round(
      String operation, FileView view, MemorySegment data, Transfer transfer) {
    int count = (int) data.byteSize();
    try (var blocks = BlockType.of(view, communicator)) {
      communicator.check(
          FileCalls.setView(
              handle,
              0,
              Libmpi.ABI.byteType(),
              blocks.type(),
              representation,
              Libmpi.ABI.infoNull()),
          operation);
      communicator.check(transfer.move(data, count), operation);
      if (count == 0) {
        // ROMIO leaves the status of an empty transfer unchanged.
        return Optional.empty();
      }
      communicator.check(MessageCalls.elements(status, Libmpi.ABI.byteType(), moved), operation);
      long actual = moved.get(JAVA_LONG, 0);
      if (actual != count) {
        throw communicator.failure(
            operation,
            MpiErrorClass.IO,
            "the MPI library moved fewer bytes: expected=%d actual=%d path=%s"
                .formatted(count, actual, path()));
      }
      return Optional.empty();
    } catch (MpiException e) {
      return Optional.of(e);
    }
  }

  @Override
  protected void resizeTogether(long bytes) {
    communicator.check(FileCalls.setSize(handle, bytes), "setSize");
  }

  // MPI_File_sync itself need not wait for the other ranks. Only after the barrier can every rank
  // read the bytes that any rank wrote.
  @Override
  protected void syncTogether() {
    int code = FileCalls.sync(handle);
    communicator.barrier();
    communicator.check(code, "sync");
  }

  @Override
  protected void closeTogether() {
    try (var scratch = Arena.ofConfined()) {
      communicator.check(FileCalls.close(scratch.allocateFrom(JAVA_LONG, handle)), "close");
    }
  }
}
