package io.skerry.iod.shipper;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.shipper.option.Protocol;
import io.skerry.iod.shipper.wire.Call;
import io.skerry.iod.shipper.wire.EditList;
import io.skerry.iod.shipper.wire.Position;
import io.skerry.iod.shipper.wire.Result;
import io.skerry.iod.transaction.Participant;
import io.skerry.iod.transaction.ReadContext;
import io.skerry.iod.transaction.Ticket;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Executes the calls of clients on the shards that this rank owns. Calls of a session go to the
 * participant, all others to the engine. Not thread-safe.
 */
final class Storage {
  /** The largest page that is read for a client in one call; the client requests the next one. */
  private static final PageLimit LARGEST_PAGE = new PageLimit(1 << 16, 16 << 20);

  /**
   * The maximum number of findings that a verification returns; the last line counts the others.
   */
  private static final int MOST_FINDINGS = 1000;

  private record Growing(int shard, long transaction) {}

  private final Container container;
  private final Optional<Participant> participant;
  private final Map<Growing, Changes> growing = new HashMap<>();

  /**
   * Creates the storage of an I/O rank.
   *
   * @param participant executes changes in sessions; empty for {@link Protocol#DIRECT}
   */
  Storage(Container container, Optional<Participant> participant) {
    this.container = container;
    this.participant = participant;
  }

  /** Returns the location of the container, for messages. */
  String location() {
    return container.location().toString();
  }

  /**
   * Executes a call.
   *
   * @param client the number of the client
   * @param payload the payload of the call, which may be reused after the method returns
   * @param memory allocates the memory for values that are read
   * @throws RuntimeException if the engine or the participant refuses the call
   */
  Outcome execute(int client, Call call, MemorySegment payload, SegmentAllocator memory) {
    return switch (call) {
      case Call.Edit(var shard, var at) -> {
        EditList.forEach(payload, (place, value) -> change(client, shard, at, place, value));
        yield Outcome.done();
      }
      case Call.Put(var shard, var at, var place) -> {
        change(client, shard, at, place, Optional.of(payload));
        yield Outcome.done();
      }
      case Call.Flush(var shard, var at) -> {
        flush(shard, at);
        yield Outcome.done();
      }
      case Call.Find(var shard, var at, var place) ->
          plain(new Result.Found(read(shard, at, from -> from.find(place, at.transaction()))));
      case Call.Get(var shard, var at, var place) ->
          read(shard, at, from -> from.get(place, at.transaction(), memory))
              .<Outcome>map(Outcome.Value::new)
              .orElseGet(() -> plain(new Result.Absent()));
      case Call.ListPage(var shard, var at, var range, var limit) ->
          new Outcome.Versions(
              read(shard, at, from -> from.list(range, at.transaction(), bounded(limit))));
      case Call.Scan(var shard, var at, var range, var limit) ->
          new Outcome.Entries(
              read(shard, at, from -> from.scan(range, at.transaction(), bounded(limit), memory)));
      case Call.History(var shard, var after, var limit) ->
          new Outcome.Versions(container.shard(shard).history(after, bounded(limit)));
      case Call.Inspect(var shard, var property) -> inspect(container.shard(shard), property);
      case Call.ReadMark() -> plain(new Result.Number(container.readableMark()));
      case Call.Snapshot snapshot -> snapshot(snapshot);
      case Call.Begin _, Call.Prepare _, Call.Discard _, Call.Maintain _, Call.Advance _ -> {
        requireDirect();
        yield direct(call);
      }
    };
  }

  private static Outcome plain(Result result) {
    return new Outcome.Plain(result);
  }

  private static PageLimit bounded(PageLimit limit) {
    return new PageLimit(
        Math.min(limit.items(), LARGEST_PAGE.items()),
        Math.min(limit.bytes(), LARGEST_PAGE.bytes()));
  }

  private Participant participant() {
    return participant.orElseThrow(
        () -> new IllegalStateException("call of a session: protocol=" + Protocol.DIRECT));
  }

