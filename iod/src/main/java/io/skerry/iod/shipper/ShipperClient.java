package io.skerry.iod.shipper;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Place;
import io.skerry.iod.shipper.option.Patience;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.Protocol;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.shipper.wire.Call;
import io.skerry.iod.shipper.wire.EditList;
import io.skerry.iod.shipper.wire.Failure;
import io.skerry.iod.shipper.wire.Message;
import io.skerry.iod.shipper.wire.Position;
import io.skerry.iod.transaction.ReadContext;
import io.skerry.iod.transaction.Reply;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.TransactionClient;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * The client of a compute rank: sends calls to the owners of shards and requests to the leader.
 *
 * <p>Methods that return a {@link Pending} do not wait; calls that do not fit into the window wait
 * in a queue of this client. All methods are local and may be called only by the thread of the
 * rank: a call from another thread throws an {@link IllegalStateException}. Operations advance only
 * while the rank is inside a method of its shipper. After the failure of an I/O rank, all
 * operations fail with a {@link ShipperException} that names the rank and the cause.
 */
public final class ShipperClient {
  private final Placement placement;
  private final ShipperOptions options;
  private final Postbox postbox;
  private final BooleanSupplier progress;
  private final Optional<Server> server;
  private final EngineLocation location;
  private final ContainerInfo info;
  private final int number;
  private final Lanes lanes;
  private final Waiting waiting;
  private final Asks asks;
  private final StartedChanges changes = new StartedChanges();
  private final Thread thread = Thread.currentThread();
  private Optional<Failure> failure = Optional.empty();
  private boolean isReported;
  private boolean isClosed;
  private long nextRequest;

  ShipperClient(
      Placement placement,
      ShipperOptions options,
      Postbox postbox,
      BooleanSupplier progress,
      Patience patience,
      Optional<Server> server,
      EngineLocation location,
      ContainerInfo info) {
    this.placement = placement;
    this.options = options;
    this.postbox = postbox;
    this.progress = progress;
    this.server = server;
    this.location = location;
    this.info = info;
    this.number = placement.clientOf(postbox.rank()).orElseThrow();
    this.lanes = new Lanes(this, postbox, options);
    this.asks = new Asks(this::sendRequest);
    this.waiting = new Waiting(postbox, lanes, asks, patience.longer(), this::advance, this::fail);
  }

  /** Returns the number of this client, 0 to the number of compute ranks - 1. Does not fail. */
  public int number() {
    return number;
  }

  /** Returns the number of clients of the container. Does not fail. */
  public int clients() {
    return placement.clients();
  }

  /** Returns the location of the container. Does not fail. */
  public EngineLocation location() {
    return location;
  }

  /** Returns the properties of the container. Does not fail. */
  public ContainerInfo info() {
    return info;
  }

  /** Returns the statistics of this rank. Does not fail. */
  public ShipperStatistics statistics() {
    return new ShipperStatistics(
        postbox.messages(),
        postbox.bytes(),
        lanes.mostSent(),
        lanes.mostBytes(),
        server.map(Server::mostHeld).orElse(0L));
  }

  /**
   * Returns the container for calls to the engine. Its shards can be changed with {@link
   * Protocol#DIRECT} only; reads see every version that has been written. Closing it does not close
   * the shipper.
   */
  public Container container() {
    return new RemoteContainer(this, RemoteContainer.View.direct());
  }

  /**
   * Returns the container for reads in a context. Reads at the transaction of the context, or a
   * lower one, see readable transactions only.
   */
  public Container at(ReadContext context) {
    return new RemoteContainer(this, RemoteContainer.View.reading(context));
  }

  /**
   * Returns the container for changes in a transaction. {@link io.skerry.iod.engine.Shard#change}
   * accepts the number of the ticket; {@link Changes#prepare} waits until all changes are
   * acknowledged, and the transaction ends with {@link Request.Finish}. {@link Changes#close}
   * without a preparation aborts the whole transaction.
   */
  public Container changing(Ticket ticket) {
    return new RemoteContainer(this, RemoteContainer.View.changing(ticket));
  }

