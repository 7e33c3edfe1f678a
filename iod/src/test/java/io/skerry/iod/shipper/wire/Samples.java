package io.skerry.iod.shipper.wire;

import io.skerry.format.Bytes;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Version;
import io.skerry.iod.transaction.AbortExtent;
import io.skerry.iod.transaction.Answer;
import io.skerry.iod.transaction.Order;
import io.skerry.iod.transaction.ReadContext;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.Reply;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.VersionChoice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/** Messages of every kind with random fields. */
final class Samples {
  private final Random random;

  Samples(long seed) {
    this.random = new Random(seed);
  }

  private <E> E any(E[] values) {
    return values[random.nextInt(values.length)];
  }

  private int number() {
    return random.nextInt(Integer.MAX_VALUE);
  }

  private String text() {
    var text = new StringBuilder();
    for (int n = random.nextInt(20); n > 0; n--) {
      text.appendCodePoint(random.nextInt(4) == 0 ? 0x1f600 : 'a' + random.nextInt(26));
    }
    return text.toString();
  }

  Place place() {
    long object = random.nextLong();
    return switch (random.nextInt(4)) {
      case 0 -> new Place.ScratchPad(object);
      case 1 -> new Place.Tile(object, random.nextLong());
      case 2 -> new Place.Block(object, random.nextLong());
      default -> pair(object, random.nextInt(20));
    };
  }

  private Place pair(long object, int size) {
    byte[] key = new byte[size];
    random.nextBytes(key);
    return new Place.Pair(object, Bytes.of(MemorySegment.ofArray(key)));
  }

  Version version() {
    var size = random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(number());
    return new Version(place(), random.nextLong(), size);
  }

  private Optional<Version> optional() {
    return random.nextBoolean() ? Optional.empty() : Optional.of(version());
  }

  private Range range() {
    Place after = place();
    return random.nextBoolean()
        ? Range.after(after)
        : Range.all(random.nextLong(), any(Part.values()));
  }

  private PageLimit limit() {
    return new PageLimit(1 + random.nextInt(1000), 1 + random.nextInt(1000));
  }

  private Position at() {
    return new Position(random.nextLong(), random.nextLong());
  }

  private Ticket ticket() {
    return new Ticket(random.nextLong(), random.nextLong());
  }

  private ReadContext context() {
    return new ReadContext(random.nextLong(), random.nextLong(), random.nextLong());
  }

  /** Returns one message of every kind. */
  List<Message> all() {
    var all = new ArrayList<Message>();
    calls().forEach(call -> all.add(new Message.Calling(random.nextLong(), call)));
    results().forEach(result -> all.add(new Message.Returning(random.nextLong(), result)));
    requests().forEach(request -> all.add(new Message.Asking(request)));
    replies().forEach(reply -> all.add(new Message.Replying(number(), reply)));
    orders().forEach(order -> all.add(new Message.Ordering(order)));
    answers().forEach(answer -> all.add(new Message.Answering(answer)));
    all.add(new Message.Leaving(number()));
    all.add(new Message.Losing(number()));
    all.add(new Message.Stopping());
    all.add(new Message.Ending());
    for (var kind : Failure.Kind.values()) {
      all.add(new Message.Failing(random.nextLong(), failure(kind)));
      all.add(new Message.RankFailed(failure(kind)));
      all.add(new Message.GivenUp(failure(kind)));
    }
    return all;
  }

  private Failure failure(Failure.Kind kind) {
    int texts =
        switch (kind) {
          case ENGINE, CONTAINER -> 3;
          case FORMAT -> 5;
          default -> 1;
        };
    var list = new ArrayList<String>();
    for (int n = 0; n < texts; n++) {
      list.add(text());
    }
    return new Failure(
        kind, random.nextInt(3), number(), -1, random.nextLong(), random.nextLong(), list);
  }

  private List<Call> calls() {
    return List.of(
        new Call.Edit(number(), at()),
        new Call.Put(number(), at(), place()),
        new Call.Put(number(), at(), pair(1, Place.LONGEST_KEY)),
        new Call.Flush(number(), at()),
        new Call.Find(number(), at(), place()),
        new Call.Get(number(), at(), place()),
        new Call.ListPage(number(), at(), range(), limit()),
        new Call.Scan(number(), at(), range(), limit()),
        new Call.History(number(), optional(), limit()),
        new Call.Inspect(number(), any(Call.Property.values())),
        new Call.Begin(number(), random.nextLong()),
        new Call.Prepare(number(), random.nextLong(), any(Durability.values())),
        new Call.Discard(number(), random.nextLong()),
        new Call.Maintain(number(), any(Call.Maintenance.values()), random.nextLong()),
        new Call.ReadMark(),
        new Call.Advance(random.nextLong(), random.nextLong()),
        new Call.Snapshot(any(Call.SnapshotStep.values()), text(), random.nextLong()));
  }

  private List<Result> results() {
    return List.of(
        new Result.Done(),
        new Result.Number(random.nextLong()),
        new Result.Found(optional()),
        new Result.Value(),
        new Result.Absent(),
        new Result.Versions(),
        new Result.Entries(),
        new Result.Numbers(),
        new Result.Lines());
  }

  private List<Request> requests() {
    int c = number();
    long id = random.nextLong();
    return List.of(
        new Request.Start(c, id, random.nextLong(), random.nextInt()),
        new Request.StartNext(c, id),
        new Request.Finish(c, id, ticket()),
        new Request.Abort(c, id, ticket(), any(AbortExtent.values())),
        new Request.Skip(c, id, random.nextLong(), random.nextLong()),
        new Request.AwaitReadable(c, id, ticket()),
        new Request.Persist(c, id, ticket()),
        new Request.Acquire(c, id, any(VersionChoice.values()), random.nextLong()),
        new Request.Release(c, id, context()),
        new Request.Snapshot(c, id, text()));
  }

  private List<Reply> replies() {
    long id = random.nextLong();
    return List.of(
        new Reply.Done(id),
        new Reply.Started(id, ticket()),
        new Reply.Acquired(id, context()),
        new Reply.SnapshotTaken(id, random.nextLong()),
        new Reply.Refused(id, any(Refusal.values()), text()));
  }

  private List<Order> orders() {
    long s = random.nextLong();
    return List.of(
        new Order.Recover(s, random.nextLong(), random.nextLong()),
        new Order.Prepare(s, random.nextLong(), random.nextLong(), any(Durability.values())),
        new Order.Abort(s, random.nextLong()),
        new Order.Persist(s, random.nextLong()),
        new Order.Purge(s, random.nextLong()),
        new Order.Snapshot(s, random.nextLong(), text(), random.nextLong()));
  }

  private List<Answer> answers() {
    long s = random.nextLong();
    return List.of(
        new Answer.Join(),
        new Answer.Recovered(s),
        new Answer.Prepared(s, random.nextLong()),
        new Answer.Unprepared(s, random.nextLong(), text()),
        new Answer.Aborted(s, random.nextLong()),
        new Answer.Persisted(s, random.nextLong()),
        new Answer.SnapshotPrepared(s, random.nextLong()),
        new Answer.SnapshotUnprepared(s, random.nextLong(), text()),
        new Answer.StorageFailed(s, text()));
  }
}
