package io.skerry.iod.rocksdb;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Finds versions of a shard and reads their values. Local, thread-safe. */
final class VersionReader {
  /** Number of steps to a neighbouring key that are tried before a seek. */
  private static final int STEPS = 4;

  /** The size in bytes above which that of the stored value is compared before memory is used. */
  private static final long CHECKED = 64 << 20;

  private final ShardStore store;

  VersionReader(ShardStore store) {
    this.store = store;
  }

  /** A version at which a cursor is. */
  private record Found(Version version, VersionRecord record, byte[] key) {}

  private Found found(StoreCursor cursor) {
    return found(cursor, cursor.key(), StoreKeys.place(cursor.key()));
  }

  private Found found(StoreCursor cursor, byte[] key, Place place) {
    VersionRecord record = VersionRecord.of(cursor.value());
    return new Found(new Version(place, StoreKeys.transaction(key), record.size()), record, key);
  }

  /** Returns the version that a read at a transaction returns. */
  Optional<Version> find(Place place, long transaction) {
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

  /** Returns the value that a read at a transaction returns. */
  Optional<MemorySegment> get(Place place, long transaction, SegmentAllocator memory) {
    return store.checked(
        () -> newest(place, transaction).flatMap(found -> value(found, transaction, memory)));
  }

  /**
   * Returns the value of a version. A large value is read after its version. If the transaction of
   * the version is not readable yet, it may be aborted between the two; then the read starts again.
   */
  private Optional<MemorySegment> value(Found first, long transaction, SegmentAllocator memory) {
    Found found = first;
    while (true) {
      long size = found.version.size().orElse(0);
      if (!found.record.isLarge()) {
        MemorySegment value = memory.allocate(size, 1);
        found.record.copySmall(value);
        return Optional.of(value);
      }
      byte[] key = StoreKeys.valueOfVersion(found.key);
      // A damaged size must not allocate memory for a value that is smaller.
      long stored = size <= CHECKED ? size : store.copy(key, MemorySegment.ofArray(new byte[1]));
      if (stored == size) {
        MemorySegment value = memory.allocate(size, 1);
        stored = store.copy(key, value);
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

  /** Returns the first page of the versions that reads at a transaction return. */
  Page<Version> list(Range range, long transaction, PageLimit limit) {
    return store.checked(() -> visible(range, transaction, Collector.ofVersions(limit)));
  }

  /** Returns the first page of the values that reads at a transaction return. */
  Page<Entry> scan(Range range, long transaction, PageLimit limit, SegmentAllocator memory) {
    return store.checked(() ->
        visible(
            range,
            transaction,
            new Collector<>(
                limit,
                found ->
                    value(found, transaction, memory).map(value -> new Entry(found.version, value)),
                entry -> entry.value().byteSize())));
  }

  private <T> Page<T> visible(Range range, long transaction, Collector<T> page) {
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

  /** Moves to the first key not less than one, which is likely to be near. */
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

  /** Returns the first page of all versions. */
  Page<Version> history(Optional<Version> after, PageLimit limit) {
    return store.checked(() -> all(after, Collector.ofVersions(limit)));
  }

  private Page<Version> all(Optional<Version> after, Collector<Version> page) {
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

  /** Collects the items of a page. */
  private static final class Collector<T> {
    private final PageLimit limit;
    private final Function<Found, Optional<T>> item;
    private final ToLongFunction<T> size;
    private final List<T> items = new ArrayList<>();
    private long bytes;

    Collector(PageLimit limit, Function<Found, Optional<T>> item, ToLongFunction<T> size) {
      this.limit = limit;
      this.item = item;
      this.size = size;
    }

    static Collector<Version> ofVersions(PageLimit limit) {
      return new Collector<>(limit, found -> Optional.of(found.version), _ -> 0);
    }

    boolean isFull() {
      return items.size() >= limit.items() || bytes >= limit.bytes();
    }

    void add(Found found) {
      Optional<T> added = item.apply(found);
      if (added.isPresent()) {
        items.add(added.get());
        bytes += found.key.length + size.applyAsLong(added.get());
      }
    }

    Page<T> partial() {
      return Page.partial(items);
    }

    Page<T> last() {
      return Page.last(items);
    }
  }
}
