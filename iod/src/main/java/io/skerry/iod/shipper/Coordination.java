package io.skerry.iod.shipper;

import io.skerry.iod.engine.Container;
import io.skerry.iod.shipper.option.Patience;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.shipper.wire.Message;
import io.skerry.iod.transaction.Answer;
import io.skerry.iod.transaction.Leader;
import io.skerry.iod.transaction.LeaderOptions;
import io.skerry.iod.transaction.Link;
import io.skerry.iod.transaction.Order;
import io.skerry.iod.transaction.Participant;
import io.skerry.iod.transaction.Reply;
import io.skerry.iod.transaction.Request;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * The transaction coordination on one I/O rank: the participant, the leader on I/O rank 0, and the
 * routing of their messages. Not thread-safe.
 *
 * <pre>
 * request   client c ──► I/O rank c mod N ──► I/O rank 0
 * reply     client c ◄── I/O rank c mod N ◄── I/O rank 0
 * order                  I/O rank i       ◄── I/O rank 0
 * answer                 I/O rank i       ──► I/O rank 0
 * </pre>
 *
 * <p>A message of a rank to itself is queued, because the leader must not be called while it sends.
 */
final class Coordination {
  private static final long TICK_NANOS = 50_000_000;

  /** Delivers replies to a client of this rank, and reports failures of this rank. */
  interface Surroundings {
    /** Delivers a reply to the client of this rank. */
    void replied(Reply reply);

    /** Notes that an I/O rank has failed: its storage, or it does not answer. */
    void failed(int rank, String cause);
  }

  private final Placement placement;
  private final Postbox postbox;
  private final Surroundings surroundings;
  private final int number;
  private final Participant participant;
  private final Optional<Leader> leader;
  private final Queue<Runnable> queue = new ArrayDeque<>();
  private final Patience patience;
  private long lastTick = System.nanoTime();

  /** A purge that is executed part by part between messages. */
  private Optional<Order.Purge> purge = Optional.empty();

  Coordination(
      Placement placement,
      ShipperOptions options,
      Container container,
      Postbox postbox,
      Patience patience,
      Surroundings surroundings) {
    this.placement = placement;
    this.postbox = postbox;
    this.surroundings = surroundings;
    this.number = placement.serverOf(postbox.rank()).orElseThrow();
    this.participant = new Participant(container, options.conflicts(), this::answer);
    LeaderOptions leading =
        new LeaderOptions(
            placement.ioRanks(),
            placement.clients(),
            options.durability(),
            patience.nanos(),
            // Larger than any session number of an earlier leader: session numbers grow more slowly
            // than time.
            Math.multiplyExact(System.currentTimeMillis(), 1_000_000L));
    this.leader =
        number == 0
            ? Optional.of(new Leader(container, leading, new ShippedLink()))
            : Optional.empty();
    this.patience = patience;
    // The leader measures response times from the last tick before an order, so it needs a first
    // tick.
    leader.ifPresent(to -> {
      var unused = to.tick(lastTick);
    });
  }

  /** Sends the messages of the leader. */
  private final class ShippedLink implements Link {
    @Override
    public void send(int process, Order order) {
      if (process == number) {
        queue.add(() -> execute(order));
      } else {
        postbox.send(placement.rankOfServer(process), new Message.Ordering(order));
      }
    }

    @Override
    public void reply(int client, Reply reply) {
      queue.add(() -> route(new Message.Replying(client, reply)));
    }
  }

  private void answer(Answer answer) {
    if (answer instanceof Answer.StorageFailed failed) {
      surroundings.failed(postbox.rank(), failed.cause());
    }
    if (number == 0) {
      queue.add(() -> receive(number, answer));
    } else {
      postbox.send(placement.rankOfServer(0), new Message.Answering(answer));
    }
  }

  private void toLeader(Consumer<Leader> action) {
    action.accept(leader.orElseThrow());
  }

  Participant participant() {
    return participant;
  }

  /** Asks the leader for a session. */
  void join() {
    participant.join();
    deliver();
  }

  /** Returns whether this rank has been recovered, and on I/O rank 0 whether all have been. */
  boolean isOpen() {
    return leader.map(Leader::isOpen).orElse(participant.session() != 0);
  }

  /** Returns the number of the newest readable transaction; on I/O rank 0 only. */
  long readable() {
    return leader.orElseThrow().readable();
  }

  /** Passes a request on to the leader. */
  void ask(Request request) {
    if (number == 0) {
      toLeader(to -> to.receive(request));
      deliver();
    } else {
      postbox.send(placement.rankOfServer(0), new Message.Asking(request));
    }
  }

  /** Passes a reply on to its client. */
  void route(Message.Replying replying) {
    int rank = placement.rankOfClient(replying.client());
    int control = placement.rankOfServer(placement.controlOf(replying.client()));
    if (rank == postbox.rank()) {
      surroundings.replied(replying.reply());
    } else {
      postbox.send(control == postbox.rank() ? rank : control, replying);
    }
  }

  /** Executes an order of the leader. */
  void ordered(Order order) {
    execute(order);
    deliver();
  }

  private void execute(Order order) {
    if (order instanceof Order.Purge next) {
      // A new purge covers everything that the previous one would remove.
      purge = Optional.of(next);
      purgePart();
    } else {
      participant.receive(order);
    }
  }

  private void purgePart() {
    purge = purge.filter(order -> !participant.purgePart(order));
  }

  /** Completes a purge. */
  void completePurge() {
    while (purge.isPresent()) {
      purgePart();
    }
    deliver();
  }

  /** Passes an answer of a participant to the leader on this rank. */
  void answered(int process, Answer answer) {
    receive(process, answer);
    deliver();
  }

  private void receive(int process, Answer answer) {
    toLeader(to -> to.receive(process, answer));
  }

  /** Notes on I/O rank 0 that a client has left or is lost. */
  void clientLost(int client) {
    toLeader(to -> to.clientLost(client));
    deliver();
  }

  /** Notes the time, and executes a part of a purge. */
  void tick() {
    if (purge.isPresent()) {
      purgePart();
      deliver();
    }
    long now = System.nanoTime();
    if (leader.isEmpty() || now - lastTick <= TICK_NANOS) {
      return;
    }
    lastTick = now;
    long session = leader.get().session();
    List<Integer> silent = leader.get().tick(now).stream().map(placement::rankOfServer).toList();
    if (leader.get().session() != session) {
      surroundings.failed(
          silent.getFirst(),
          "no answer to an order of the leader within " + patience.text() + ": ranks=" + silent);
    }
    deliver();
  }

  private void deliver() {
    for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
      next.run();
    }
  }
}
