package io.skerry.mpi.internal.openmpi;

import static io.skerry.mpi.internal.openmpi.OpenMpiApi.buffer;

import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Received;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.base.CheckedCommunicator;
import io.skerry.mpi.internal.base.LibraryCommunicator;
import io.skerry.mpi.internal.file.PositionalFile;
import io.skerry.mpi.internal.local.LocalWorld;
import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.util.Map;
import java.util.Optional;

/** A communicator of the MPI library, called through Open MPI's Java bindings. */
final class OpenMpiCommunicator extends LibraryCommunicator {
  private final OpenMpiApi api;
  private final JarFailures failures;
  private final Object handle;

  private OpenMpiCommunicator(OpenMpiApi api, JarFailures failures, Place place) {
    super(place.rank(), place.size());
    this.api = api;
    this.failures = failures;
    this.handle = api.world;
  }

  private OpenMpiCommunicator(Object handle, Place place, String name, OpenMpiCommunicator parent) {
    super(place.rank(), place.size(), name, parent);
    this.api = parent.api;
    this.failures = parent.failures;
    this.handle = handle;
  }

  /** Returns the world communicator of an initialized library. */
  static OpenMpiCommunicator world(OpenMpiApi api, JarFailures failures) {
    return new OpenMpiCommunicator(api, failures, Place.in(api, failures, api.world, "world"));
  }

  /**
   * The rank of this process in a communicator, and the size of the communicator. {@link #in} also
   * makes the library return errors on the communicator instead of aborting the job.
   */
  private record Place(int rank, int size) {
    static Place in(OpenMpiApi api, JarFailures failures, Object handle, String name) {
      try {
        api.returnErrors.invokeExact(handle, api.classes.constant("mpi.MPI", "ERRORS_RETURN"));
        int rank = (int) api.rank.invokeExact(handle);
        int size = (int) api.size.invokeExact(handle);
        return new Place(rank, size);
      } catch (Throwable t) {
        throw failures.of(t, "start", name, -1);
      }
    }
  }

  OpenMpiApi api() {
    return api;
  }

  Object handle() {
    return handle;
  }

  /**
   * Makes a call. If the call throws an {@code MPIException} of the Java bindings, throws the
   * corresponding {@link MpiException}; see {@link JarFailures#of}.
   */
  void call(String operation, JarCall call) {
    try {
      call.run();
    } catch (Throwable t) {
      throw exception(t, operation);
    }
  }

  /**
   * Makes a call that returns a result. If the call throws an {@code MPIException} of the Java
   * bindings, throws the corresponding {@link MpiException}; see {@link JarFailures#of}.
   */
  <T> T answer(String operation, JarCall.Answering<T> call) {
    try {
      return call.run();
    } catch (Throwable t) {
      throw exception(t, operation);
    }
  }

  MpiException exception(Throwable thrown, String operation) {
    return failures.of(thrown, operation, name(), rank());
  }

  @Override
  protected void broadcastPart(int root, MemorySegment part) {
    var bytes = (Object) buffer(part);
    int count = (int) part.byteSize();
    call(
        "broadcast",
        () -> {
          api.broadcast.invokeExact(handle, bytes, count, api.bytes, root);
        });
  }

  /** A call that transfers blocks of {@code count} elements of a datatype. */
  @FunctionalInterface
  private interface BlockCall {
    void call(Object from, Object to, int count, Object type) throws Throwable;
  }

  private void inBlocks(
      String operation, MemorySegment send, MemorySegment receive, long bytes, BlockCall call) {
    var from = buffer(send);
    var to = buffer(receive);
    try (var block = JarByteCount.of(bytes, this)) {
      call(operation, () -> call.call(from, to, block.count(), block.type()));
    }
  }

  @Override
  protected void gatherBlocks(int root, MemorySegment send, MemorySegment receive, long bytes) {
    inBlocks(
        "gather",
        send,
        receive,
        bytes,
        (from, to, n, type) -> {
          api.gather.invokeExact(handle, from, n, type, to, n, type, root);
        });
  }

  @Override
  protected void scatterBlocks(int root, MemorySegment send, MemorySegment receive, long bytes) {
    inBlocks(
        "scatter",
        send,
        receive,
        bytes,
        (from, to, n, type) -> {
          api.scatter.invokeExact(handle, from, n, type, to, n, type, root);
        });
  }

  @Override
  protected void gatherBlocks(MemorySegment send, MemorySegment receive, long bytes) {
    inBlocks(
        "allGather",
        send,
        receive,
        bytes,
        (from, to, n, type) -> {
          api.allGather.invokeExact(handle, from, n, type, to, n, type);
        });
  }

  @Override
  protected void gatherBlocks(
      MemorySegment send, MemorySegment receive, int[] counts, int[] displacements) {
    var from = (Object) buffer(send);
    var to = (Object) buffer(receive);
    int bytes = (int) send.byteSize();
    call(
        "allGatherVariable",
        () -> {
          api.allGatherVariable.invokeExact(
              handle, from, bytes, api.bytes, to, counts, displacements, api.bytes);
        });
  }

  @Override
  protected void exchangeBlocks(MemorySegment send, MemorySegment receive, long bytes) {
    inBlocks(
        "allToAll",
        send,
        receive,
        bytes,
        (from, to, n, type) -> {
          api.allToAll.invokeExact(handle, from, n, type, to, n, type);
        });
  }

