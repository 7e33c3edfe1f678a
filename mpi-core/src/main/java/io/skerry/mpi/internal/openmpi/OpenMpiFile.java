package io.skerry.mpi.internal.openmpi;

import static io.skerry.mpi.internal.openmpi.OpenMpiApi.buffer;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.base.AbstractMpiFile;
import io.skerry.mpi.internal.base.NativeStaging;
import io.skerry.mpi.internal.file.PositionalFile;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file opened through Open MPI's Java bindings. A transfer sets the file view to the caller's
 * blocks and then moves packed bytes at offset 0 of that view. Displacements and counts in the
 * bindings are {@code int}, so a view is divided into parts that each span less than 2 GiB and
 * contain at most 1 GiB; all ranks agree on the number of calls.
 */
final class OpenMpiFile extends AbstractMpiFile {
  private static final long STEP = 1L << 30;
  private static final Optional<MpiException> NONE = Optional.empty();

  private final OpenMpiCommunicator communicator;
  private final FileApi api;
  private final Object handle;

  private OpenMpiFile(
      OpenMpiCommunicator communicator,
      PositionalFile file,
      OpenMode mode,
      FileApi api,
      Object handle) {
    super(communicator, file, mode);
    this.communicator = communicator;
    this.api = api;
    this.handle = handle;
  }

  private record Attempt(Optional<Object> handle, Optional<MpiException> failure) {}

  /** Opens the file on all ranks or on none. */
  static MpiFile open(
      OpenMpiCommunicator communicator,
      PositionalFile file,
      OpenMode mode,
      Map<String, String> hints) {
    var api = new FileApi(communicator.api().classes);
    var attempt = attempt(communicator, api, file, mode, hints);
    // A rank that opened the file cannot close its handle: closing is collective, and the ranks
    // that failed have no handle.
    if (communicator.allReduce(attempt.handle().isPresent() ? 0 : 1, Reduction.MAX) != 0) {
      file.close();
      throw attempt
          .failure()
          .orElseGet(() ->
              communicator.failure(
                  "openFile",
                  MpiErrorClass.IO,
                  "the MPI library could not open the file on another rank: path=" + file.path()));
    }
    return new OpenMpiFile(communicator, file, mode, api, attempt.handle().orElseThrow());
  }

  private static Attempt attempt(
      OpenMpiCommunicator communicator,
      FileApi api,
      PositionalFile file,
      OpenMode mode,
      Map<String, String> hints) {
    try {
      var opened = api.open(communicator.handle(), file.path().toString(), mode, hints);
      return new Attempt(Optional.of(opened), NONE);
    } catch (Throwable t) {
      return new Attempt(Optional.empty(), Optional.of(communicator.exception(t, "openFile")));
    }
  }

  @Override
  public String component() {
    var requested = System.getenv().getOrDefault("OMPI_MCA_io", "");
    return requested.startsWith("romio") ? "ROMIO (" + requested + ")" : "OMPIO";
  }

  @Override
  protected void writeTogether(FileView view, MemorySegment data) {
    try (var staging = new NativeStaging()) {
      inRounds("writeAtAll", view, staging.outgoing(data), api.write);
    }
  }

  @Override
  protected void readTogether(FileView view, MemorySegment data) {
    try (var staging = new NativeStaging()) {
      inRounds("readAtAll", view, staging.incoming(data), api.read);
      staging.deliver();
    }
  }

  /** Divides a view into consecutive parts within the limits of the Java bindings. */
  static List<FileView> parts(FileView view) {
    var parts = new ArrayList<FileView>();
    var part = FileView.builder();
    long start = 0;
    long bytes = 0;
    for (int i = 0; i < view.blocks(); i++) {
      long offset = view.offset(i);
      long left = view.length(i);
      while (left > 0) {
        if (bytes > 0 && (bytes == STEP || offset - start >= Integer.MAX_VALUE - STEP)) {
          parts.add(part.build());
          part = FileView.builder();
          bytes = 0;
        }
        start = bytes == 0 ? offset : start;
        long length = Math.min(left, STEP - bytes);
        part.add(offset, length);
        bytes += length;
        offset += length;
        left -= length;
      }
    }
    if (bytes > 0) {
      parts.add(part.build());
    }
    return parts;
  }

