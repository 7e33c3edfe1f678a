package io.skerry.iod.connector.store;

import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Version;
import io.skerry.iod.object.ValueBuffer;
import io.skerry.iod.object.ValueChanges;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Forwards the changes of one rank to the transaction, and notes the beginning of the first one:
 * after it, a failure for any reason may leave a part of the change in the transaction. Not
 * thread-safe.
 */
final class WatchedChanges implements ValueChanges {
  private final ValueChanges base;
  private boolean hasBegun;

  /**
   * Creates an object that has forwarded no change.
   *
   * @param base the changes of the transaction
   */
  WatchedChanges(ValueChanges base) {
    this.base = base;
  }

  /** Returns whether a change was passed on, even if it has failed. */
  boolean hasBegun() {
    return hasBegun;
  }

  @Override
  public String container() {
    return base.container();
  }

  @Override
  public long transaction() {
    return base.transaction();
  }

  @Override
  public Optional<MemorySegment> get(Place place, SegmentAllocator memory) {
    return base.get(place, memory);
  }

  @Override
  public Supplier<Optional<MemorySegment>> getLater(Place place, SegmentAllocator memory) {
    return base.getLater(place, memory);
  }

  @Override
  public Optional<Version> find(Place place) {
    return base.find(place);
  }

  @Override
  public Page<Version> list(Range range, PageLimit limit) {
    return base.list(range, limit);
  }

  @Override
  public Page<Entry> scan(Range range, PageLimit limit, SegmentAllocator memory) {
    return base.scan(range, limit, memory);
  }

  @Override
  public void put(Place place, MemorySegment value) {
    hasBegun = true;
    base.put(place, value);
  }

  @Override
  public void put(Place place, ValueBuffer value) {
    hasBegun = true;
    base.put(place, value);
  }

  @Override
  public void remove(Place place) {
    hasBegun = true;
    base.remove(place);
  }
}
