package io.skerry.mpi.internal.local;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.skerry.mpi.CallMismatchException;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.CallOrder.Call.Kind;
import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.Received;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.Request;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.base.BlockLayout;
import io.skerry.mpi.internal.base.CallVector;
import io.skerry.mpi.internal.base.CheckedCommunicator;
import io.skerry.mpi.internal.base.Reducer;
import io.skerry.mpi.internal.base.WaitLimit;
import io.skerry.mpi.internal.file.PositionalFile;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The communicator object of one rank of a group. Every collective call has three steps: copy the
 * data of this rank, wait until the required ranks have arrived, and copy their data to this rank.
 */
final class LocalCommunicator extends CheckedCommunicator {
  /** Name of the operation by which ranks compare the calls that they begin. */
  static final String BEGIN = "begin";

  private static final MemorySegment[] NOTHING = {};

  private final LocalGroup group;
  private final boolean permanent;
  private long sequence;
  private long calls;
  private Optional<CallMismatchException> ended = Optional.empty();

  /**
   * A wait for other ranks: the name of the call, the text that describes this rank in error
   * messages, and the time limit.
   */
  private record Waiting(String operation, Supplier<String> position, WaitLimit patience) {}

  LocalCommunicator(LocalGroup group, int rank, boolean permanent) {
    // No MPI library is used, so calls remain possible after the end of MPI.
    super(rank, group.rankSet(), group.name(), new AtomicBoolean());
    this.group = group;
    this.permanent = permanent;
  }

  int worldRank() {
    return group.worldRank(rank());
  }

  RankScheduler scheduler() {
    return group.scheduler();
  }

  boolean serveOthers() {
    return waitingActions().run();
  }

  /**
   * Joins a collective call. Returns when {@code needed} holds, that is, when all ranks whose data
   * this rank needs have arrived.
   */
  CollectiveRound meet(
      CallSignature signature, Predicate<CollectiveRound> needed, MemorySegment... parts) {
    String operation = signature.operation();
    var waiting =
        new Waiting(
            operation,
            () -> "waits in %s of %s for other ranks".formatted(operation, name()),
            WaitLimit.UNLIMITED);
    return meet(signature, waiting, needed, parts);
  }

  private CollectiveRound meet(
      CallSignature signature,
      Waiting waiting,
      Predicate<CollectiveRound> needed,
      MemorySegment... parts) {
    String operation = waiting.operation();
    if (size() == 1) {
      return meetAlone(signature, parts);
    }
    scheduler().point(this, operation);
    long number = sequence++;
    CollectiveRound round;
    synchronized (scheduler()) {
      round = group.round(number, signature, rank());
      var difference = round.join(rank(), signature, parts);
      if (difference.isPresent()) {
        scheduler().poison(MpiErrorClass.MISMATCH, difference.get(), true);
        scheduler().refuseIfPoisoned(this, operation);
      }
    }
    if (signature.operation().equals(BEGIN) && !waitingActions().isEmpty()) {
      new ServingWait(this, group, round).run(waiting.patience());
    }
    synchronized (scheduler()) {
      scheduler()
          .await(this, operation, waiting.position(), waiting.patience(), () -> needed.test(round));
      if (round.leave()) {
        group.forget(number);
      }
      return round;
    }
  }

  /**
   * Makes a collective call on a communicator of one rank, which waits for no other rank. The
   * scheduler is involved only if the calling thread is the rank's own thread.
   */
  private CollectiveRound meetAlone(CallSignature signature, MemorySegment... parts) {
    if (isOwner()) {
      scheduler().point(this, signature.operation());
    }
    var round = new CollectiveRound(signature, 0, 1);
    round.join(0, signature, parts);
    return round;
  }

  private static boolean needsNoRank(CollectiveRound round) {
    return true;
  }

  private void copy(String operation, int from, MemorySegment part, MemorySegment place) {
    if (part.byteSize() != place.byteSize()) {
      throw failure(
          operation,
          MpiErrorClass.MISMATCH,
          "sender and receiver disagree: sent=%d expected=%d sender=%d receiver=%d"
              .formatted(part.byteSize(), place.byteSize(), from, rank()));
    }
    place.copyFrom(part);
  }

  private MemorySegment[] blocks(MemorySegment send, BlockLayout layout) {
    return IntStream.range(0, size())
        .mapToObj(to -> BufferCopy.of(layout.block(send, to)))
        .toArray(MemorySegment[]::new);
  }

  private void copyAll(
      String operation, CollectiveRound round, MemorySegment receive, BlockLayout layout) {
    for (int from = 0; from < size(); from++) {
      copy(operation, from, round.part(from), layout.block(receive, from));
    }
  }

