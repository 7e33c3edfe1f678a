package io.skerry.iod.transaction;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.Opening;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A leader and participants of a stored container in one JVM, whose messages are delivered one by
 * one in a random order of processes. Not thread-safe.
 */
final class Processes implements Link, AutoCloseable {
  private final EngineProvider engine;
  private final EngineLocation location;
  private final int count;
  private final int shards;
  private final Durability durability;
  private final List<Deque<Order>> orders = new ArrayList<>();
  private final List<Deque<Answer>> answers = new ArrayList<>();
  private final List<Optional<Container>> containers = new ArrayList<>();
  private final List<Optional<Participant>> participants = new ArrayList<>();
  private final Map<Long, Reply> replies = new HashMap<>();
  private Leader leader;
  private long session = 1;

  Processes(
      EngineProvider engine,
      EngineLocation location,
      int count,
      int shards,
      Durability durability) {
    this.engine = engine;
    this.location = location;
    this.count = count;
    this.shards = shards;
    this.durability = durability;
    for (int n = 0; n < count; n++) {
      orders.add(new ArrayDeque<>());
      answers.add(new ArrayDeque<>());
      containers.add(Optional.empty());
      participants.add(Optional.empty());
    }
    leader = open();
  }

  private Leader open() {
    for (int n = 0; n < count; n++) {
      if (containers.get(n).isEmpty()) {
        openProcess(n);
      }
    }
    LeaderOptions options = new LeaderOptions(count, 4, durability, 1000, session);
    return new Leader(containers.get(0).orElseThrow(), options, this);
  }

  private void openProcess(int process) {
    Set<Integer> served = new TreeSet<>();
    for (int shard = process; shard < shards; shard += count) {
      served.add(shard);
    }
    Container container = engine.open(location, Opening.writing().ofShards(served));
    containers.set(process, Optional.of(container));
    Participant participant =
        new Participant(container, Conflicts.REFUSED, answers.get(process)::add);
    participants.set(process, Optional.of(participant));
    participant.join();
  }

  Leader leader() {
    return leader;
  }

  Participant participant(int shard) {
    return participants.get(shard % count).orElseThrow();
  }

  Container container(int process) {
    return containers.get(process).orElseThrow();
  }

  /** Ends a process without any preparation, and replaces it. */
  void crash(int process, boolean isNoticed) {
    containers.get(process).orElseThrow().close();
    orders.get(process).clear();
    answers.get(process).clear();
    containers.set(process, Optional.empty());
    if (process > 0) {
      if (isNoticed) {
        leader.lost(process, "test");
      }
      openProcess(process);
      return;
    }
    orders.forEach(Deque::clear);
    answers.forEach(Deque::clear);
    session = leader.session() + 1;
    leader = open();
    for (int n = 1; n < count; n++) {
      participants.get(n).orElseThrow().leaderLost();
    }
  }

  @Override
  public void send(int process, Order order) {
    orders.get(process).add(order);
  }

  @Override
  public void reply(int client, Reply reply) {
    if (replies.put(reply.id(), reply) != null) {
      throw new AssertionError("two replies: " + reply);
    }
  }

  /** Sends a request, and returns the reply if there is one already. */
  Optional<Reply> request(Request request) {
    leader.receive(request);
    return Optional.ofNullable(replies.get(request.id()));
  }

  Optional<Reply> reply(long id) {
    return Optional.ofNullable(replies.get(id));
  }

  /** Delivers a message. Returns whether there was one. */
  boolean deliver(Random random) {
    int first = random.nextInt(2 * count);
    for (int n = 0; n < 2 * count; n++) {
      int each = (first + n) % (2 * count);
      int process = each / 2;
      if (each % 2 == 0 && !orders.get(process).isEmpty()) {
        participants.get(process).orElseThrow().receive(orders.get(process).remove());
        return true;
      }
      if (each % 2 == 1 && !answers.get(process).isEmpty()) {
        leader.receive(process, answers.get(process).remove());
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    containers.forEach(container -> container.ifPresent(Container::close));
  }
}
