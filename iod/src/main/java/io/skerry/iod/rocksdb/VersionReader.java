package io.skerry.iod.rocksdb;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Shard.ValueCheck;
import io.skerry.iod.engine.Version;
import io.skerry.iod.engine.shard.AbstractShard;
import io.skerry.iod.engine.shard.PageCollector;
import io.skerry.iod.engine.shard.VersionRecord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.Optional;

/** Finds versions of a shard and reads their values. Local, thread-safe. */
final class VersionReader implements AbstractShard.VersionReads {
  /** The number of steps to a neighbouring key that are tried before a seek. */
  private static final int STEPS = 4;

  /** The size, in bytes, above which the stored value is measured before memory is allocated. */
  private static final long CHECKED = 64 << 20;

  private final ShardStore store;

  VersionReader(ShardStore store) {
    this.store = store;
  }

  /** A version at the position of a cursor. */
  private record Found(Version version, VersionRecord record, byte[] key) {}

  private Found found(StoreCursor cursor) {
    return found(cursor, cursor.key(), StoreKeys.place(cursor.key()));
  }

  private Found found(StoreCursor cursor, byte[] key, Place place) {
    VersionRecord record = VersionRecord.of(cursor.value(), 0);
    return new Found(new Version(place, StoreKeys.transaction(key), record.size()), record, key);
  }

  @Override
  public Optional<Version> find(Place place, long transaction) {
    return store.checked(() -> newest(place, transaction).map(Found::version));
  }

  private Optional<Found> newest(Place place, long transaction) {
    byte[] sought = StoreKeys.version(place, transaction);
    try (StoreCursor cursor = store.cursor()) {
      if (!cursor.seek(sought)) {
        return Optional.empty();
      }
      byte[] key = cursor.key();
      return StoreKeys.isOf(key, sought)
          ? Optional.of(found(cursor, key, place)).filter(f -> !f.record.isRemoved())
          : Optional.empty();
    }
  }

  @Override
  public Optional<MemorySegment> get(
      Place place, long transaction, ValueCheck check, SegmentAllocator memory, Runnable found) {
    Optional<MemorySegment> value =
        store.checked(() ->
            newest(place, transaction)
                .flatMap(newest -> value(newest, transaction, check, memory)));
    found.run();
    return value;
  }

  /**
   * Returns the value of a version. A large value is read after its version. If the transaction of
   * the version is not readable yet, it may be aborted between the two; then the read starts again.
   */
  private Optional<MemorySegment> value(
      Found first, long transaction, ValueCheck check, SegmentAllocator memory) {
    Found found = first;
    while (true) {
      long size = found.version.size().orElse(0);
      if (!found.record.isLarge()) {
        MemorySegment value = memory.allocate(size, 1);
        found.record.copySmall(value);
        return Optional.of(value);
      }
      byte[] key = StoreKeys.valueOfVersion(found.key);
      // A damaged size must not cause an allocation larger than the value.
      long stored = size <= CHECKED ? size : sizeOf(key);
      if (stored == size) {
        MemorySegment value = memory.allocate(size, 1);
        stored = store.copy(key, check, value);
        if (stored == size) {
          return Optional.of(value);
        }
      }
      Optional<Found> again = newest(found.version.place(), transaction);
      if (again.isEmpty()) {
        return Optional.empty();
      }
      if (again.get().version.equals(found.version)) {
        throw new FormatException("size of a large value: " + found.version, size, stored);
      }
      found = again.get();
    }
  }

  private long sizeOf(byte[] key) {
    return store.copy(key, ValueCheck.BY_ENGINE, MemorySegment.ofArray(new byte[1]));
  }

  @Override
  public Page<Version> list(Range range, long transaction, PageLimit limit) {
    return store.checked(() -> visible(range, transaction, versions(limit)));
  }

  @Override
  public Page<Entry> scan(Range range, long transaction, PageLimit limit, SegmentAllocator memory) {
    return store.checked(() ->
        visible(
            range,
            transaction,
            new PageCollector<>(
                limit,
                found ->
                    value(found, transaction, ValueCheck.BY_ENGINE, memory)
                        .map(value -> new Entry(found.version, value)),
                found -> found.key.length,
                entry -> entry.value().byteSize())));
  }

  private <T> Page<T> visible(Range range, long transaction, PageCollector<Found, T> page) {
    byte[] start = StoreKeys.startOf(range.object(), range.part().ordinal());
    try (StoreCursor cursor = store.cursor()) {
      boolean valid = cursor.seek(range.after().map(StoreKeys::afterVersions).orElse(start));
      while (valid && StoreKeys.startsWith(cursor.key(), start)) {
        if (page.isFull()) {
          return page.partial();
        }
        byte[] key = cursor.key();
        Place place = StoreKeys.place(key);
        byte[] sought = StoreKeys.version(place, transaction);
        if (StoreKeys.transaction(key) > transaction) {
          valid = forward(cursor, sought);
          if (!valid || !StoreKeys.isOf(cursor.key(), sought)) {
            continue;
          }
        }
        Found found = found(cursor, cursor.key(), place);
        if (!found.record.isRemoved()) {
          page.add(found);
        }
        valid = forward(cursor, StoreKeys.afterVersions(place));
      }
      return page.last();
    }
  }

  /** Moves to the first key that is not less than {@code to}, which is likely to be near. */
  private static boolean forward(StoreCursor cursor, byte[] to) {
    for (int i = 0; i < STEPS; i++) {
      if (!cursor.next()) {
        return false;
      }
      if (Arrays.compareUnsigned(cursor.key(), to) >= 0) {
        return true;
      }
    }
    return cursor.seek(to);
  }

  @Override
  public Page<Version> history(Optional<Version> after, PageLimit limit) {
    return store.checked(() -> all(after, versions(limit)));
  }

  private Page<Version> all(Optional<Version> after, PageCollector<Found, Version> page) {
    byte[] start =
        after
            .map(last -> StoreKeys.version(last.place(), last.transaction() - 1))
            .orElse(StoreKeys.firstVersion());
    try (StoreCursor cursor = store.cursor()) {
      boolean valid = cursor.seek(start);
      while (valid && StoreKeys.isVersion(cursor.key())) {
        if (page.isFull()) {
          return page.partial();
        }
        page.add(found(cursor));
        valid = cursor.next();
      }
      return page.last();
    }
  }

  private static PageCollector<Found, Version> versions(PageLimit limit) {
    return new PageCollector<>(
        limit, found -> Optional.of(found.version), found -> found.key.length, _ -> 0);
  }
}