  /**
   * Returns the requests on transactions. They wait for their replies, and throw a {@link
   * ShipperException} if an I/O rank has failed or does not answer within the patience.
   */
  public TransactionClient transactions() {
    return new TransactionClient(number, request -> ask(request).await());
  }

  /** Returns a new scope for operations. */
  public AsyncScope scope() {
    return new AsyncScope();
  }

  /**
   * Starts to store a value in a transaction.
   *
   * @param shard the number of the shard
   * @param value the value, which must not change until {@link Pending#isMemoryFree}; it is sent
   *     from this memory
   * @return the operation, which ends when the owner of the shard has the value
   * @throws IllegalArgumentException if the value or the number of the shard is too large
   */
  public Pending<Boolean> put(Ticket ticket, int shard, Place place, MemorySegment value) {
    return put(new Position(ticket.session(), ticket.number()), shard, place, value);
  }

  Pending<Boolean> put(Position at, int shard, Place place, MemorySegment value) {
    requireSize(value.byteSize());
    Pending<Boolean> pending =
        call(
            owner(shard),
            new Call.Put(shard, at, place),
            value,
            outcome -> outcome.nothing().equals(Outcome.done()),
            Pending.HEAP);
    return changes.add(at, pending);
  }

  private static void requireSize(long size) {
    if (size > Changes.LARGEST_VALUE) {
      throw new IllegalArgumentException(
          "size of a value: expected=at most " + Changes.LARGEST_VALUE + " actual=" + size);
    }
  }

  /**
   * Starts to store or remove a small value. The method copies the value before it returns. Small
   * changes are collected in batches; another call to the same I/O rank, or a wait, sends them.
   *
   * @param value the value; empty for a removal
   * @return the operation, which several changes may share
   */
  Pending<?> edit(Position at, int shard, Place place, Optional<MemorySegment> value) {
    int rank = owner(shard);
    requireUsable();
    long size = EditList.size(place, value);
    // The key of a removal may be longer than a batch.
    if (rank == postbox.rank() || size > options.inlineBytes()) {
      Call call = new Call.Edit(shard, at);
      EditList one = new EditList(MemorySegment.ofArray(new byte[(int) size]));
      one.add(place, value);
      return changes.add(at, call(rank, call, one.payload(), Function.identity(), Pending.HEAP));
    }
    return changes.add(at, lanes.to(rank).edit(shard, at, place, value));
  }

  /** Returns whether a change is small enough for a batch. */
  boolean isSmall(Place place, Optional<MemorySegment> value) {
    return EditList.size(place, value) <= options.inlineBytes() / 2;
  }

  /**
   * Starts to read a value.
   *
   * @param shard the number of the shard
   * @param memory allocates the memory into which the value is received
   * @return the operation, whose result is empty if there is no value
   */
  public Pending<Optional<MemorySegment>> get(
      ReadContext context, int shard, Place place, SegmentAllocator memory) {
    Position at = new Position(context.session(), context.transaction());
    return call(
        owner(shard), new Call.Get(shard, at, place), MemorySegment.NULL, Outcome::value, memory);
  }

  /**
   * Starts a request to the leader.
   *
   * @param request creates the request with a given identifier; its client is {@link #number}
   * @return the operation; it fails with a {@link io.skerry.iod.transaction.TransactionException}
   *     if the request is refused, and a finish also fails with the failure of a change in the
   *     transaction
   */
  public Pending<Reply> ask(LongFunction<Request> request) {
    requireUsable();
    Request asked = request.apply(nextRequest++);
    String what = asked.getClass().getSimpleName();
    int rank = placement.rankOfServer(placement.controlOf(number));
    Pending<Reply> pending =
        new Pending<>(
            this,
            rank,
            what,
            outcome -> {
              throw new IllegalStateException("a request has an outcome: " + outcome);
            },
            Pending.HEAP);
    lanes.seal();
    asks.add(pending, asked, changes.takeBefore(asked));
    return pending;
  }

  private void sendRequest(Request request) {
    int rank = placement.rankOfServer(placement.controlOf(number));
    if (rank == postbox.rank()) {
      server.orElseThrow().ask(request);
    } else {
      postbox.send(rank, new Message.Asking(request));
    }
  }

