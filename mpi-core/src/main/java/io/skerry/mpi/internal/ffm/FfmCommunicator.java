package io.skerry.mpi.internal.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;

/** A communicator of an MPI library that is called through the foreign function interface. */
final class FfmCommunicator extends LibraryCommunicator {
  private final long handle;
  private final Scratch scratch = new Scratch();

  private FfmCommunicator(long handle, Place place) {
    super(place.rank(), place.size());
    this.handle = handle;
  }

  private FfmCommunicator(long handle, Place place, String name, FfmCommunicator parent) {
    super(place.rank(), place.size(), name, parent);
    this.handle = handle;
  }

  /** Returns the world communicator of an initialized library. */
  static FfmCommunicator world() {
    long handle = Libmpi.ABI.world();
    return new FfmCommunicator(handle, Place.in(handle, "world"));
  }

  /**
   * The rank of this process in a communicator, and the size of the communicator. {@link #in} also
   * makes the library return errors on the communicator instead of aborting the job.
   */
  private record Place(int rank, int size) {
    static Place in(long handle, String name) {
      ErrorCode.check(
          SessionCalls.setErrorHandler(handle, Libmpi.ABI.errorsReturn()), "start", name, -1);
      try (var arena = Arena.ofConfined()) {
        var number = arena.allocate(JAVA_INT);
        ErrorCode.check(SessionCalls.rank(handle, number), "rank", name, -1);
        int rank = number.get(JAVA_INT, 0);
        ErrorCode.check(SessionCalls.size(handle, number), "size", name, rank);
        return new Place(rank, number.get(JAVA_INT, 0));
      }
    }
  }

  long handle() {
    return handle;
  }

  void check(int code, String operation) {
    ErrorCode.check(code, operation, name(), rank());
  }

  MpiException exception(int code, String operation) {
    return ErrorCode.exception(code, operation, name(), rank());
  }

  @Override
  protected void broadcastPart(int root, MemorySegment part) {
    int bytes = (int) part.byteSize();
    check(CollectiveCalls.broadcast(part, bytes, Libmpi.ABI.byteType(), root, handle), "broadcast");
  }

  /**
   * A call that transfers blocks of {@code count} elements of a datatype and returns an error code.
   */
  @FunctionalInterface
  private interface BlockCall {
    int call(int count, long type);
  }

  private void inBlocks(String operation, long bytes, BlockCall call) {
    try (var block = ByteCount.of(bytes, this)) {
      check(call.call(block.count(), block.type()), operation);
    }
  }

  @Override
  protected void gatherBlocks(int root, MemorySegment send, MemorySegment receive, long bytes) {
    inBlocks(
        "gather",
        bytes,
        (n, type) -> CollectiveCalls.gather(send, n, type, receive, n, type, root, handle));
  }

  @Override
  protected void scatterBlocks(int root, MemorySegment send, MemorySegment receive, long bytes) {
    inBlocks(
        "scatter",
        bytes,
        (n, type) -> CollectiveCalls.scatter(send, n, type, receive, n, type, root, handle));
  }

  @Override
  protected void gatherBlocks(MemorySegment send, MemorySegment receive, long bytes) {
    inBlocks(
        "allGather",
        bytes,
        (n, type) -> CollectiveCalls.allGather(send, n, type, receive, n, type, handle));
  }

  @Override
  protected void gatherBlocks(
      MemorySegment send, MemorySegment receive, int[] counts, int[] displacements) {
    try (var arena = Arena.ofConfined()) {
      check(
          CollectiveCalls.allGatherVariable(
              send,
              (int) send.byteSize(),
              Libmpi.ABI.byteType(),
              receive,
              arena.allocateFrom(JAVA_INT, counts),
              arena.allocateFrom(JAVA_INT, displacements),
              Libmpi.ABI.byteType(),
              handle),
          "allGatherVariable");
    }
  }

  @Override
  protected void exchangeBlocks(MemorySegment send, MemorySegment receive, long bytes) {
    inBlocks(
        "allToAll",
        bytes,
        (n, type) -> CollectiveCalls.allToAll(send, n, type, receive, n, type, handle));
  }

  @Override
  protected void reducePart(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    if (needsWidening(kind, op)) {
      WidenedBytes.combine(send, receive, (from, to) -> reducePart(from, to, ElementKind.I32, op));
      return;
    }
    int count = (int) (send.byteSize() / kind.bytes());
    long type = Libmpi.ABI.typeOf(kind);
    long operation = Libmpi.ABI.operationOf(op);
    check(CollectiveCalls.allReduce(send, receive, count, type, operation, handle), "allReduce");
  }

