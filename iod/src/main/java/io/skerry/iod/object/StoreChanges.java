package io.skerry.iod.object;

import io.skerry.chunk.bytes.UninitializedMemory;
import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.ClosedTogether;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The changes of one transaction in the shards of this process. A read first passes earlier changes
 * on to the engine, so that it returns them. Methods are local and thread-safe.
 */
public final class StoreChanges implements ValueChanges, AutoCloseable {
  /** The minimum size of values that are copied to native memory, which saves the engine a copy. */
  private static final int NATIVE = 4096;

  private final Container container;
  private final ShardMap map;
  private final ChecksumLevel level;
  private final long transaction;
  private final StoreView view;
  private final Map<Integer, ShardChanges> shards = new ConcurrentHashMap<>();
  private final Set<Integer> prepared = ConcurrentHashMap.newKeySet();
  private volatile boolean isPrepared;

  /**
   * The changes in one shard.
   *
   * @param changes the changes
   * @param isPending whether some of them may not have been passed on to the engine
   */
  private record ShardChanges(Changes changes, AtomicBoolean isPending) {
    void flush() {
      startFlush().run();
    }

    /** Starts a flush; if the engine is in this process, the flush ends within this method. */
    Runnable startFlush() {
      // A read that finds nothing pending must not overtake the flush of another thread.
      synchronized (isPending) {
        return isPending.getAndSet(false) ? changes.startFlush() : () -> {};
      }
    }
  }

  StoreChanges(Container container, ShardMap map, ChecksumLevel level, long transaction) {
    this.container = container;
    this.map = map;
    this.level = level;
    this.transaction = transaction;
    this.view = new StoreView(container, map, level, transaction);
  }

  @Override
  public String container() {
    return view.container();
  }

  @Override
  public long transaction() {
    return transaction;
  }

  @Override
  public Optional<MemorySegment> get(Place place, SegmentAllocator memory) {
    flush(place);
    return view.get(place, memory);
  }

  @Override
  public Supplier<Optional<MemorySegment>> getLater(Place place, SegmentAllocator memory) {
    flush(place);
    return view.getLater(place, memory);
  }

  @Override
  public Optional<Version> find(Place place) {
    flush(place);
    return view.find(place);
  }

  @Override
  public Page<Version> list(Range range, PageLimit limit) {
    flush(range);
    return view.list(range, limit);
  }

  @Override
  public Page<Entry> scan(Range range, PageLimit limit, SegmentAllocator memory) {
    flush(range);
    return view.scan(range, limit, memory);
  }

  /** Passes the changes in the shard of a place on to the engine. */
  private void flush(Place place) {
    Optional.ofNullable(shards.get(map.shardOf(place))).ifPresent(ShardChanges::flush);
  }

  /** Passes the changes in the shards of a range on to the engine. */
  private void flush(Range range) {
    view.onlyShardOf(range).ifPresentOrElse(this::flush, this::flush);
  }

  /**
   * Passes all changes on to the engine, so that reads at the transaction return them, including
   * reads by other processes.
   */
  public void flush() {
    List<Runnable> waits = shards.values().stream().map(ShardChanges::startFlush).toList();
    waits.forEach(Runnable::run);
  }

  @Override
  public void put(Place place, MemorySegment value) {
    long size = value.byteSize();
    if (size < NATIVE) {
      StoredForm.requireSize(size);
      byte[] memory = new byte[(int) size + StoredForm.TRAILER];
      put(place, value, (bytes, _) -> MemorySegment.ofArray(memory));
    } else {
      boolean unused =
          ValueMemory.using(arena -> {
            put(place, value, (bytes, _) -> UninitializedMemory.allocate(arena, bytes));
            return true;
          });
    }
  }

  private void put(Place place, MemorySegment value, SegmentAllocator memory) {
    long checksum = level.isOfMemory() ? Crc64.of(value) : 0;
    ValueBuffer buffer = ValueBuffer.allocate(value.byteSize(), memory);
    buffer.bytes().copyFrom(value);
    if (level.isOfMemory()) {
      requireUnchanged(place, checksum, Crc64.of(buffer.bytes()));
    }
    put(place, buffer);
  }

  /** Checks that a value was not changed while it was copied. */
  private void requireUnchanged(Place place, long handedOver, long copied) {
    if (handedOver != copied) {
      throw new FormatException(
              "checksum of a value in memory",
              Long.toHexString(handedOver),
              Long.toHexString(copied))
          .inObject(PlaceNames.of(place))
          .inFile(container());
    }
  }

  @Override
  public void put(Place place, ValueBuffer value) {
    ShardChanges shard = shardOf(place);
    shard.changes.put(place, StoredForm.seal(place, value, level));
    shard.isPending.set(true);
  }

  @Override
  public void remove(Place place) {
    ShardChanges shard = shardOf(place);
    shard.changes.remove(place);
    shard.isPending.set(true);
  }

  private ShardChanges shardOf(Place place) {
    return shards.computeIfAbsent(
        map.shardOf(place),
        number ->
            new ShardChanges(container.shard(number).change(transaction), new AtomicBoolean()));
  }

  /** Returns whether a value was stored or removed. */
  public boolean hasChanges() {
    return !shards.isEmpty();
  }

  /**
   * Completes the changes in all shards of this process; they then survive its end. If the method
   * throws an exception, the transaction can only be aborted: by {@link #close}.
   *
   * @param durability the point at which the method returns
   */
  public void prepare(Durability durability) {
    shards.forEach((number, shard) -> {
      shard.changes.prepare(durability);
      prepared.add(number);
    });
    isPrepared = true;
  }

  /**
   * Aborts the transaction in the shards of this process, unless it was prepared. A failure in one
   * shard is thrown after the transaction was aborted in the others.
   */
  @Override
  public void close() {
    if (isPrepared) {
      return;
    }
    ClosedTogether parts = new ClosedTogether();
    shards.forEach((number, shard) -> {
      parts.run(shard.changes::close);
      if (prepared.contains(number)) {
        // This shard prepared the changes before another one failed.
        parts.run(() -> container.shard(number).abort(transaction));
      }
    });
    parts.throwFailure();
  }
}
