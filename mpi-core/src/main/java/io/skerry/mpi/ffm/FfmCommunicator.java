package io.skerry.mpi.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.MpiFile;
import io.skerry.mpi.OpenMode;
import io.skerry.mpi.Received;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.Request;
import io.skerry.mpi.base.CheckedCommunicator;
import io.skerry.mpi.base.Layout;
import io.skerry.mpi.base.MessageExchange;
import io.skerry.mpi.base.PositionalFile;
import io.skerry.mpi.local.LocalWorld;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * A communicator of the MPI library.
 *
 * <p>Counts of MPI functions are {@code int}. Where all ranks give the same size, more bytes become
 * one element of a long datatype ({@link ByteCount}) or several calls. Where sizes differ by rank,
 * {@link MessageExchange} sends messages: whether an {@code MPI_Alltoallv} overflows only its own
 * rank can tell, and agreeing on it in every call would cost more than the library's routine, which
 * sends the same messages, can save.
 */
final class FfmCommunicator extends CheckedCommunicator {
  /** What one call of a split transfer carries. */
  private static final long STEP = 1L << 30;

  private final long handle;
  private final boolean permanent;
  private final Scratch scratch = new Scratch();

  private FfmCommunicator(long handle, int rank, int size, String name, boolean permanent) {
    super(rank, size, name);
    this.handle = handle;
    this.permanent = permanent;
  }

  /** The world of a library that has been initialised. */
  static FfmCommunicator world() {
    return of(Libmpi.ABI.world(), "world", true);
  }

