package io.skerry.mpi.internal.base;

import io.skerry.mpi.CallMismatchException;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.CallOrder.Call.Kind;
import io.skerry.mpi.ElementKind;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Received;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.Request;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.file.PositionalFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Checks the thread and every argument, then passes the call to the back end. The abstract methods
 * can rely on valid ranks, tags and layouts, and on sufficiently large buffers.
 */
// Longer than other classes, since it has one check for each call of the interface.
public abstract class CheckedCommunicator extends ScalarCommunicator {
  private final int rank;
  private final int size;
  private final RankSet rankSet;
  private final String name;
  private final BufferChecks buffers;
  private final Thread owner = Thread.currentThread();
  private final AtomicInteger children = new AtomicInteger();

  /** The number of handles to the call order that are in use, plus 1 while this is open. */
  private final AtomicInteger uses = new AtomicInteger(1);

  private final WaitingActions waitingActions = new WaitingActions();
  private final AtomicBoolean ended;
  private volatile boolean closed;

  /** True while the communicator may be used although it is closed. */
  private boolean beginning;

  /**
   * Creates a communicator that the calling thread may use.
   *
   * @param rank the rank of the calling process or thread
   * @param rankSet the set of all ranks
   * @param name the name, for error messages
   * @param ended a flag that becomes true when MPI ends, shared by the communicators of a job
   */
  protected CheckedCommunicator(int rank, RankSet rankSet, String name, AtomicBoolean ended) {
    this.rank = rank;
    this.size = rankSet.size();
    this.rankSet = rankSet;
    this.name = name;
    this.ended = ended;
    this.buffers = new BufferChecks(rank, size);
  }

  /**
   * Compares the calls that the ranks begin, as specified by {@link CallOrder#begin}. Called only
   * if there are several ranks.
   *
   * @param call the call of this rank
   * @param patience the time limit for waiting for other ranks
   * @param words the words of the call
   * @return the maximum of each word over the ranks
   */
  protected abstract long[] beginTogether(CallOrder.Call call, WaitLimit patience, long... words);

  protected abstract void broadcastFrom(int root, MemorySegment buffer);

  protected abstract void gatherAt(int root, MemorySegment send, MemorySegment receive);

  /**
   * Gathers with point-to-point messages; back ends with a better implementation override this
   * method.
   */
  protected void gatherAt(int root, MemorySegment send, MemorySegment receive, BlockLayout layout) {
    new MessageExchange(this, "gatherVariable").gather(root, send, receive, layout);
  }

  protected abstract void scatterFrom(int root, MemorySegment send, MemorySegment receive);

  /**
   * Scatters with point-to-point messages; back ends with a better implementation override this
   * method.
   */
  protected void scatterFrom(
      int root, MemorySegment send, BlockLayout layout, MemorySegment receive) {
    new MessageExchange(this, "scatterVariable").scatter(root, send, layout, receive);
  }

  protected abstract void gatherAll(MemorySegment send, MemorySegment receive);

  protected abstract void gatherAll(MemorySegment send, MemorySegment receive, BlockLayout layout);

  protected abstract void exchange(MemorySegment send, MemorySegment receive);

  /**
   * Exchanges blocks with point-to-point messages; back ends with a better implementation override
   * this method.
   */
  protected void exchange(
      MemorySegment send, BlockLayout outgoing, MemorySegment receive, BlockLayout incoming) {
    new MessageExchange(this, "allToAllVariable").allToAll(send, outgoing, receive, incoming);
  }

  protected abstract void reduce(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op);

  /**
   * Computes the exclusive scan. The {@code receive} buffer of rank 0 is already zero and must be
   * zero afterwards.
   */
  protected abstract void scan(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op);

  protected abstract void sendNow(MemorySegment buffer, int destination, int tag);

  protected abstract Received receiveNow(MemorySegment buffer, int source, int tag);

  protected abstract Request startSend(MemorySegment buffer, int destination, int tag);

  protected abstract Request startReceive(MemorySegment buffer, int source, int tag);

  protected abstract CheckedCommunicator splitInto(int color, int key, String childName);

  protected abstract CheckedCommunicator copyOfThis(String childName);

  /** Creates a collective file from the positional files that all ranks have opened. Collective. */
  protected abstract MpiFile attach(PositionalFile file, OpenMode mode, Map<String, String> hints);

  protected abstract void abortJob(int code);

  /**
   * Frees the communicator. Not called if it is {@link #permanent}; otherwise called at most once.
   */
  protected abstract void free();

  /** Returns whether {@link #close} has no effect, as on the world communicator. */
  protected abstract boolean permanent();

