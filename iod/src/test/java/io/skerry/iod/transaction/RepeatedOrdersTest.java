package io.skerry.iod.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import io.skerry.iod.rocksdb.RocksProvider;
import io.skerry.iod.shipper.ContainerSource;
import io.skerry.iod.shipper.Faulty;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests orders that are repeated after a failure. */
class RepeatedOrdersTest {
  private static final Place PLACE = new Place.Tile(1, 0);

  @TempDir Path folder;

  private final RocksProvider engine = new RocksProvider();
  private EngineLocation location;

  @BeforeEach
  void create() {
    location = EngineLocation.of("iod:" + folder.resolve("run"));
    engine.create(location, 2);
  }

  /** A leader and two processes with one shard each, whose messages a test delivers. */
  private final class TwoProcesses implements Link, AutoCloseable {
    private final List<Container> containers = new ArrayList<>();
    private final List<Participant> participants = new ArrayList<>();
    private final List<Queue<Order>> orders = List.of(new ArrayDeque<>(), new ArrayDeque<>());
    private final List<Queue<Answer>> answers = List.of(new ArrayDeque<>(), new ArrayDeque<>());
    private final Map<Long, Reply> replies = new HashMap<>();
    private final Leader leader;
    private long requests;

    TwoProcesses() {
      for (int process = 0; process < 2; process++) {
        Container container = engine.open(location, Opening.writing().ofShards(Set.of(process)));
        containers.add(container);
        participants.add(new Participant(container, Conflicts.REFUSED, answers.get(process)::add));
      }
      leader =
          new Leader(
              containers.getFirst(),
              new LeaderOptions(2, 1, Durability.BUFFERED, Long.MAX_VALUE, 7),
              this);
      participants.forEach(Participant::join);
      deliverAll();
      assertTrue(leader.isOpen());
    }

    @Override
    public void send(int process, Order order) {
      orders.get(process).add(order);
    }

    @Override
    public void reply(int client, Reply reply) {
      replies.put(reply.id(), reply);
    }

    /** Executes the orders of a process, whose answers are not delivered. */
    void execute(int process) {
      while (!orders.get(process).isEmpty()) {
        participants.get(process).receive(orders.get(process).remove());
      }
    }

    /** Delivers the answers of a process. */
    void answer(int process) {
      while (!answers.get(process).isEmpty()) {
        leader.receive(process, answers.get(process).remove());
      }
    }

    void deliverAll() {
      while (!(orders.stream().allMatch(Queue::isEmpty)
          && answers.stream().allMatch(Queue::isEmpty))) {
        for (int process = 0; process < 2; process++) {
          execute(process);
          answer(process);
        }
      }
    }

    Optional<Reply> ask(Request request) {
      leader.receive(request);
      deliverAll();
      return Optional.ofNullable(replies.get(request.id()));
    }

    long id() {
      requests++;
      return requests;
    }

    void commit(long number) {
      Ticket ticket =
          assertInstanceOf(
                  Reply.Started.class, ask(new Request.Start(0, id(), number, 1)).orElseThrow())
              .ticket();
      participants.get(1).put(ticket, 0, 1, PLACE, MemorySegment.ofArray(new byte[1]));
      assertInstanceOf(Reply.Done.class, ask(new Request.Finish(0, id(), ticket)).orElseThrow());
      assertInstanceOf(Reply.Done.class, ask(new Request.Persist(0, id(), ticket)).orElseThrow());
    }

    @Override
    public void close() {
      containers.forEach(Container::close);
    }
  }

  @Test
  void a_snapshot_is_not_completed_by_the_answer_to_an_earlier_attempt() {
    try (TwoProcesses all = new TwoProcesses()) {
      all.commit(1);
      Request first = new Request.Snapshot(0, all.id(), "s");
      all.leader.receive(first);
      all.execute(1);
      // The part of process 0 cannot be stored.
      all.containers.getFirst().shard(0).purge(2);
      all.execute(0);
      all.answer(0);
      assertInstanceOf(Reply.Refused.class, all.replies.get(first.id()));
      Queue<Answer> late = new ArrayDeque<>(all.answers.get(1));
      all.answers.get(1).clear();

      all.commit(3);
      Request second = new Request.Snapshot(0, all.id(), "s");
      all.leader.receive(second);
      all.execute(0);
      all.answer(0);
      late.forEach(answer -> all.leader.receive(1, answer));
      assertEquals(List.of(), all.containers.getFirst().snapshots().names());
      all.deliverAll();
      assertInstanceOf(Reply.SnapshotTaken.class, all.replies.get(second.id()));
    }
    try (Container snapshot = engine.open(location, Opening.ofSnapshot("s"))) {
      assertEquals(3, snapshot.readableMark());
      assertEquals(3, snapshot.shard(1).find(PLACE, 3).orElseThrow().transaction());
    }
  }

  private Container open(BiConsumer<Integer, String> fault) {
    return new Faulty(ContainerSource.of(location, Opening.writing()), fault).open(Set.of(0, 1));
  }

  @Test
  void a_recovery_that_has_failed_half_way_is_repeated() {
    for (int failing = 0; failing < 2; failing++) {
      int shard = failing;
      var calls = new AtomicInteger();
      var answers = new ArrayList<Answer>();
      try (Container container =
          open((number, method) -> {
            if (number == shard && method.equals("Shard.recover") && calls.getAndIncrement() == 0) {
              throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, number);
            }
          })) {
        var participant = new Participant(container, Conflicts.REFUSED, answers::add);
        participant.receive(new Order.Recover(1, 0, 0));
        assertInstanceOf(Answer.StorageFailed.class, answers.getLast());
        participant.receive(new Order.Recover(2, 0, 0));
        assertEquals(new Answer.Recovered(2), answers.getLast());
      }
    }
  }

  @Test
  void changes_that_cannot_be_closed_do_not_keep_the_others_open() {
    for (int failing = 0; failing < 2; failing++) {
      int shard = failing;
      var calls = new AtomicInteger();
      var answers = new ArrayList<Answer>();
      try (Container container =
          open((number, method) -> {
            if (number == shard && method.equals("Changes.close") && calls.getAndIncrement() == 0) {
              throw Faulty.engine(EngineException.Fault.INPUT_OUTPUT, number);
            }
          })) {
        var participant = new Participant(container, Conflicts.REFUSED, answers::add);
        participant.receive(new Order.Recover(1, 0, 0));
        Changes other = container.shard(1 - shard).change(4);
        other.close();
        for (int number = 0; number < 2; number++) {
          participant.put(new Ticket(1, 5), 0, number, PLACE, MemorySegment.ofArray(new byte[1]));
        }
        participant.receive(new Order.Recover(2, 0, 0));
        assertInstanceOf(Answer.StorageFailed.class, answers.getLast());
        // The shard accepts other changes of the transaction, since the first ones have ended.
        container.shard(1 - shard).change(5).close();
        participant.receive(new Order.Recover(3, 0, 0));
        assertEquals(new Answer.Recovered(3), answers.getLast());
        assertNotEquals(0, calls.get());
        assertThrows(
            TransactionException.class,
            () ->
                participant.put(new Ticket(1, 5), 0, 0, PLACE, MemorySegment.ofArray(new byte[1])));
      }
    }
  }
}