  @Override
  protected long[] beginTogether(CallOrder.Call call, WaitLimit patience, long... words) {
    if (ended.isPresent()) {
      throw ended.get().again();
    }
    if (call.kind() != Kind.INSIDE) {
      calls++;
    }
    String position = CallVector.position(call, calls);
    var text = MemorySegment.ofArray(position.getBytes(StandardCharsets.UTF_8));
    var mine = MemorySegment.ofArray(CallVector.of(call, words));
    var waiting = new Waiting(call.operation(), () -> position, patience);
    var round = meet(CallSignature.of(BEGIN), waiting, CollectiveRound::hasAll, mine, text);
    long[] all = mine.toArray(JAVA_LONG);
    for (int from = 0; from < size(); from++) {
      CallVector.combine(all, round.part(from).toArray(JAVA_LONG));
    }
    if (CallVector.isSame(all)) {
      return CallVector.words(all, words.length);
    }
    var failure = CallVector.mismatch(all, positions(round));
    if (failure.gravest() == Kind.LEAVING) {
      ended = Optional.of(failure);
    }
    throw failure;
  }

  private SortedMap<Integer, String> positions(CollectiveRound round) {
    var positions = new TreeMap<Integer, String>();
    for (int from = 0; from < size(); from++) {
      byte[] text = round.part(from, 1).toArray(JAVA_BYTE);
      positions.put(from, new String(text, StandardCharsets.UTF_8));
    }
    return positions;
  }

  @Override
  protected void broadcastFrom(int root, MemorySegment buffer) {
    var signature = new CallSignature("broadcast", root, buffer.byteSize(), "");
    if (rank() == root) {
      meet(signature, LocalCommunicator::needsNoRank, BufferCopy.of(buffer));
    } else {
      buffer.copyFrom(meet(signature, round -> round.has(root)).part(root));
    }
  }

  @Override
  protected void gatherAt(int root, MemorySegment send, MemorySegment receive) {
    var signature = new CallSignature("gather", root, send.byteSize(), "");
    gatherAt(signature, send, receive, BlockLayout.equal(size(), send.byteSize()));
  }

  @Override
  protected void gatherAt(int root, MemorySegment send, MemorySegment receive, BlockLayout layout) {
    gatherAt(CallSignature.rooted("gatherVariable", root), send, receive, layout);
  }

  private void gatherAt(
      CallSignature signature, MemorySegment send, MemorySegment receive, BlockLayout layout) {
    var own = BufferCopy.of(send);
    if (rank() == signature.root()) {
      copyAll(
          signature.operation(), meet(signature, CollectiveRound::hasAll, own), receive, layout);
    } else {
      meet(signature, LocalCommunicator::needsNoRank, own);
    }
  }

  @Override
  protected void scatterFrom(int root, MemorySegment send, MemorySegment receive) {
    var signature = new CallSignature("scatter", root, receive.byteSize(), "");
    scatterFrom(signature, send, BlockLayout.equal(size(), receive.byteSize()), receive);
  }

  @Override
  protected void scatterFrom(
      int root, MemorySegment send, BlockLayout layout, MemorySegment receive) {
    scatterFrom(CallSignature.rooted("scatterVariable", root), send, layout, receive);
  }

  private void scatterFrom(
      CallSignature signature, MemorySegment send, BlockLayout layout, MemorySegment receive) {
    int root = signature.root();
    var parts = rank() == root ? blocks(send, layout) : NOTHING;
    var round = meet(signature, arrived -> arrived.has(root), parts);
    copy(signature.operation(), root, round.part(root, rank()), receive);
  }

  @Override
  protected void gatherAll(MemorySegment send, MemorySegment receive) {
    var signature = CallSignature.sized("allGather", send.byteSize());
    var round = meet(signature, CollectiveRound::hasAll, BufferCopy.of(send));
    copyAll("allGather", round, receive, BlockLayout.equal(size(), send.byteSize()));
  }

  @Override
  protected void gatherAll(MemorySegment send, MemorySegment receive, BlockLayout layout) {
    var signature =
        new CallSignature(
            "allGatherVariable", -1, -1, "counts=" + Arrays.toString(layout.counts()));
    copyAll(
        "allGatherVariable",
        meet(signature, CollectiveRound::hasAll, BufferCopy.of(send)),
        receive,
        layout);
  }

  @Override
  protected void exchange(MemorySegment send, MemorySegment receive) {
    var layout = BlockLayout.equal(size(), send.byteSize() / size());
    exchange(CallSignature.sized("allToAll", send.byteSize()), send, layout, receive, layout);
  }

  @Override
  protected void exchange(
      MemorySegment send, BlockLayout outgoing, MemorySegment receive, BlockLayout incoming) {
    exchange(CallSignature.of("allToAllVariable"), send, outgoing, receive, incoming);
  }

