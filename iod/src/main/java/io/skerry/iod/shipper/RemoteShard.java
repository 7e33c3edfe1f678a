package io.skerry.iod.shipper;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Shard.ValueCheck;
import io.skerry.iod.engine.Version;
import io.skerry.iod.shipper.wire.Call;
import io.skerry.iod.transaction.Ticket;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A shard of an I/O rank. Reads belong to the session of the view; pages may be smaller than the
 * limit that the caller passes.
 */
final class RemoteShard implements Shard {
  private final RemoteContainer container;
  private final int number;
  private final int rank;

  RemoteShard(RemoteContainer container, int number, int rank) {
    this.container = container;
    this.number = number;
    this.rank = rank;
  }

  private <T> T execute(Call call, Function<Outcome, T> reader) {
    return container.client().execute(rank, call, reader);
  }

  private <T> T execute(Call call, Function<Outcome, T> reader, SegmentAllocator memory) {
    return container.client().call(rank, call, MemorySegment.NULL, reader, memory).await();
  }

  @Override
  public int number() {
    return number;
  }

  private void maintain(Call.Maintenance operation, long argument) {
    if (!container.view().isDirect()) {
      throw container.view().refused(operation.toString());
    }
    var unused = execute(new Call.Maintain(number, operation, argument), Outcome::nothing);
  }

  @Override
  public void recover(long mark) {
    maintain(Call.Maintenance.RECOVER, mark);
  }

  @Override
  public Changes change(long transaction) {
    RemoteContainer.View view = container.view();
    if (view.isDirect()) {
      var unused = execute(new Call.Begin(number, transaction), Outcome::nothing);
    } else {
      Ticket ticket = view.ticket().orElseThrow(() -> view.refused("change"));
      if (ticket.number() != transaction) {
        throw new IllegalArgumentException(
            "change of another transaction: expected="
                + ticket.number()
                + " actual="
                + transaction);
      }
    }
    return new RemoteChanges(container, number, rank, view.at(transaction));
  }

  @Override
  public void persist() {
    maintain(Call.Maintenance.PERSIST, 0);
  }

  @Override
  public void abort(long transaction) {
    boolean isOwn = container.view().ticket().filter(t -> t.number() == transaction).isPresent();
    if (isOwn) {
      container.abortTransaction();
    } else {
      maintain(Call.Maintenance.ABORT, transaction);
    }
  }

  @Override
  public void purge(long oldest) {
    maintain(Call.Maintenance.PURGE, oldest);
  }

  @Override
  public long oldest() {
    Call call = new Call.Inspect(number, Call.Property.OLDEST);
    return container.client().execute(rank, call, Outcome::number);
  }

  @Override
  public Optional<Version> find(Place place, long transaction) {
    Call call = new Call.Find(number, container.view().at(transaction), place);
    return execute(call, Outcome::found);
  }

  @Override
  public Optional<MemorySegment> get(Place place, long transaction, SegmentAllocator memory) {
    Call call = new Call.Get(number, container.view().at(transaction), place);
    return execute(call, Outcome::value, memory);
  }

  @Override
  public Supplier<Optional<MemorySegment>> getLater(
      Place place, long transaction, ValueCheck check, SegmentAllocator memory) {
    Call call = new Call.Get(number, container.view().at(transaction), place);
    Pending<Optional<MemorySegment>> pending =
        container.client().call(rank, call, MemorySegment.NULL, Outcome::value, memory);
    return pending::await;
  }

  @Override
  public Page<Version> list(Range range, long transaction, PageLimit limit) {
    Call call = new Call.ListPage(number, container.view().at(transaction), range, limit);
    return execute(call, Outcome::versions);
  }

  @Override
  public Page<Entry> scan(Range range, long transaction, PageLimit limit, SegmentAllocator memory) {
    Call call = new Call.Scan(number, container.view().at(transaction), range, limit);
    return execute(call, Outcome::entries, memory);
  }

  @Override
  public Page<Version> history(Optional<Version> after, PageLimit limit) {
    return execute(new Call.History(number, after, limit), Outcome::versions);
  }

  @Override
  public List<Long> transactions() {
    return execute(new Call.Inspect(number, Call.Property.TRANSACTIONS), Outcome::numbers);
  }

  @Override
  public void verify(Consumer<String> findings) {
    execute(new Call.Inspect(number, Call.Property.FINDINGS), Outcome::lines).forEach(findings);
  }
}
