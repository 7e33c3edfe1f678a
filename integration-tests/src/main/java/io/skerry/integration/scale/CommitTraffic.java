package io.skerry.integration.scale;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Snapshots;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.wire.Message;
import io.skerry.iod.transaction.Answer;
import io.skerry.iod.transaction.Conflicts;
import io.skerry.iod.transaction.Leader;
import io.skerry.iod.transaction.LeaderOptions;
import io.skerry.iod.transaction.Link;
import io.skerry.iod.transaction.Order;
import io.skerry.iod.transaction.Participant;
import io.skerry.iod.transaction.Reply;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.TransactionClient;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongFunction;

/**
 * Commits one transaction with a leader and with a participant on each I/O rank, and counts their
 * messages. The participants serve no shards, so nothing is stored. The client that flushes is
 * client 0, whose requests go to I/O rank 0. Not thread-safe.
 */
final class CommitTraffic {
  private final List<IoRankLoad> ioRanks;
  private final IoRankLoad leading = new IoRankLoad();
  private final Queue<Runnable> messages = new ArrayDeque<>();
  private final List<Participant> participants = new ArrayList<>();
  private final TransactionClient requests = new TransactionClient(0, this::ask);
  private final Leader leader;
  private boolean isCounting;
  private long asked;
  private Optional<Reply> reply = Optional.empty();

  private CommitTraffic(Placement placement, List<IoRankLoad> ioRanks) {
    this.ioRanks = ioRanks;
    LeaderOptions options =
        new LeaderOptions(
            placement.ioRanks(), placement.clients(), Durability.BUFFERED, Long.MAX_VALUE, 1);
    this.leader = new Leader(new Mark(), options, new CountingLink());
    for (int i = 0; i < placement.ioRanks(); i++) {
      int number = i;
      participants.add(
          new Participant(new Mark(), Conflicts.UNDEFINED, answer -> answered(number, answer)));
    }
  }

  /**
   * Commits a transaction and adds its messages to the loads.
   *
   * @return the messages of I/O rank 0 in this commit
   */
  static IoRankLoad run(Placement placement, List<IoRankLoad> ioRanks) {
    CommitTraffic commit = new CommitTraffic(placement, ioRanks);
    commit.participants.forEach(Participant::join);
    commit.deliver();
    // The first commit, which is not counted, has an older version to purge.
    Ticket second = commit.flush(commit.requests.startNext());
    commit.isCounting = true;
    commit.flush(second);
    return commit.leading;
  }

  /** Finishes and persists a transaction, and starts the next one. */
  private Ticket flush(Ticket ticket) {
    requests.finish(ticket);
    requests.persist(ticket);
    return requests.startNext();
  }

  private void deliver() {
    for (Runnable next = messages.poll(); next != null; next = messages.poll()) {
      next.run();
    }
  }

  private void toLeader(Message message) {
    Traffic one = IoRankLoad.of(message, MemorySegment.NULL);
    if (isCounting) {
      ioRanks.getFirst().received(one);
      leading.received(one);
    }
  }

  private void fromLeader(Message message) {
    Traffic one = IoRankLoad.of(message, MemorySegment.NULL);
    if (isCounting) {
      ioRanks.getFirst().sent(one);
      leading.sent(one);
    }
  }

  private Reply ask(LongFunction<Request> request) {
    asked++;
    Request sent = request.apply(asked);
    reply = Optional.empty();
    toLeader(new Message.Asking(sent));
    messages.add(() -> leader.receive(sent));
    deliver();
    return reply
        .filter(answer -> answer.id() == sent.id() && !(answer instanceof Reply.Refused))
        .orElseThrow(() -> new IllegalStateException("reply to " + sent + ": " + reply));
  }

  private void answered(int number, Answer answer) {
    if (number > 0) {
      Message message = new Message.Answering(answer);
      toLeader(message);
      if (isCounting) {
        ioRanks.get(number).sent(IoRankLoad.of(message, MemorySegment.NULL));
      }
    }
    messages.add(() -> leader.receive(number, answer));
  }

  /** Counts the messages of the leader. */
  private final class CountingLink implements Link {
    @Override
    public void send(int process, Order order) {
      if (process > 0) {
        Message message = new Message.Ordering(order);
        fromLeader(message);
        if (isCounting) {
          ioRanks.get(process).received(IoRankLoad.of(message, MemorySegment.NULL));
        }
      }
      messages.add(() -> participants.get(process).receive(order));
    }

    @Override
    public void reply(int client, Reply reply) {
      fromLeader(new Message.Replying(client, reply));
      messages.add(() -> CommitTraffic.this.reply = Optional.of(reply));
    }
  }

  /** A container without shards, with nothing but a readable mark. */
  private static final class Mark implements Container {
    private long mark;

    @Override
    public EngineLocation location() {
      return new EngineLocation("none", "simulated");
    }

    @Override
    public ContainerInfo info() {
      return new ContainerInfo(new UUID(0, 0), 1, 1);
    }

    @Override
    public Set<Integer> served() {
      return Set.of();
    }

    @Override
    public Shard shard(int number) {
      throw new IllegalArgumentException("no shard is stored: shard=" + number);
    }

    @Override
    public long readableMark() {
      return mark;
    }

    @Override
    public boolean advance(long expected, long next) {
      mark = next;
      return true;
    }

    @Override
    public Snapshots snapshots() {
      // No client of the simulation asks for a snapshot.
      throw new UnsupportedOperationException("snapshots of a simulated container");
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