  /**
   * Returns whether any thread may make collective calls, one at a time, since there are no other
   * ranks.
   */
  protected abstract boolean openToThreads();

  @Override
  public final int rank() {
    return rank;
  }

  @Override
  public final int size() {
    return size;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final RankSet rankSet() {
    return rankSet;
  }

  /** Returns the actions that this rank runs while it waits for others in the call order. */
  protected final WaitingActions waitingActions() {
    return waitingActions;
  }

  /** Returns a new exception for a failure on this rank, without an MPI error code. */
  public final MpiException failure(String operation, MpiErrorClass errorClass, String text) {
    return new MpiException(operation, errorClass, 0, text, name, rank);
  }

  /** Returns the flag that is true after MPI has ended. */
  protected final AtomicBoolean ended() {
    return ended;
  }

  /**
   * Records that MPI is ending. From then on, the communicators of the job reject all calls instead
   * of calling the MPI library.
   */
  public final void markEnded() {
    ended.set(true);
  }

  /**
   * Checks, at the start of every call on the communicator and every collective call on its files,
   * that the calling thread may make the call, that MPI has not ended and that the communicator is
   * open.
   *
   * @param operation the name of the call, for error messages
   * @throws IllegalStateException if the communicator belongs to another thread or is closed, or if
   *     MPI has ended
   */
  @Override
  public final void enter(String operation) {
    if (!openToThreads()) {
      requireOwner(operation);
    }
    requireRunning(operation);
    if (closed && !beginning) {
      throw new IllegalStateException(
          "%s on a closed communicator: communicator=%s".formatted(operation, name));
    }
  }

  /** Returns whether the calling thread created this communicator. */
  protected final boolean isOwner() {
    return Thread.currentThread().equals(owner);
  }

  private void requireRunning(String operation) {
    if (ended.get()) {
      throw new IllegalStateException(
          "%s after the end of MPI: communicator=%s".formatted(operation, name));
    }
  }

  private void requireOwner(String operation) {
    if (!isOwner()) {
      throw new IllegalStateException(
          "%s on a communicator of another thread: thread=%s owner=%s communicator=%s"
              .formatted(operation, Thread.currentThread().getName(), owner.getName(), name));
    }
  }

  @Override
  public final void barrier() {
    enter("barrier");
    if (size > 1) {
      try {
        beginTogether(CallOrder.Call.of("barrier", "", name), WaitLimit.UNLIMITED);
      } catch (CallMismatchException e) {
        MpiException failure = failure("barrier", MpiErrorClass.MISMATCH, e.text());
        failure.initCause(e);
        throw failure;
      }
    }
  }

  @Override
  public final CallOrder callOrder() {
    enter("callOrder");
    // An invalid limit causes an exception here, before the call order is counted as in use.
    Order order = new Order(this, WaitLimit.ofProperty());
    uses.incrementAndGet();
    return order;
  }

  /** A handle to the call order. The communicator is not freed while a handle is in use. */
  private static final class Order implements CallOrder {
    private final CheckedCommunicator communicator;
    private final WaitLimit patience;
    private volatile boolean released;

    Order(CheckedCommunicator communicator, WaitLimit patience) {
      this.communicator = communicator;
      this.patience = patience;
    }

    @Override
    public long[] begin(CallOrder.Call call, long... words) {
      requireHeld("begin");
      return communicator.begin(call, patience, words);
    }

    @Override
    public long[] agree(CallOrder.Call call, long... words) {
      requireHeld("agree");
      return communicator.begin(call.inside(), WaitLimit.UNLIMITED, words);
    }

    @Override
    public void addWaitingAction(BooleanSupplier action) {
      requireHeld("addWaitingAction");
      communicator.waitingActions.add(action);
    }

    @Override
    public void removeWaitingAction(BooleanSupplier action) {
      communicator.waitingActions.remove(action);
    }

    @Override
    public boolean runWaitingActions() {
      return communicator.waitingActions.run();
    }

    @Override
    public synchronized CallOrder another() {
      requireHeld("another");
      communicator.uses.incrementAndGet();
      return new Order(communicator, patience);
    }

    @Override
    public synchronized void close() {
      if (released) {
        return;
      }
      boolean last = communicator.leave("close");
      released = true;
      if (last) {
        communicator.end();
      }
    }

    private void requireHeld(String operation) {
      if (released) {
        throw new IllegalStateException(
            "%s with a call order that is closed: communicator=%s"
                .formatted(operation, communicator.name));
      }
    }
  }

  private long[] begin(CallOrder.Call call, WaitLimit patience, long... words) {
    if (size == 1) {
      return words.clone();
    }
    requireOwner("begin");
    requireRunning("begin");
    // A file of a higher layer may outlive the communicator. While this flag is set, the
    // comparison of calls may use a communicator that has been closed.
    boolean outer = beginning;
    beginning = true;
    try {
      WaitLimit limit = call.kind() == Kind.LEAVING ? WaitLimit.UNLIMITED : patience;
      return beginTogether(call, limit, words);
    } finally {
      beginning = outer;
    }
  }

  /**
   * Ends one use of the communicator, and returns whether it was the last one, in which case the
   * caller must free the communicator.
   *
   * @throws IllegalStateException if it is the last use and the communicator belongs to another
   *     thread; the use has then not ended
   */
  private boolean leave(String operation) {
    while (true) {
      int count = uses.get();
      if (count == 1 && !openToThreads() && !ended.get()) {
        requireOwner(operation);
      }
      if (uses.compareAndSet(count, count - 1)) {
        return count == 1;
      }
    }
  }

  @Override
  public final void broadcast(MemorySegment buffer, int root) {
    enterRooted("broadcast", root);
    if (rank == root) {
      BufferChecks.requireReadable("broadcast", buffer);
    } else {
      BufferChecks.requireWritable("broadcast", buffer);
    }
    broadcastFrom(root, buffer);
  }

  @Override
  public final void gather(MemorySegment send, MemorySegment receive, int root) {
    enterRooted("gather", root);
    if (rank == root) {
      buffers.requireBlocks("gather", send, receive);
      BufferChecks.requirePair("gather", send, receive);
    } else {
      BufferChecks.requireReadable("gather", send);
    }
    gatherAt(root, send, receive);
  }

  @Override
  public final void gatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements, int root) {
    enterRooted("gatherVariable", root);
    if (rank != root) {
      BufferChecks.requireReadable("gatherVariable", send);
      gatherAt(root, send, MemorySegment.NULL, BlockLayout.NONE);
      return;
    }
    var layout = BlockLayout.checked("gatherVariable", size, receive, counts, displacements);
    buffers.requireOwn("gatherVariable", send, layout);
    BufferChecks.requirePair("gatherVariable", send, receive);
    gatherAt(root, send, receive, layout);
  }