  private void exchange(
      CallSignature signature,
      MemorySegment send,
      BlockLayout outgoing,
      MemorySegment receive,
      BlockLayout incoming) {
    var round = meet(signature, CollectiveRound::hasAll, blocks(send, outgoing));
    for (int from = 0; from < size(); from++) {
      var part = round.part(from, rank());
      copy(signature.operation(), from, part, incoming.block(receive, from));
    }
  }

  @Override
  protected void reduce(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    var reducer = new Reducer(kind, op);
    var signature = new CallSignature("allReduce", -1, send.byteSize(), reducer.toString());
    combine(
        meet(signature, CollectiveRound::hasAll, BufferCopy.of(send)), reducer, size(), receive);
  }

  @Override
  protected void scan(MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    var reducer = new Reducer(kind, op);
    var signature = new CallSignature("exclusiveScan", -1, send.byteSize(), reducer.toString());
    var round = meet(signature, arrived -> arrived.hasAllBelow(rank()), BufferCopy.of(send));
    combine(round, reducer, rank(), receive);
  }

  private static void combine(
      CollectiveRound round, Reducer reducer, int end, MemorySegment receive) {
    if (end > 0) {
      receive.copyFrom(round.part(0));
    }
    for (int from = 1; from < end; from++) {
      reducer.combine(receive, round.part(from));
    }
  }

  @Override
  protected void sendNow(MemorySegment buffer, int destination, int tag) {
    deliver("send", buffer, destination, tag).awaitHere("send");
  }

  @Override
  protected Received receiveNow(MemorySegment buffer, int source, int tag) {
    return post("receive", buffer, source, tag).awaitHere("receive");
  }

  @Override
  protected Request startSend(MemorySegment buffer, int destination, int tag) {
    return deliver("sendLater", buffer, destination, tag);
  }

  @Override
  protected Request startReceive(MemorySegment buffer, int source, int tag) {
    return post("receiveLater", buffer, source, tag);
  }

  private LocalRequest deliver(String operation, MemorySegment buffer, int destination, int tag) {
    long call = scheduler().point(this, operation);
    var message = new Mailbox.Message(rank(), tag, BufferCopy.of(buffer));
    synchronized (scheduler()) {
      group.mailbox(destination).deliver(message);
      scheduler().notifyAll();
    }
    boolean rendezvous = scheduler().decisions().rendezvous(worldRank(), call);
    return LocalRequest.send(this, destination, message, rendezvous);
  }

  private LocalRequest post(String operation, MemorySegment buffer, int source, int tag) {
    long call = scheduler().point(this, operation);
    var posted = new Mailbox.Posted(source, tag);
    synchronized (scheduler()) {
      group
          .mailbox(rank())
          .post(posted, senders -> scheduler().decisions().delivery(worldRank(), call, senders));
      scheduler().notifyAll();
    }
    var from = source == ANY_SOURCE ? "any rank" : "rank " + source;
    return LocalRequest.receive(this, posted, buffer, "tag %d of %s".formatted(tag, from));
  }

  @Override
  protected CheckedCommunicator splitInto(int color, int key, String childName) {
    var own = MemorySegment.ofArray(new int[] {color, key});
    var round = meet(CallSignature.of("split"), CollectiveRound::hasAll, own.asReadOnly());
    int[] members =
        IntStream.range(0, size())
            .filter(other -> round.part(other).getAtIndex(JAVA_INT, 0) == color)
            .boxed()
            .sorted(Comparator.comparingInt(other -> round.part(other).getAtIndex(JAVA_INT, 1)))
            .mapToInt(Integer::intValue)
            .toArray();
    return child(round, color, childName, members);
  }

  @Override
  protected CheckedCommunicator copyOfThis(String childName) {
    var round = meet(CallSignature.of("duplicate"), CollectiveRound::hasAll);
    return child(round, 0, childName, IntStream.range(0, size()).toArray());
  }

  private LocalCommunicator child(CollectiveRound round, int key, String childName, int[] members) {
    int[] worldRanks = Arrays.stream(members).map(group::worldRank).toArray();
    synchronized (scheduler()) {
      var child =
          round.group(
              key,
              () ->
                  new LocalGroup(
                      scheduler(), childName, worldRanks, rankSet().split(worldRanks.length)));
      int own = 0;
      while (members[own] != rank()) {
        own++;
      }
      return new LocalCommunicator(child, own, false);
    }
  }

  @Override
  protected MpiFile attach(PositionalFile file, OpenMode mode, Map<String, String> hints) {
    return new LocalFile(this, file, mode);
  }

  @Override
  protected void abortJob(int code) {
    var text = "rank %d aborted the job with code %d".formatted(worldRank(), code);
    scheduler().abort(code, text);
    throw failure("abort", MpiErrorClass.ABORTED, text);
  }

  @Override
  protected void free() {
    // This communicator has no resources outside the heap.
  }

  @Override
  protected boolean permanent() {
    return permanent;
  }

  @Override
  protected boolean openToThreads() {
    return size() == 1;
  }
}