  @Override
  protected void scanPart(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    if (needsWidening(kind, op)) {
      WidenedBytes.combine(send, receive, (from, to) -> scanPart(from, to, ElementKind.I32, op));
      return;
    }
    int count = (int) (send.byteSize() / kind.bytes());
    long type = Libmpi.ABI.typeOf(kind);
    long operation = Libmpi.ABI.operationOf(op);
    check(
        CollectiveCalls.exclusiveScan(send, receive, count, type, operation, handle),
        "exclusiveScan");
  }

  private static boolean needsWidening(ElementKind kind, Reduction op) {
    return kind == ElementKind.U8
        && (op == Reduction.MIN || op == Reduction.MAX)
        && !Libmpi.ABI.comparesUnsignedBytes();
  }

  @Override
  protected void sendNative(MemorySegment buffer, int destination, int tag) {
    inBlocks(
        "send",
        buffer.byteSize(),
        (n, type) -> MessageCalls.send(buffer, n, type, destination, tag, handle));
  }

  @Override
  protected Received receiveNative(MemorySegment buffer, int source, int tag) {
    int from = abiSource(source);
    inBlocks(
        "receive",
        buffer.byteSize(),
        (n, type) -> MessageCalls.receive(buffer, n, type, from, tag, handle, scratch.status));
    return lastStatus();
  }

  @Override
  protected Message beginSend(MemorySegment buffer, int destination, int tag) {
    inBlocks(
        "sendLater",
        buffer.byteSize(),
        (n, type) ->
            MessageCalls.sendLater(buffer, n, type, destination, tag, handle, scratch.handle));
    // The status of a send is undefined.
    var sent = new Received(rank(), tag, buffer.byteSize());
    return new LibraryMessage("sendLater", scratch.handle(), Optional.of(sent));
  }

  @Override
  protected Message beginReceive(MemorySegment buffer, int source, int tag) {
    int from = abiSource(source);
    inBlocks(
        "receiveLater",
        buffer.byteSize(),
        (n, type) -> MessageCalls.receiveLater(buffer, n, type, from, tag, handle, scratch.handle));
    return new LibraryMessage("receiveLater", scratch.handle(), Optional.empty());
  }

  private static int abiSource(int source) {
    return source == ANY_SOURCE ? Libmpi.ABI.anySource() : source;
  }

  /** Returns the status of the last receive, test or wait on this communicator. */
  private Received lastStatus() {
    check(MessageCalls.elements(scratch.status, Libmpi.ABI.byteType(), scratch.number), "receive");
    return new Received(
        Libmpi.ABI.statusSource(scratch.status),
        Libmpi.ABI.statusTag(scratch.status),
        scratch.longNumber());
  }

  /** A request of the library. Its handle changes when the request completes. */
  private final class LibraryMessage implements Message {
    private final String operation;
    private final Optional<Received> sent;
    private long request;

    private LibraryMessage(String operation, long request, Optional<Received> sent) {
      this.operation = operation;
      this.request = request;
      this.sent = sent;
    }

    @Override
    public Optional<Received> test() {
      int code = MessageCalls.test(scratch.handle(request), scratch.number, scratch.status);
      request = scratch.handle();
      check(code, operation);
      return scratch.number() == 0
          ? Optional.empty()
          : Optional.of(sent.orElseGet(FfmCommunicator.this::lastStatus));
    }

    @Override
    public Received await() {
      check(MessageCalls.await(scratch.handle(request), scratch.status), operation);
      return sent.orElseGet(FfmCommunicator.this::lastStatus);
    }
  }

  @Override
  protected CheckedCommunicator splitInto(int color, int key, String childName) {
    check(SessionCalls.split(handle, color, key, scratch.handle), "split");
    return child(scratch.handle(), childName);
  }

  @Override
  protected CheckedCommunicator copyOfThis(String childName) {
    check(SessionCalls.duplicate(handle, scratch.handle), "duplicate");
    return child(scratch.handle(), childName);
  }

  /**
   * Wraps a communicator that the library has created. If it has a single rank, it is replaced by a
   * communicator of the local back end, which any thread may use.
   */
  private CheckedCommunicator child(long made, String childName) {
    var child = new FfmCommunicator(made, Place.in(made, childName), childName, this);
    if (child.size() > 1) {
      return child;
    }
    child.close();
    return LocalWorld.alone(childName, this::abortWorld);
  }

  // This communicator may be closed before its child, so the child aborts the job through the world
  // communicator.
  private void abortWorld(int code) {
    if (!ended().get()) {
      SessionCalls.abort(Libmpi.ABI.world(), code);
    }
  }

  @Override
  protected MpiFile attach(PositionalFile file, OpenMode mode, Map<String, String> hints) {
    return FfmFile.open(this, file, mode, hints);
  }

  @Override
  protected void abortLibrary(int code) {
    SessionCalls.abort(handle, code);
  }

  @Override
  protected void freeLibrary() {
    check(SessionCalls.free(scratch.handle(handle)), "close");
  }
}