  @Override
  public final void scatter(MemorySegment send, MemorySegment receive, int root) {
    enterRooted("scatter", root);
    if (rank == root) {
      buffers.requireBlocks("scatter", receive, send);
      BufferChecks.requirePair("scatter", send, receive);
    } else {
      BufferChecks.requireWritable("scatter", receive);
    }
    scatterFrom(root, send, receive);
  }

  @Override
  public final void scatterVariable(
      MemorySegment send, long[] counts, long[] displacements, MemorySegment receive, int root) {
    enterRooted("scatterVariable", root);
    if (rank != root) {
      BufferChecks.requireWritable("scatterVariable", receive);
      scatterFrom(root, MemorySegment.NULL, BlockLayout.NONE, receive);
      return;
    }
    var layout = BlockLayout.checked("scatterVariable", size, send, counts, displacements);
    buffers.requireOwn("scatterVariable", receive, layout);
    BufferChecks.requirePair("scatterVariable", send, receive);
    scatterFrom(root, send, layout, receive);
  }

  @Override
  public final void allGather(MemorySegment send, MemorySegment receive) {
    enter("allGather");
    buffers.requireBlocks("allGather", send, receive);
    BufferChecks.requirePair("allGather", send, receive);
    gatherAll(send, receive);
  }

  @Override
  public final void allGatherVariable(
      MemorySegment send, MemorySegment receive, long[] counts, long[] displacements) {
    enter("allGatherVariable");
    var layout = BlockLayout.checked("allGatherVariable", size, receive, counts, displacements);
    buffers.requireOwn("allGatherVariable", send, layout);
    BufferChecks.requirePair("allGatherVariable", send, receive);
    gatherAll(send, receive, layout);
  }

  @Override
  public final void allToAll(MemorySegment send, MemorySegment receive) {
    enter("allToAll");
    BufferChecks.requireEqual("allToAll", send, receive);
    if (send.byteSize() % size != 0) {
      throw new IllegalArgumentException(
          "allToAll needs equal blocks: bytes=%d size=%d".formatted(send.byteSize(), size));
    }
    BufferChecks.requirePair("allToAll", send, receive);
    exchange(send, receive);
  }