  private static FfmCommunicator of(long handle, String name, boolean permanent) {
    ErrorCode.check(
        SessionCalls.setErrorHandler(handle, Libmpi.ABI.errorsReturn()), "start", name, -1);
    try (var arena = Arena.ofConfined()) {
      var number = arena.allocate(JAVA_INT);
      ErrorCode.check(SessionCalls.rank(handle, number), "rank", name, -1);
      int rank = number.get(JAVA_INT, 0);
      ErrorCode.check(SessionCalls.size(handle, number), "size", name, rank);
      return new FfmCommunicator(handle, rank, number.get(JAVA_INT, 0), name, permanent);
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
  protected void synchronise() {
    check(CollectiveCalls.barrier(handle), "barrier");
  }

  @Override
  protected void broadcastFrom(int root, MemorySegment buffer) {
    try (var staging = new Staging()) {
      var whole = staging.incoming(buffer);
      long done = 0;
      do {
        long bytes = Math.min(STEP, whole.byteSize() - done);
        var part = whole.asSlice(done, bytes);
        check(
            CollectiveCalls.broadcast(part, (int) bytes, Libmpi.ABI.byteType(), root, handle),
            "broadcast");
        done += bytes;
      } while (done < whole.byteSize());
      staging.deliver();
    }
  }

  @Override
  protected void gatherAt(int root, MemorySegment send, MemorySegment receive) {
    try (var staging = new Staging();
        var block = ByteCount.of(send.byteSize(), this)) {
      int n = block.count();
      long type = block.type();
      var from = staging.outgoing(send);
      var to = staging.incoming(receive);
      check(CollectiveCalls.gather(from, n, type, to, n, type, root, handle), "gather");
      staging.deliver();
    }
  }

  @Override
  protected void gatherAt(int root, MemorySegment send, MemorySegment receive, Layout layout) {
    var exchange = new MessageExchange(this, "gatherVariable");
    if (rank() == root) {
      exchange.receiveAll(receive, layout);
      exchange.copyOwn(send, layout.block(receive, root));
    } else {
      exchange.send(send, root);
    }
    exchange.finish();
  }

  @Override
  protected void scatterFrom(int root, MemorySegment send, MemorySegment receive) {
    try (var staging = new Staging();
        var block = ByteCount.of(receive.byteSize(), this)) {
      int n = block.count();
      long type = block.type();
      var from = staging.outgoing(send);
      var to = staging.incoming(receive);
      check(CollectiveCalls.scatter(from, n, type, to, n, type, root, handle), "scatter");
      staging.deliver();
    }
  }

  @Override
  protected void scatterFrom(int root, MemorySegment send, Layout layout, MemorySegment receive) {
    var exchange = new MessageExchange(this, "scatterVariable");
    if (rank() == root) {
      exchange.sendAll(send, layout);
      exchange.copyOwn(layout.block(send, root), receive);
    } else {
      exchange.receive(receive, root);
    }
    exchange.finish();
  }

  @Override
  protected void gatherAll(MemorySegment send, MemorySegment receive) {
    try (var staging = new Staging();
        var block = ByteCount.of(send.byteSize(), this)) {
      int n = block.count();
      long type = block.type();
      var from = staging.outgoing(send);
      var to = staging.incoming(receive);
      check(CollectiveCalls.allGather(from, n, type, to, n, type, handle), "allGather");
      staging.deliver();
    }
  }

  // All ranks know all counts, so all take the same branch.
  @Override
  protected void gatherAll(MemorySegment send, MemorySegment receive, Layout layout) {
    if (layout.total() > Integer.MAX_VALUE) {
      for (int root = 0; root < size(); root++) {
        var block = layout.block(receive, root);
        if (root == rank()) {
          block.copyFrom(send);
        }
        broadcastFrom(root, block);
      }
      return;
    }
    boolean reachable =
        Arrays.stream(layout.displacements()).allMatch(at -> at <= Integer.MAX_VALUE);
    if (reachable) {
      gatherReachable(send, receive, layout);
      return;
    }
    try (var arena = Arena.ofConfined()) {
      var packed = Layout.packed(layout.counts());
      var dense = arena.allocate(layout.total());
      gatherReachable(send, dense, packed);
      for (int from = 0; from < size(); from++) {
        layout.block(receive, from).copyFrom(packed.block(dense, from));
      }
    }
  }

  private void gatherReachable(MemorySegment send, MemorySegment receive, Layout layout) {
    try (var staging = new Staging();
        var arena = Arena.ofConfined()) {
      var counts = arena.allocateFrom(JAVA_INT, ints(layout.counts()));
      var displacements = arena.allocateFrom(JAVA_INT, ints(layout.displacements()));
      check(
          CollectiveCalls.allGatherVariable(
              staging.outgoing(send),
              (int) send.byteSize(),
              Libmpi.ABI.byteType(),
              staging.incoming(receive),
              counts,
              displacements,
              Libmpi.ABI.byteType(),
              handle),
          "allGatherVariable");
      staging.deliver();
    }
  }

  private static int[] ints(long[] values) {
    return Arrays.stream(values).mapToInt(Math::toIntExact).toArray();
  }

  @Override
  protected void exchange(MemorySegment send, MemorySegment receive) {
    try (var staging = new Staging();
        var block = ByteCount.of(send.byteSize() / size(), this)) {
      int n = block.count();
      long type = block.type();
      var from = staging.outgoing(send);
      var to = staging.incoming(receive);
      check(CollectiveCalls.allToAll(from, n, type, to, n, type, handle), "allToAll");
      staging.deliver();
    }
  }

  @Override
  protected void exchange(
      MemorySegment send, Layout outgoing, MemorySegment receive, Layout incoming) {
    var exchange = new MessageExchange(this, "allToAllVariable");
    exchange.receiveAll(receive, incoming);
    exchange.sendAll(send, outgoing);
    exchange.copyOwn(outgoing.block(send, rank()), incoming.block(receive, rank()));
    exchange.finish();
  }

  @Override
  protected void reduce(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    if (needsWidening(kind, op)) {
      WidenedBytes.combine(send, receive, (from, to) -> reduce(from, to, ElementKind.I32, op));
      return;
    }
    long type = Libmpi.ABI.typeOf(kind);
    long operation = Libmpi.ABI.operationOf(op);
    inSteps(
        send,
        receive,
        (from, to) -> {
          int count = (int) (from.byteSize() / kind.bytes());
          check(CollectiveCalls.allReduce(from, to, count, type, operation, handle), "allReduce");
        });
  }

  private static boolean needsWidening(ElementKind kind, Reduction op) {
    return kind == ElementKind.U8
        && (op == Reduction.MIN || op == Reduction.MAX)
        && !Libmpi.ABI.comparesUnsignedBytes();
  }

  @Override
  protected void scan(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    if (needsWidening(kind, op)) {
      WidenedBytes.combine(send, receive, (from, to) -> scan(from, to, ElementKind.I32, op));
      return;
    }
    long type = Libmpi.ABI.typeOf(kind);
    long operation = Libmpi.ABI.operationOf(op);
    inSteps(
        send,
        receive,
        (from, to) -> {
          int count = (int) (from.byteSize() / kind.bytes());
          check(
              CollectiveCalls.exclusiveScan(from, to, count, type, operation, handle),
              "exclusiveScan");
          if (rank() == 0) {
            // MPI leaves this open, and some versions do write here.
            to.fill((byte) 0);
          }
        });
  }

  @FunctionalInterface
  private interface Step {
    void accept(MemorySegment send, MemorySegment receive);
  }

  private static void inSteps(MemorySegment send, MemorySegment receive, Step step) {
    try (var staging = new Staging()) {
      var from = staging.outgoing(send);
      var to = staging.incoming(receive);
      long done = 0;
      do {
        long bytes = Math.min(STEP, from.byteSize() - done);
        step.accept(from.asSlice(done, bytes), to.asSlice(done, bytes));
        done += bytes;
      } while (done < from.byteSize());
      staging.deliver();
    }
  }

  @Override
  protected void sendNow(MemorySegment buffer, int destination, int tag) {
    try (var staging = new Staging();
        var bytes = ByteCount.of(buffer.byteSize(), this)) {
      var from = staging.outgoing(buffer);
      check(MessageCalls.send(from, bytes.count(), bytes.type(), destination, tag, handle), "send");
    }
  }

  @Override
  protected Received receiveNow(MemorySegment buffer, int source, int tag) {
    try (var staging = new Staging();
        var bytes = ByteCount.of(buffer.byteSize(), this)) {
      var to = staging.incoming(buffer);
      check(
          MessageCalls.receive(
              to, bytes.count(), bytes.type(), abiSource(source), tag, handle, scratch.status),
          "receive");
      staging.deliver();
      return lastStatus();
    }
  }

  @Override
  protected Request startSend(MemorySegment buffer, int destination, int tag) {
    var staging = new Staging();
    var from = staging.outgoing(buffer);
    try (var bytes = ByteCount.of(buffer.byteSize(), this)) {
      check(
          MessageCalls.sendLater(
              from, bytes.count(), bytes.type(), destination, tag, handle, scratch.handle),
          "sendLater");
    }
    var sent = Optional.of(new Received(rank(), tag, buffer.byteSize()));
    return new FfmRequest(this, "sendLater", scratch.handle(), from, staging, sent);
  }

  @Override
  protected Request startReceive(MemorySegment buffer, int source, int tag) {
    var staging = new Staging();
    var to = staging.incoming(buffer);
    try (var bytes = ByteCount.of(buffer.byteSize(), this)) {
      check(
          MessageCalls.receiveLater(
              to, bytes.count(), bytes.type(), abiSource(source), tag, handle, scratch.handle),
          "receiveLater");
    }
    return new FfmRequest(this, "receiveLater", scratch.handle(), to, staging, Optional.empty());
  }

  private static int abiSource(int source) {
    return source == ANY_SOURCE ? Libmpi.ABI.anySource() : source;
  }

  /** An answer of {@code MPI_Test}: the request as it is now, its error code once done. */
  record Answer(boolean done, int code, long request) {}

  Answer test(long request) {
    int code = MessageCalls.test(scratch.handle(request), scratch.number, scratch.status);
    boolean done = code != ErrorCode.SUCCESS || scratch.number() != 0;
    return new Answer(done, code, scratch.handle());
  }

  int await(long request) {
    return MessageCalls.await(scratch.handle(request), scratch.status);
  }

  /** What the last receive, test or wait of this communicator has got. */
  Received lastStatus() {
    check(MessageCalls.elements(scratch.status, Libmpi.ABI.byteType(), scratch.number), "receive");
    return new Received(
        Libmpi.ABI.statusSource(scratch.status),
        Libmpi.ABI.statusTag(scratch.status),
        scratch.longNumber());
  }

  @Override
  protected CheckedCommunicator splitInto(int color, int key, String childName) {
    check(SessionCalls.split(handle, color, key, scratch.handle), "split");
    return child(of(scratch.handle(), childName, false));
  }

  @Override
  protected CheckedCommunicator copyOfThis(String childName) {
    check(SessionCalls.duplicate(handle, scratch.handle), "duplicate");
    return child(of(scratch.handle(), childName, false));
  }

  /** What the library has just made. A rank alone needs no library, and any thread may use it. */
  private static CheckedCommunicator child(FfmCommunicator made) {
    if (made.size() > 1) {
      return made;
    }
    made.close();
    return LocalWorld.alone(made.name());
  }

  @Override
  protected MpiFile attach(PositionalFile file, OpenMode mode, Map<String, String> hints) {
    return FfmFile.open(this, file, mode, hints);
  }

  @Override
  protected void abortJob(int code) {
    SessionCalls.abort(handle, code);
    throw failure("abort", MpiErrorClass.ABORTED, "MPI_Abort returned");
  }

  @Override
  protected void free() {
    check(SessionCalls.free(scratch.handle(handle)), "close");
  }

  @Override
  protected boolean permanent() {
    return permanent;
  }

  @Override
  protected boolean openToThreads() {
    return false;
  }
}