  // If a round fails on a rank, the rank still takes part in the remaining rounds, since the other
  // ranks would otherwise hang. With some libraries, they may hang nevertheless.
  private void inRounds(
      String operation, FileView view, MemorySegment data, MethodHandle transfer) {
    var parts = parts(view);
    long rounds = communicator.allReduce(parts.size(), Reduction.MAX);
    var failure = NONE;
    long from = 0;
    for (int round = 0; round < rounds; round++) {
      var part = round < parts.size() ? parts.get(round) : FileView.EMPTY;
      long bytes = part.totalBytes();
      var failed =
          round(operation, part, data.asSlice(from, bytes), transfer).map(e -> explained(e, bytes));
      failed.ifPresent(communicator::expectOthers);
      failure = failure.or(() -> failed);
      from += bytes;
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  private Optional<MpiException> round(
      String operation, FileView view, MemorySegment data, MethodHandle transfer) {
    int count = (int) data.byteSize();
    try {
      if (view.isEmpty()) {
        // ROMIO leaves the status of an empty transfer unchanged.
        long unused = moveNothing(transfer);
        return NONE;
      }
      long actual = move(view, data, transfer);
      if (actual != count) {
        throw communicator.failure(
            operation,
            MpiErrorClass.IO,
            "the MPI library moved fewer bytes: expected=%d actual=%d path=%s"
                .formatted(count, actual, path()));
      }
      return NONE;
    } catch (Throwable t) {
      return Optional.of(communicator.exception(t, operation));
    }
  }

  // An empty view uses no derived datatype, since some MPI libraries mishandle empty
  // datatypes.
  private long moveNothing(MethodHandle transfer) throws Throwable {
    var bytes = communicator.api().bytes;
    api.view.invokeExact(handle, 0L, bytes, bytes, "native");
    return moved(transfer, MemorySegment.NULL);
  }

  private long move(FileView view, MemorySegment data, MethodHandle transfer) throws Throwable {
    var jar = communicator.api();
    int blocks = view.blocks();
    int[] lengths = new int[blocks];
    int[] displacements = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      lengths[i] = Math.toIntExact(view.length(i));
      displacements[i] = Math.toIntExact(view.offset(i) - view.offset(0));
    }
    var type = (Object) jar.indexed.invokeExact(lengths, displacements, jar.bytes);
    try {
      jar.commit.invokeExact(type);
      api.view.invokeExact(handle, view.offset(0), jar.bytes, type, "native");
      return moved(transfer, data);
    } finally {
      jar.freeType.invokeExact(type);
    }
  }

  private long moved(MethodHandle transfer, MemorySegment data) throws Throwable {
    var jar = communicator.api();
    int count = (int) data.byteSize();
    var status = (Object) transfer.invokeExact(handle, 0L, (Object) buffer(data), count, jar.bytes);
    return jar.bytes(status);
  }

  @Override
  protected void resizeTogether(long bytes) {
    communicator.call(
        "setSize",
        () -> {
          api.resize.invokeExact(handle, bytes);
        });
  }

  // MPI_File_sync itself need not wait for the other ranks. Only after the barrier can every rank
  // read the bytes that any rank wrote.
  @Override
  protected void syncTogether() {
    try {
      communicator.call(
          "sync",
          () -> {
            api.sync.invokeExact(handle);
          });
    } finally {
      communicator.barrier();
    }
  }

  @Override
  protected void closeTogether() {
    communicator.call(
        "close",
        () -> {
          api.close.invokeExact(handle);
        });
  }
}