  @Override
  protected void reducePart(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    var from = (Object) buffer(send);
    var to = (Object) buffer(receive);
    int count = (int) (send.byteSize() / kind.bytes());
    var type = api.typeOf(kind);
    var operation = api.operationOf(op);
    call(
        "allReduce",
        () -> {
          api.allReduce.invokeExact(handle, from, to, count, type, operation);
        });
  }

  @Override
  protected void scanPart(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    var from = (Object) buffer(send);
    var to = (Object) buffer(receive);
    int count = (int) (send.byteSize() / kind.bytes());
    var type = api.typeOf(kind);
    var operation = api.operationOf(op);
    call(
        "exclusiveScan",
        () -> {
          api.exclusiveScan.invokeExact(handle, from, to, count, type, operation);
        });
  }

  @Override
  protected void sendNative(MemorySegment buffer, int destination, int tag) {
    var from = (Object) buffer(buffer);
    try (var bytes = JarByteCount.of(buffer.byteSize(), this)) {
      call(
          "send",
          () -> {
            api.send.invokeExact(handle, from, bytes.count(), bytes.type(), destination, tag);
          });
    }
  }

  @Override
  protected Received receiveNative(MemorySegment buffer, int source, int tag) {
    var to = (Object) buffer(buffer);
    int from = jarSource(source);
    try (var bytes = JarByteCount.of(buffer.byteSize(), this)) {
      return answer(
          "receive",
          () ->
              received(
                  (Object)
                      api.receive.invokeExact(handle, to, bytes.count(), bytes.type(), from, tag)));
    }
  }

  @Override
  protected Message beginSend(MemorySegment buffer, int destination, int tag) {
    var from = (Buffer) buffer(buffer);
    try (var bytes = JarByteCount.of(buffer.byteSize(), this)) {
      var request =
          answer(
              "sendLater",
              () ->
                  (Object)
                      api.sendLater.invokeExact(
                          handle, from, bytes.count(), bytes.type(), destination, tag));
      // The status of a send is undefined.
      var sent = new Received(rank(), tag, buffer.byteSize());
      return new LibraryMessage("sendLater", request, Optional.of(sent));
    }
  }

  @Override
  protected Message beginReceive(MemorySegment buffer, int source, int tag) {
    var to = (Buffer) buffer(buffer);
    int from = jarSource(source);
    try (var bytes = JarByteCount.of(buffer.byteSize(), this)) {
      var request =
          answer(
              "receiveLater",
              () ->
                  (Object)
                      api.receiveLater.invokeExact(
                          handle, to, bytes.count(), bytes.type(), from, tag));
      return new LibraryMessage("receiveLater", request, Optional.empty());
    }
  }

  private int jarSource(int source) {
    return source == ANY_SOURCE ? api.anySource : source;
  }

  private Received received(Object status) throws Throwable {
    return new Received(api.source(status), api.tag(status), api.bytes(status));
  }

  private final class LibraryMessage implements Message {
    private final String operation;
    private final Object request;
    private final Optional<Received> sent;

    private LibraryMessage(String operation, Object request, Optional<Received> sent) {
      this.operation = operation;
      this.request = request;
      this.sent = sent;
    }

    @Override
    public Optional<Received> test() {
      return answer(
          operation,
          () -> {
            var status = Optional.ofNullable((Object) api.test.invokeExact(request));
            return status.isEmpty() ? Optional.empty() : Optional.of(resultOf(status.get()));
          });
    }

    @Override
    public Received await() {
      return answer(operation, () -> resultOf((Object) api.await.invokeExact(request)));
    }

    private Received resultOf(Object status) throws Throwable {
      return sent.isPresent() ? sent.get() : received(status);
    }
  }

  @Override
  protected CheckedCommunicator splitInto(int color, int key, String childName) {
    return child(
        answer("split", () -> (Object) api.split.invokeExact(handle, color, key)), childName);
  }

  @Override
  protected CheckedCommunicator copyOfThis(String childName) {
    return child(answer("duplicate", () -> (Object) api.duplicate.invokeExact(handle)), childName);
  }

  /**
   * Wraps a communicator that the library has created. If it has a single rank, it is replaced by a
   * communicator of the local back end, which any thread may use.
   */
  private CheckedCommunicator child(Object made, String childName) {
    var place = Place.in(api, failures, made, childName);
    var child = new OpenMpiCommunicator(made, place, childName, this);
    if (child.size() > 1) {
      return child;
    }
    child.close();
    return LocalWorld.alone(childName, this::abortWorld);
  }

  @Override
  protected MpiFile attach(PositionalFile file, OpenMode mode, Map<String, String> hints) {
    return OpenMpiFile.open(this, file, mode, hints);
  }

  @Override
  protected void abortLibrary(int code) {
    call(
        "abort",
        () -> {
          api.abort.invokeExact(handle, code);
        });
  }

  // This communicator may be closed before its child, so the child aborts the job through the world
  // communicator.
  private void abortWorld(int code) {
    if (!ended().get()) {
      call(
          "abort",
          () -> {
            api.abort.invokeExact(api.world, code);
          });
    }
  }

  @Override
  protected void freeLibrary() {
    call(
        "close",
        () -> {
          api.free.invokeExact(handle);
        });
  }
}
