package io.skerry.iod.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Shard;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** A random program on the transactions of a stored container, compared with a plain model. */
final class RandomTransactions {
  private static final int SHARDS = 3;
  private static final int PLACES = 4;

  /** A tile of a shard. */
  private record Spot(int shard, int number) {}

  private record Wait(long number, long session) {}

  private record Taken(String name, Map<Spot, Long> content) {}

  private final EngineProvider engine;
  private final EngineLocation location;
  private final Random random;
  private final Processes processes;
  private final int count;
  private final NavigableMap<Long, Map<Spot, Optional<Long>>> committed = new TreeMap<>();
  private final NavigableMap<Long, Map<Spot, Optional<Long>>> pending = new TreeMap<>();
  private final Map<Long, Ticket> tickets = new TreeMap<>();
  private final Map<ReadContext, Map<Spot, Long>> contexts = new HashMap<>();
  private final Map<Long, Wait> persists = new TreeMap<>();
  private final List<Taken> snapshots = new ArrayList<>();
  private long requests;
  private long session = 1;
  private long lastReadable;
  private long persistedAck;
  private long persistedSeen;

  RandomTransactions(EngineProvider engine, EngineLocation location, long seed, int count) {
    this.engine = engine;
    this.location = location;
    this.random = new Random(seed);
    this.count = count;
    engine.create(location, SHARDS);
    Durability durability = random.nextBoolean() ? Durability.SYNCED : Durability.BUFFERED;
    processes = new Processes(engine, location, count, SHARDS, durability);
  }

  void run(int steps) {
    try (processes) {
      settle();
      for (int step = 0; step < steps; step++) {
        step();
        observe();
        if (step % 8 == 0) {
          compare();
        }
      }
      end();
    }
    engine.remove(location);
  }

  private long id() {
    requests++;
    return requests;
  }

  private void settle() {
    boolean found = true;
    while (found) {
      found = processes.deliver(random);
      observe();
    }
  }

  private void step() {
    switch (random.nextInt(100)) {
      case 0 -> crash(0, true);
      case 1, 2 -> crash(random.nextInt(count), random.nextBoolean());
      case 3 -> snapshot();
      case 4, 5 -> abort();
      case 6 -> skip();
      case 7, 8, 9, 10 -> persist();
      case 11, 12, 13, 14, 15, 16 -> acquire();
      case 17, 18, 19, 20 -> release();
      case 21, 22, 23, 24, 25, 26, 27, 28, 29, 30 -> start();
      case 31, 32, 33, 34, 35, 36, 37, 38, 39, 40 -> finish();
      case 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56 -> change();
      default -> {
        boolean unused = processes.deliver(random);
      }
    }
  }

  private void crash(int process, boolean isNoticed) {
    processes.crash(process, isNoticed);
    if (process == 0) {
      contexts.clear();
      persists.clear();
      tickets.clear();
      pending.clear();
    }
  }

  private void start() {
    long number = processes.leader().readable() + 1 + random.nextInt(4);
    Optional<Reply> reply = processes.request(new Request.Start(0, id(), number, 1));
    if (reply.isPresent() && reply.get() instanceof Reply.Started started) {
      tickets.put(number, started.ticket());
      pending.put(number, new HashMap<>());
    }
  }