  @Override
  public final void allToAllVariable(
      MemorySegment send,
      long[] sendCounts,
      long[] sendDisplacements,
      MemorySegment receive,
      long[] receiveCounts,
      long[] receiveDisplacements) {
    enter("allToAllVariable");
    var outgoing =
        BlockLayout.checked("allToAllVariable", size, send, sendCounts, sendDisplacements);
    var incoming =
        BlockLayout.checked("allToAllVariable", size, receive, receiveCounts, receiveDisplacements);
    if (outgoing.count(rank) != incoming.count(rank)) {
      throw new IllegalArgumentException(
          "allToAllVariable: what this rank sends itself differs: sent=%d expected=%d"
              .formatted(outgoing.count(rank), incoming.count(rank)));
    }
    BufferChecks.requirePair("allToAllVariable", send, receive);
    exchange(send, outgoing, receive, incoming);
  }

  @Override
  public final void allReduce(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    enter("allReduce");
    BufferChecks.requireElements("allReduce", send, receive, kind, op);
    reduce(send, receive, kind, op);
  }

  @Override
  public final void exclusiveScan(
      MemorySegment send, MemorySegment receive, ElementKind kind, Reduction op) {
    enter("exclusiveScan");
    BufferChecks.requireElements("exclusiveScan", send, receive, kind, op);
    if (rank == 0) {
      receive.fill((byte) 0);
    }
    scan(send, receive, kind, op);
  }

  @Override
  public final void send(MemorySegment buffer, int destination, int tag) {
    enterMessage("send", destination, tag);
    BufferChecks.requireReadable("send", buffer);
    sendNow(buffer, destination, tag);
  }

  @Override
  public final Received receive(MemorySegment buffer, int source, int tag) {
    enterMessage("receive", source == ANY_SOURCE ? 0 : source, tag);
    BufferChecks.requireWritable("receive", buffer);
    return receiveNow(buffer, source, tag);
  }

  @Override
  public final Request sendLater(MemorySegment buffer, int destination, int tag) {
    enterMessage("sendLater", destination, tag);
    BufferChecks.requireReadable("sendLater", buffer);
    return startSend(buffer, destination, tag);
  }

  @Override
  public final Request receiveLater(MemorySegment buffer, int source, int tag) {
    enterMessage("receiveLater", source == ANY_SOURCE ? 0 : source, tag);
    BufferChecks.requireWritable("receiveLater", buffer);
    return startReceive(buffer, source, tag);
  }

  @Override
  public final CheckedCommunicator split(int color, int key) {
    enter("split");
    // All ranks reject the call together: a rank that left the call alone would number its next
    // child communicator differently from the other ranks, and communicators are compared by name.
    // A single rank skips the reduction, because another thread may be using the reduction buffers.
    boolean refused = size() > 1 && allReduce(color < 0 ? 1 : 0, Reduction.MAX) > 0;
    if (color < 0) {
      throw new IllegalArgumentException("a color must not be negative: color=" + color);
    }
    if (refused) {
      throw failure("split", MpiErrorClass.MISMATCH, "another rank passed a negative color");
    }
    return splitInto(
        color, key, "%s/split%d.%d".formatted(name, color, children.getAndIncrement()));
  }

  @Override
  public final CheckedCommunicator duplicate() {
    enter("duplicate");
    return copyOfThis("%s/duplicate.%d".formatted(name, children.getAndIncrement()));
  }

  @Override
  public final MpiFile openFile(Path path, OpenMode mode, Map<String, String> hints) {
    enter("openFile");
    // A null among the hints is refused here, before a file is created or truncated.
    Map<String, String> known = FileHints.with(hints);
    return attach(PositionalFile.openTogether(this, path, mode), mode, known);
  }

  @Override
  public final void abort(int code) {
    enter("abort");
    abortJob(code);
  }

  @Override
  public final void close() {
    if (permanent() || closed || ended.get()) {
      return;
    }
    enter("close");
    closed = true;
    if (leave("close")) {
      end();
    }
  }

  private void end() {
    if (ended.get()) {
      return;
    }
    // The back end may first have to complete messages on this communicator, which is closed.
    boolean outer = beginning;
    beginning = true;
    try {
      free();
    } finally {
      beginning = outer;
    }
  }

  private void enterRooted(String operation, int root) {
    enter(operation);
    requireRank(operation, "root", root);
  }

  private void enterMessage(String operation, int peer, int tag) {
    requireOwner(operation);
    enter(operation);
    requireRank(operation, "peer", peer);
    if (tag < 0 || tag > MAX_TAG) {
      throw new IllegalArgumentException(
          "%s: the tag must lie within 0 and %d: tag=%d".formatted(operation, MAX_TAG, tag));
    }
  }

  private void requireRank(String operation, String role, int other) {
    if (other < 0 || other >= size) {
      throw new IllegalArgumentException(
          "%s: no such rank: %s=%d size=%d communicator=%s"
              .formatted(operation, role, other, size, name));
    }
  }
}