  private void requireDirect() {
    if (participant.isPresent()) {
      throw new IllegalStateException(
          "change of the container beside its transactions: protocol=" + Protocol.TRANSACTIONS);
    }
  }

  private <T> T read(int shard, Position at, Function<Shard, T> reading) {
    return at.isDirect()
        ? reading.apply(container.shard(shard))
        : participant().read(new ReadContext(at.session(), 0, at.transaction()), shard, reading);
  }

  /** Stores or removes a value. */
  private void change(
      int client, int shard, Position at, Place place, Optional<MemorySegment> value) {
    if (at.isDirect()) {
      requireDirect();
      Changes changes = growing(shard, at.transaction());
      value.ifPresentOrElse(v -> changes.put(place, v), () -> changes.remove(place));
      return;
    }
    Ticket ticket = new Ticket(at.session(), at.transaction());
    value.ifPresentOrElse(
        v -> participant().put(ticket, client, shard, place, v),
        () -> participant().remove(ticket, client, shard, place));
  }

  private void flush(int shard, Position at) {
    if (at.isDirect()) {
      requireDirect();
      growing(shard, at.transaction()).flush();
    } else {
      participant().flush(new Ticket(at.session(), at.transaction()), shard);
    }
  }

  private Changes growing(int shard, long transaction) {
    return Optional.ofNullable(growing.get(new Growing(shard, transaction)))
        .orElseThrow(() ->
            new IllegalStateException(
                "there are no open changes: shard=" + shard + " transaction=" + transaction));
  }

  private static Outcome inspect(Shard shard, Call.Property property) {
    return switch (property) {
      case OLDEST -> plain(new Result.Number(shard.oldest()));
      case TRANSACTIONS -> new Outcome.Numbers(shard.transactions());
      case FINDINGS -> {
        List<String> findings = new ArrayList<>();
        int[] more = {0};
        shard.verify(finding -> {
          if (findings.size() < MOST_FINDINGS) {
            findings.add(finding);
          } else {
            more[0]++;
          }
        });
        if (more[0] > 0) {
          findings.add("further findings: number=" + more[0]);
        }
        yield new Outcome.Lines(findings);
      }
    };
  }

  private Outcome snapshot(Call.Snapshot call) {
    switch (call.step()) {
      case NAMES -> {
        return new Outcome.Lines(container.snapshots().names());
      }
      case PREPARE -> {
        requireDirect();
        container.snapshots().prepare(call.name(), call.transaction());
      }
      case COMPLETE -> {
        requireDirect();
        container.snapshots().complete(call.name(), call.transaction());
      }
      case DELETE -> container.snapshots().delete(call.name());
    }
    return Outcome.done();
  }

  private Outcome direct(Call call) {
    switch (call) {
      case Call.Begin(var shard, var transaction) ->
          growing.put(new Growing(shard, transaction), container.shard(shard).change(transaction));
      case Call.Prepare(var shard, var transaction, var durability) -> {
        growing(shard, transaction).prepare(durability);
        growing.remove(new Growing(shard, transaction));
      }
      case Call.Discard(var shard, var transaction) ->
          Optional.ofNullable(growing.remove(new Growing(shard, transaction)))
              .ifPresent(Changes::close);
      case Call.Maintain(var shard, var operation, var argument) -> {
        Shard storage = container.shard(shard);
        switch (operation) {
          case RECOVER -> storage.recover(argument);
          case PERSIST -> storage.persist();
          case ABORT -> storage.abort(argument);
          case PURGE -> storage.purge(argument);
        }
      }
      case Call.Advance(var expected, var next) -> {
        return plain(new Result.Number(container.advance(expected, next) ? 1 : 0));
      }
      default -> throw new IllegalArgumentException("not a direct call: " + call);
    }
    return Outcome.done();
  }

  /** Closes the container. */
  void close() {
    container.close();
  }
}