  private Optional<Ticket> ticket() {
    List<Ticket> all = List.copyOf(tickets.values());
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  private static Place place(Spot spot) {
    return new Place.Tile(spot.number(), spot.number());
  }

  private void change() {
    Optional<Ticket> ticket = ticket();
    if (ticket.isEmpty()) {
      return;
    }
    Spot spot = new Spot(random.nextInt(SHARDS), random.nextInt(PLACES));
    Optional<Long> value =
        random.nextInt(4) == 0 ? Optional.empty() : Optional.of(random.nextLong());
    Participant to = processes.participant(spot.shard());
    try {
      if (value.isPresent()) {
        MemorySegment bytes = MemorySegment.ofArray(new long[] {value.get()});
        to.put(ticket.get(), 0, spot.shard(), place(spot), bytes);
      } else {
        to.remove(ticket.get(), 0, spot.shard(), place(spot));
      }
      pending.get(ticket.get().number()).put(spot, value);
    } catch (TransactionException e) {
      // The process has been replaced, or the transaction was aborted. The client gives it up.
      Optional<Reply> unused =
          processes.request(new Request.Abort(0, id(), ticket.get(), AbortExtent.ONE));
      tickets.remove(ticket.get().number());
    }
  }

  private void finish() {
    Optional<Ticket> ticket = ticket();
    if (ticket.isPresent()) {
      Optional<Reply> unused = processes.request(new Request.Finish(0, id(), ticket.get()));
      tickets.remove(ticket.get().number());
      if (random.nextBoolean()) {
        persist(ticket.get());
      }
    }
  }

  private void abort() {
    Optional<Ticket> ticket = ticket();
    if (ticket.isPresent()) {
      AbortExtent extent = random.nextBoolean() ? AbortExtent.ONE : AbortExtent.AND_HIGHER;
      Optional<Reply> unused = processes.request(new Request.Abort(0, id(), ticket.get(), extent));
    }
  }

  private void skip() {
    long first = processes.leader().readable() + 1 + random.nextInt(4);
    Optional<Reply> unused =
        processes.request(new Request.Skip(0, id(), first, first + random.nextInt(2)));
  }

  private void persist() {
    long number = processes.leader().readable();
    if (number > 0) {
      persist(new Ticket(processes.leader().session(), number));
    }
  }

  private void persist(Ticket ticket) {
    long id = id();
    persists.put(id, new Wait(ticket.number(), ticket.session()));
    Optional<Reply> unused = processes.request(new Request.Persist(1, id, ticket));
  }

  private void acquire() {
    VersionChoice choice = VersionChoice.values()[random.nextInt(4)];
    long top = processes.leader().readable();
    long number = Math.max(0, top - random.nextInt(4) + 1);
    Optional<Reply> reply = processes.request(new Request.Acquire(2, id(), choice, number));
    long oldest = processes.leader().oldest();
    if (reply.orElseThrow() instanceof Reply.Acquired acquired) {
      ReadContext context = acquired.context();
      long found = context.transaction();
      assertTrue(found == oldest || committed.containsKey(found), () -> choice + " " + found);
      switch (choice) {
        case EXACT -> assertEquals(number, found);
        case LAST -> assertEquals(top, found);
        case PREV ->
            assertEquals(
                committed.headMap(number, true).isEmpty() ? oldest : committed.floorKey(number),
                found);
        case NEXT -> assertTrue(found >= number);
      }
      contexts.put(context, content(found));
    } else if (reply.get() instanceof Reply.Refused refused
        && refused.refusal() == Refusal.PURGED) {
      assertTrue(number < oldest);
    }
  }

  private void release() {
    if (!contexts.isEmpty()) {
      ReadContext context = contexts.keySet().iterator().next();
      contexts.remove(context);
      assertTrue(
          processes.request(new Request.Release(2, id(), context)).orElseThrow()
              instanceof Reply.Done);
    }
  }

  private void snapshot() {
    if (!processes.leader().isOpen() || snapshots.size() > 2) {
      return;
    }
    String name = "s" + id();
    long id = id();
    Map<Spot, Long> content = content(processes.leader().readable());
    Optional<Reply> at = processes.request(new Request.Snapshot(3, id, name));
    assertTrue(at.isEmpty());
    settle();
    if (processes.reply(id).orElseThrow() instanceof Reply.SnapshotTaken) {
      snapshots.add(new Taken(name, content));
    }
  }

  /** Returns the content that a version has. */
  private Map<Spot, Long> content(long transaction) {
    Map<Spot, Long> content = new HashMap<>();
    committed
        .headMap(transaction, true)
        .values()
        .forEach(changes ->
            changes.forEach((spot, value) -> {
              content.remove(spot);
              value.ifPresent(number -> content.put(spot, number));
            }));
    return content;
  }

  private void observe() {
    Leader leader = processes.leader();
    if (leader.session() != session) {
      session = leader.session();
      assertTrue(leader.persisted() >= persistedAck, "a persisted transaction is lost");
      assertTrue(leader.persisted() >= persistedSeen, "the persisted mark has gone back");
      committed.tailMap(leader.persisted(), false).clear();
      pending.clear();
      tickets.clear();
      lastReadable = leader.persisted();
      contexts.clear();
    }
    persistedSeen = leader.persisted();
    for (long n = lastReadable + 1; n <= leader.readable(); n++) {
      if (leader.state(n) == TransactionState.READABLE) {
        committed.put(n, pending.remove(n));
      }
    }
    lastReadable = leader.readable();
    persists
        .entrySet()
        .removeIf(entry -> {
          Optional<Reply> reply = processes.reply(entry.getKey());
          if (reply.isPresent() && reply.get() instanceof Reply.Done) {
            assertTrue(entry.getValue().number() <= leader.persisted());
            persistedAck = Math.max(persistedAck, entry.getValue().number());
          }
          return reply.isPresent();
        });
  }

  private void compare() {
    contexts.forEach((context, expected) -> {
      for (int shard = 0; shard < SHARDS; shard++) {
        Participant participant = processes.participant(shard);
        for (int number = 0; number < PLACES; number++) {
          Spot spot = new Spot(shard, number);
          try {
            Optional<Long> found =
                participant.read(context, shard, s -> value(s, spot, context.transaction()));
            assertEquals(
                Optional.ofNullable(expected.get(spot)), found, () -> context + " " + spot);
          } catch (TransactionException e) {
            // The process has been replaced and is not recovered yet.
            assertEquals(Refusal.LOST, e.refusal());
            assertTrue(participant.session() != processes.leader().session(), e.getMessage());
          }
        }
      }
    });
  }

  private static Optional<Long> value(Shard shard, Spot spot, long transaction) {
    return shard
        .get(place(spot), transaction, Arena.ofAuto())
        .map(found -> found.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
  }

  /** Ends everything, and compares what is stored. */
  private void end() {
    settle();
    for (Ticket ticket : List.copyOf(tickets.values())) {
      Optional<Reply> unused = processes.request(new Request.Finish(0, id(), ticket));
    }
    settle();
    while (!contexts.isEmpty()) {
      release();
    }
    persist();
    settle();
    assertTrue(processes.leader().isOpen());
    assertEquals(Map.of(), persists);
    assertEquals(processes.leader().readable(), processes.leader().persisted());
    assertEquals(processes.leader().readable(), processes.leader().oldest());
    Map<Spot, Long> expected = content(processes.leader().readable());
    for (int n = 0; n < count; n++) {
      for (int number : processes.container(n).served()) {
        Shard shard = processes.container(n).shard(number);
        shard.verify(finding -> {
          throw new AssertionError(finding);
        });
        long values = expected.keySet().stream().filter(spot -> spot.shard() == number).count();
        // One version of each value, and nothing of what was aborted, removed or lost.
        assertEquals(values, shard.history(Optional.empty(), PageLimit.DEFAULT).items().size());
      }
    }
    compareStored(Opening.reading(), expected);
    for (Taken taken : snapshots) {
      compareStored(Opening.ofSnapshot(taken.name()), taken.content());
    }
  }

  private void compareStored(Opening opening, Map<Spot, Long> expected) {
    try (Container container = engine.open(location, opening)) {
      for (int shard = 0; shard < SHARDS; shard++) {
        for (int number = 0; number < PLACES; number++) {
          Spot spot = new Spot(shard, number);
          assertEquals(
              Optional.ofNullable(expected.get(spot)),
              value(container.shard(shard), spot, container.readableMark()));
        }
      }
    }
  }
}