  /** Starts a call. */
  <T> Pending<T> call(
      int rank,
      Call call,
      MemorySegment payload,
      Function<Outcome, T> reader,
      SegmentAllocator memory) {
    requireUsable();
    Pending<T> pending = new Pending<>(this, rank, call.getClass().getSimpleName(), reader, memory);
    if (rank == postbox.rank()) {
      try {
        pending.complete(server.orElseThrow().call(number, call, payload, memory));
      } catch (RuntimeException e) {
        // The caller of the operation receives the exception.
        pending.fail(e);
      }
    } else {
      lanes.to(rank).add(pending, call, payload);
    }
    return pending;
  }

  /** Executes a call that has no payload, and returns its result. */
  <T> T execute(int rank, Call call, Function<Outcome, T> reader) {
    return call(rank, call, MemorySegment.NULL, reader, Pending.HEAP).await();
  }

  /** Returns the rank that owns a shard. */
  int owner(int shard) {
    if (shard < 0 || shard >= info.shards()) {
      throw new IllegalArgumentException(
          "shard: expected=0 to " + (info.shards() - 1) + " actual=" + shard);
    }
    return placement.rankOfServer(placement.ownerOf(shard));
  }

  int serverRank(int server) {
    return placement.rankOfServer(server);
  }

  int servers() {
    return placement.ioRanks();
  }

  private void requireUsable() {
    if (!Thread.currentThread().equals(thread)) {
      throw new IllegalStateException(
          "a container is used by the thread of its rank: expected=%s actual=%s"
              .formatted(thread.getName(), Thread.currentThread().getName()));
    }
    if (isClosed) {
      throw new IllegalStateException("the container is closed: location=" + location);
    }
    failure.ifPresent(known -> {
      isReported = true;
      throw Failures.rank(known);
    });
  }

  /**
   * Advances operations, and serves other ranks if this is an I/O rank. Does not wait.
   *
   * @throws io.skerry.mpi.MpiException if the transport fails
   */
  public void progress() {
    lanes.seal();
    var unused = advance();
  }

  private boolean advance() {
    lanes.pump();
    asks.pump();
    boolean any = progress.getAsBoolean();
    asks.pump();
    return any;
  }

  /** Waits until an operation has ended. */
  void await(Pending<?> pending) {
    awaitUntil(pending, () -> pending.isDone() && pending.isMemoryFree());
    if (failure.isPresent() && pending.failure().isPresent()) {
      isReported = true;
    }
  }

  /** Waits until a condition on an operation holds. */
  void awaitUntil(Pending<?> pending, BooleanSupplier condition) {
    if (!condition.getAsBoolean()) {
      lanes.seal();
      try {
        waiting.until(pending, condition);
      } catch (ShipperException.HoldsMemory e) {
        isReported |= failure.isPresent(); // The exception contains it.
        throw e;
      }
    }
  }

  boolean withdraw(Pending<?> pending) {
    return asks.withdraw(pending) || lanes.withdraw(pending);
  }

  /** Handles a reply of the leader. */
  void replied(Reply reply) {
    asks.replied(reply);
  }

  /** Returns the operation whose result has arrived; empty if it was given up. */
  Optional<Pending<?>> take(int rank, long id) {
    return lanes.to(rank).take(id);
  }

  /** Ends all operations, including those started later, with a failure. */
  void fail(Failure known) {
    if (failure.isEmpty()) {
      failure = Optional.of(known);
      lanes.fail(Failures.rank(known));
      asks.fail(Failures.rank(known));
    }
  }

  /** Returns the failure, unless an operation has reported it. */
  Optional<Failure> unreported() {
    return failure.filter(_ -> !isReported);
  }

  boolean hasFailed() {
    return failure.isPresent();
  }

  /** Waits for all calls and requests, ignoring their failures, and accepts no more. */
  void close() {
    while (failure.isEmpty()) {
      lanes.seal();
      Optional<Pending<?>> open = lanes.anyOpen().or(asks::anyOpen);
      if (open.isEmpty()) {
        break;
      }
      awaitUntil(open.get(), open.get()::isDone);
    }
    isClosed = true;
  }
}
