package io.skerry.mpi.openmpi;

import static io.skerry.mpi.openmpi.NativeStand.buffer;

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
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * A communicator of Open MPI's jar. As in the foreign-function back end, whose counts are {@code
 * int} too, more bytes become one element of a long datatype or several calls, and sizes that
 * differ by rank become messages.
 */
final class OpenMpiCommunicator extends CheckedCommunicator {
  /** What one call of a split transfer carries. */
  private static final long STEP = 1L << 30;

  private final OpenMpiApi api;
  private final JarFailures failures;
  private final Object handle;
  private final boolean permanent;

  private OpenMpiCommunicator(
      OpenMpiApi api,
      JarFailures failures,
      Object handle,
      int rank,
      int size,
      String name,
      boolean permanent) {
    super(rank, size, name);
    this.api = api;
    this.failures = failures;
    this.handle = handle;
    this.permanent = permanent;
  }

  /** The world of a library that has been initialised. */
  static OpenMpiCommunicator world(OpenMpiApi api, JarFailures failures) {
    return of(api, failures, api.world, "world", true);
  }

  private static OpenMpiCommunicator of(
      OpenMpiApi api, JarFailures failures, Object handle, String name, boolean permanent) {
    try {
      api.returnErrors.invokeExact(handle, api.classes.constant("mpi.MPI", "ERRORS_RETURN"));
      int rank = (int) api.rank.invokeExact(handle);
      int size = (int) api.size.invokeExact(handle);
      return new OpenMpiCommunicator(api, failures, handle, rank, size, name, permanent);
    } catch (Throwable t) {
      throw failures.of(t, "start", name, -1);
    }
  }

  OpenMpiApi api() {
    return api;
  }

  Object handle() {
    return handle;
  }

  /** Calls the jar; what that throws becomes ours. */
  void call(String operation, JarCall call) {
    try {
      call.run();
    } catch (Throwable t) {
      throw exception(t, operation);
    }
  }

  /** The same with an answer. */
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
  protected void synchronise() {
    call(
        "barrier",
        () -> {
          api.barrier.invokeExact(handle);
        });
  }

  @Override
  protected void broadcastFrom(int root, MemorySegment buffer) {
    try (var stand = new NativeStand()) {
      var whole = stand.incoming(buffer);
      long done = 0;
      do {
        int bytes = (int) Math.min(STEP, whole.byteSize() - done);
        var part = (Object) buffer(whole.asSlice(done, bytes));
        call(
            "broadcast",
            () -> {
              api.broadcast.invokeExact(handle, part, bytes, api.bytes, root);
            });
        done += bytes;
      } while (done < whole.byteSize());
      stand.deliver();
    }
  }

  /** What the calls with equal blocks get: where from, how many, of what type, where to. */
  @FunctionalInterface
  private interface Blocks {
    void move(Object from, int count, Object type, Object to) throws Throwable;
  }

  private void inBlocks(
      String operation, MemorySegment send, MemorySegment receive, long block, Blocks blocks) {
    try (var stand = new NativeStand();
        var bytes = ByteCount.of(block, this)) {
      var from = buffer(stand.outgoing(send));
      var to = buffer(stand.incoming(receive));
      call(operation, () -> blocks.move(from, bytes.count(), bytes.type(), to));
      stand.deliver();
    }
  }

  @Override
  protected void gatherAt(int root, MemorySegment send, MemorySegment receive) {
    inBlocks(
        "gather",
        send,
        receive,
        send.byteSize(),
        (from, n, type, to) -> {
          api.gather.invokeExact(handle, from, n, type, to, n, type, root);
        });
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
    inBlocks(
        "scatter",
        send,
        receive,
        receive.byteSize(),
        (from, n, type, to) -> {
          api.scatter.invokeExact(handle, from, n, type, to, n, type, root);
        });
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
    inBlocks(
        "allGather",
        send,
        receive,
        send.byteSize(),
        (from, n, type, to) -> {
          api.allGather.invokeExact(handle, from, n, type, to, n, type);
        });
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
    int[] counts = ints(layout.counts());
    int[] displacements = ints(layout.displacements());
    try (var stand = new NativeStand()) {
      var from = (Object) buffer(stand.outgoing(send));
      var to = (Object) buffer(stand.incoming(receive));
      int bytes = (int) send.byteSize();
      call(
          "allGatherVariable",
          () -> {
            api.allGatherVariable.invokeExact(
                handle, from, bytes, api.bytes, to, counts, displacements, api.bytes);
          });
      stand.deliver();
    }
  }

  private static int[] ints(long[] values) {
    return Arrays.stream(values).mapToInt(Math::toIntExact).toArray();
  }

