package io.skerry.iod.shipper;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.object.PlaceNames;
import io.skerry.iod.shipper.option.Patience;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.Protocol;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.shipper.wire.Call;
import io.skerry.iod.shipper.wire.Failure;
import io.skerry.iod.shipper.wire.Frame;
import io.skerry.iod.shipper.wire.Message;
import io.skerry.iod.transaction.Reply;
import io.skerry.iod.transaction.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The server on an I/O rank: executes the calls of clients in order per client, and replies. All
 * work is done by the thread of the rank, within {@link #received} and {@link #progress}.
 *
 * <p>If the storage or this class fails, the rank notifies all other ranks of the failure, executes
 * no further calls, and receives the messages that clients still send until all have left. Not
 * thread-safe.
 */
final class Server {
  private final Placement placement;
  private final Postbox postbox;
  private final Patience patience;
  private final long heldLimit;
  private final int number;
  private final Storage storage;
  private final Optional<Coordination> coordination;
  private final Inbox inbox;
  private final Consumer<Failure> onFailure;
  private final Attendance attendance;
  private Optional<Failure> failure = Optional.empty();
  private long sending;
  private long mostSending;
  private boolean isStopped;

  /**
   * Creates the server of an I/O rank.
   *
   * @param onReply delivers replies to the client of this rank
   * @param onFailure notes a failure for the client of this rank
   */
  Server(
      Placement placement,
      ShipperOptions options,
      Container container,
      Postbox postbox,
      Patience patience,
      Consumer<Reply> onReply,
      Consumer<Failure> onFailure) {
    this.placement = placement;
    this.postbox = postbox;
    this.patience = patience;
    this.heldLimit = options.heldBytes();
    this.number = placement.serverOf(postbox.rank()).orElseThrow();
    this.onFailure = onFailure;
    this.attendance = new Attendance(placement, patience);
    this.inbox = new Inbox(postbox, placement, options.heldBytes());
    this.coordination =
        options.protocol() == Protocol.DIRECT
            ? Optional.empty()
            : Optional.of(
                new Coordination(
                    placement,
                    options,
                    container,
                    postbox,
                    patience,
                    new Coordination.Surroundings() {
                      @Override
                      public void replied(Reply reply) {
                        onReply.accept(reply);
                      }

                      @Override
                      public void failed(int rank, String cause) {
                        breakDown(new ShipperException(rank, cause));
                      }
                    }));
    this.storage = new Storage(container, coordination.map(Coordination::participant));
  }

  /** Joins the transactions. */
  void join() {
    guarded(() -> coordination.ifPresent(Coordination::join));
  }

  /** Returns whether requests are executed. */
  boolean isOpen() {
    return coordination.map(Coordination::isOpen).orElse(true);
  }

  /** Returns the failure of an I/O rank; empty if none has failed. */
  Optional<Failure> failure() {
    return failure;
  }

  /** Returns whether all clients have left. */
  boolean isStopped() {
    return isStopped;
  }

  /** Returns the largest number of bytes of bulk data held for clients at the same time. */
  long mostHeld() {
    return Math.max(inbox.mostHeld(), mostSending);
  }

  /**
   * Executes a call of the client of this rank at once.
   *
   * @param memory allocates the memory of values that are read
   * @throws RuntimeException if the call is refused or fails
   */
  Outcome call(int client, Call call, MemorySegment payload, SegmentAllocator memory) {
    requireWorking();
    try {
      return storage.execute(client, call, payload, memory);
    } catch (EngineException e) {
      breakDownIfFatal(e);
      throw e;
    }
  }

  /** Passes on a request of the client of this rank. */
  void ask(Request request) {
    requireWorking();
    guarded(() -> coordination().ask(request));
  }

  private void requireWorking() {
    failure.ifPresent(known -> {
      throw Failures.rank(known);
    });
  }

  private Coordination coordination() {
    return coordination.orElseThrow(
        () -> new IllegalStateException("request on transactions: protocol=" + Protocol.DIRECT));
  }

  /** Handles a message. */
  void received(int source, Frame frame) {
    guarded(() -> dispatch(source, frame));
  }

  private void dispatch(int source, Frame frame) {
    switch (frame.message()) {
      case Message.Leaving leaving -> left(leaving.client());
      case Message.Losing losing -> lost(losing.client());
      case Message.Stopping _ -> stop();
      case Message.RankFailed failed -> failure = failure.or(() -> Optional.of(failed.failure()));
      case Message.Calling calling -> called(client(source), calling.id(), calling.call(), frame);
      case Message other -> {
        // Ignored after a failure of an I/O rank, of which all clients have been notified.
        if (failure.isEmpty()) {
          coordinate(source, other);
        }
      }
    }
  }

  private int client(int source) {
    return placement
        .clientOf(source)
        .orElseThrow(
            () -> new IllegalStateException("a rank that is no client calls: rank=" + source));
  }

  private void coordinate(int source, Message message) {
    switch (message) {
      case Message.Asking asking -> coordination().ask(asking.request());
      case Message.Replying replying -> coordination().route(replying);
      case Message.Ordering ordering -> coordination().ordered(ordering.order());
      case Message.Answering answering ->
          coordination().answered(placement.serverOf(source).orElseThrow(), answering.answer());
      default ->
          throw new IllegalStateException(
              "unexpected message: source=" + source + " message=" + message);
    }
  }

  private void called(int client, long id, Call call, Frame frame) {
    if (attendance.isLost(client)) {
      return;
    }
    if (frame.isBulk()) {
      inbox.announce(client, id, call, frame.payloadChecksum(), frame.payloadSize());
    } else if (inbox.hasCalls(client) || !mayExecute(call)) {
      inbox.add(client, id, call, frame.payloadChecksum(), frame.inline());
    } else {
      execute(client, id, call, frame.inline(), frame.payloadChecksum());
    }
  }

  /** Returns whether a call may be executed while values read by earlier calls are being sent. */
  private boolean mayExecute(Call call) {
    return sending < heldLimit || !(call instanceof Call.Get || call instanceof Call.Scan);
  }

  private void execute(int client, long id, Call call, MemorySegment payload, long checksum) {
    if (failure.isPresent()) {
      return;
    }
    int rank = placement.rankOfClient(client);
    Arena memory = Arena.ofConfined();
    Outcome outcome;
    try {
      check(call, payload, checksum);
      outcome = storage.execute(client, call, payload, memory);
    } catch (RuntimeException e) {
      // Every failure is passed on: the client waits for an answer.
      memory.close();
      breakDownIfFatal(e);
      postbox.send(rank, new Message.Failing(id, Failures.of(postbox.rank(), e)));
      return;
    }
    MemorySegment result = outcome.payload(memory);
    long size = result.byteSize();
    sending += size;
    mostSending = Math.max(mostSending, sending);
    postbox.send(
        rank,
        new Message.Returning(id, outcome.result()),
        result,
        Postbox.Bulk.TO_CLIENT,
        () -> {
          sending -= size;
          memory.close();
        });
  }

  /** Checks the bulk data of a call. An error message names the place of the value. */
  private void check(Call call, MemorySegment payload, long checksum) {
    try {
      postbox.check(payload, checksum);
    } catch (FormatException e) {
      String object =
          call instanceof Call.Put put
              ? PlaceNames.of(put.place())
              : call.getClass().getSimpleName();
      throw e.inObject(object).inFile(storage.location());
    }
  }

  private void breakDownIfFatal(RuntimeException e) {
    if (e instanceof EngineException engine) {
      switch (engine.fault()) {
        case INPUT_OUTPUT, READ_ONLY, UNAVAILABLE -> breakDown(e);
        // The storage can still be used: the client aborts its transaction or reads other data.
        case NO_SPACE, DAMAGED -> {}
      }
    }
  }

  /** Executes the calls whose data has arrived, and notes the time. */
  void progress() {
    guarded(() -> {
      for (int client : inbox.clients()) {
        executeReady(client);
      }
      for (int client : inbox.overdue(patience)) {
        lose(
            client,
            new ShipperException(
                placement.rankOfClient(client),
                "announced data has not arrived within " + patience.text()));
      }
      if (failure.isEmpty()) {
        coordination.ifPresent(Coordination::tick);
      }
      if (!isStopped && failure.isEmpty()) {
        attendance.requireFollowers();
      }
    });
  }

  private void executeReady(int client) {
    while (inbox.isReady(client) && mayExecute(inbox.first(client).call())) {
      Inbox.Item item = inbox.first(client);
      execute(client, item.id(), item.call(), item.payload(), item.checksum());
      inbox.remove(client);
    }
  }

  /** Handles a message that was damaged in transit. */
  void damaged(int source, FormatException damage) {
    if (placement.clientOf(source).isPresent() && placement.serverOf(source).isEmpty()) {
      guarded(() -> lose(client(source), damage));
    } else {
      breakDown(damage);
    }
  }

  /** Gives up a client. Its later messages have no effect. */
  private void lose(int client, RuntimeException cause) {
    if (!attendance.lost(client)) {
      return;
    }
    inbox.forget(client);
    postbox.send(
        placement.rankOfClient(client), new Message.GivenUp(Failures.of(postbox.rank(), cause)));
    if (number == 0) {
      abandon(client);
    } else {
      postbox.send(placement.rankOfServer(0), new Message.Losing(client));
    }
  }

  private void lost(int client) {
    var unused = attendance.lost(client);
    inbox.forget(client);
    abandon(client);
  }

  private void abandon(int client) {
    if (failure.isEmpty()) {
      coordination.ifPresent(transactions -> transactions.clientLost(client));
    }
  }

  /** Handles the departure of the client of this rank. */
  void leave(int client) {
    guarded(() -> left(client));
  }

  private void left(int client) {
    if (number != 0) {
      postbox.send(placement.rankOfServer(0), new Message.Leaving(client));
      return;
    }
    boolean isLast = attendance.left(client);
    abandon(client);
    if (isLast) {
      for (int other = 1; other < placement.ioRanks(); other++) {
        postbox.send(placement.rankOfServer(other), new Message.Stopping());
      }
      stop();
    }
  }

  /** Notifies the clients of this I/O rank that all clients have left. */
  private void stop() {
    isStopped = true;
    for (int client = number; client < placement.clients(); client += placement.ioRanks()) {
      int rank = placement.rankOfClient(client);
      if (placement.serverOf(rank).isEmpty()) {
        postbox.send(rank, new Message.Stopping());
      }
    }
  }

  private void guarded(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      // Every failure is reported: the clients would wait for a rank that does not answer.
      breakDown(e);
    }
  }

  /** Notifies all ranks that this rank has failed. */
  void breakDown(Throwable cause) {
    if (failure.isPresent()) {
      return;
    }
    Failure known = Failures.of(postbox.rank(), cause);
    failure = Optional.of(known);
    for (int rank = 0; rank < placement.ranks(); rank++) {
      if (rank != postbox.rank()) {
        postbox.send(rank, new Message.RankFailed(known));
      }
    }
    onFailure.accept(known);
  }

  /** Closes the container. A failure is kept: the other ranks still wait for this one. */
  void close() {
    try {
      coordination.ifPresent(Coordination::completePurge);
      storage.close();
    } catch (RuntimeException e) {
      failure = failure.or(() -> Optional.of(Failures.of(postbox.rank(), e)));
    }
  }
}