  @Override
  protected void exchange(MemorySegment send, MemorySegment receive) {
    inBlocks(
        "allToAll",
        send,
        receive,
        send.byteSize() / size(),
        (from, n, type, to) -> {
          api.allToAll.invokeExact(handle, from, n, type, to, n, type);
        });
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
    var type = api.typeOf(kind);
    var operation = api.operationOf(op);
    inSteps(
        send,
        receive,
        (from, to) -> {
          int count = (int) (from.byteSize() / kind.bytes());
          var source = (Object) buffer(from);
          var target = (Object) buffer(to);
          call(
              "allReduce",
              () -> {
                api.allReduce.invokeExact(handle, source, target, count, type, operation);
              });
        });
  }

  @Override
  protected void scan(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    var type = api.typeOf(kind);
    var operation = api.operationOf(op);
    inSteps(
        send,
        receive,
        (from, to) -> {
          int count = (int) (from.byteSize() / kind.bytes());
          var source = (Object) buffer(from);
          var target = (Object) buffer(to);
          call(
              "exclusiveScan",
              () -> {
                api.exclusiveScan.invokeExact(handle, source, target, count, type, operation);
              });
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
    try (var stand = new NativeStand()) {
      var from = stand.outgoing(send);
      var to = stand.incoming(receive);
      long done = 0;
      do {
        long bytes = Math.min(STEP, from.byteSize() - done);
        step.accept(from.asSlice(done, bytes), to.asSlice(done, bytes));
        done += bytes;
      } while (done < from.byteSize());
      stand.deliver();
    }
  }

  @Override
  protected void sendNow(MemorySegment buffer, int destination, int tag) {
    try (var stand = new NativeStand();
        var bytes = ByteCount.of(buffer.byteSize(), this)) {
      var from = (Object) buffer(stand.outgoing(buffer));
      call(
          "send",
          () -> {
            api.send.invokeExact(handle, from, bytes.count(), bytes.type(), destination, tag);
          });
    }
  }

  @Override
  protected Received receiveNow(MemorySegment buffer, int source, int tag) {
    try (var stand = new NativeStand();
        var bytes = ByteCount.of(buffer.byteSize(), this)) {
      var to = (Object) buffer(stand.incoming(buffer));
      int from = jarSource(source);
      var received =
          answer(
              "receive",
              () ->
                  received(
                      (Object)
                          api.receive.invokeExact(
                              handle, to, bytes.count(), bytes.type(), from, tag)));
      stand.deliver();
      return received;
    }
  }

  @Override
  protected Request startSend(MemorySegment buffer, int destination, int tag) {
    var stand = new NativeStand();
    var from = buffer(stand.outgoing(buffer));
    try (var bytes = ByteCount.of(buffer.byteSize(), this)) {
      var request =
          answer(
              "sendLater",
              () ->
                  (Object)
                      api.sendLater.invokeExact(
                          handle, (Buffer) from, bytes.count(), bytes.type(), destination, tag));
      var sent = Optional.of(new Received(rank(), tag, buffer.byteSize()));
      return new OpenMpiRequest(this, "sendLater", request, from, stand, sent);
    }
  }

  @Override
  protected Request startReceive(MemorySegment buffer, int source, int tag) {
    var stand = new NativeStand();
    ByteBuffer to = buffer(stand.incoming(buffer));
    int from = jarSource(source);
    try (var bytes = ByteCount.of(buffer.byteSize(), this)) {
      var request =
          answer(
              "receiveLater",
              () ->
                  (Object)
                      api.receiveLater.invokeExact(
                          handle, (Buffer) to, bytes.count(), bytes.type(), from, tag));
      return new OpenMpiRequest(this, "receiveLater", request, to, stand, Optional.empty());
    }
  }

  private int jarSource(int source) {
    return source == ANY_SOURCE ? api.anySource : source;
  }

  /** What a status says. */
  Received received(Object status) throws Throwable {
    return new Received(api.source(status), api.tag(status), api.bytes(status));
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

  /** What the library has just made. A rank alone needs no library, and any thread may use it. */
  private CheckedCommunicator child(Object made, String childName) {
    var child = of(api, failures, made, childName, false);
    if (child.size() > 1) {
      return child;
    }
    child.close();
    return LocalWorld.alone(childName);
  }

  @Override
  protected MpiFile attach(PositionalFile file, OpenMode mode, Map<String, String> hints) {
    return OpenMpiFile.open(this, file, mode, hints);
  }

  @Override
  protected void abortJob(int code) {
    call(
        "abort",
        () -> {
          api.abort.invokeExact(handle, code);
        });
    throw failure("abort", MpiErrorClass.ABORTED, "MPI_Abort returned");
  }

  @Override
  protected void free() {
    call(
        "close",
        () -> {
          api.free.invokeExact(handle);
        });
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
