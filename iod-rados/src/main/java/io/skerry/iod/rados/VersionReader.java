package io.skerry.iod.rados;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PlaceCodec;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Shard.ValueCheck;
import io.skerry.iod.engine.Version;
import io.skerry.iod.engine.shard.AbstractShard;
import io.skerry.iod.engine.shard.PageCollector;
import io.skerry.iod.rados.library.Pool.Pair;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Finds versions of a shard and reads their values. Local, thread-safe. */
final class VersionReader implements AbstractShard.VersionReads {
  /** The number of pairs that are read to find one. */
  private static final int FEW = 2;

  /** The number of pairs that are read to find a tile or a block and those that follow it. */
  private static final int MANY = 64;

  private final ShardStore store;

  /** The last page, of a shard that is open for reading. */
  private volatile Optional<VersionPage> page = Optional.empty();

  VersionReader(ShardStore store) {
    this.store = store;
  }

  /** A version and its stored record. */
  record Found(Version version, StripedRecord record) {
    static Found of(Place place, long transaction, byte[] stored) {
      StripedRecord record = StripedRecord.of(stored);
      return new Found(new Version(place, transaction, record.version().size()), record);
    }
  }

  /** Decodes a pair of an object. */
  static Found found(long object, byte[] key, byte[] value) {
    OmapKeys.Key decoded = OmapKeys.decode(object, key);
    return Found.of(decoded.place(), decoded.transaction(), value);
  }

  /** Returns the versions of the scratch pad of an object, the newest one first. */
  NavigableMap<String, byte[]> pads(long object) {
    return store
        .call(pool -> pool.attributes(store.names().object(object)))
        .map(all -> all.subMap(ShardNames.PAD, true, ShardNames.PAD + "g", false))
        .orElse(Collections.emptyNavigableMap());
  }

  @Override
  public Optional<Version> find(Place place, long transaction) {
    return store.checked(() -> visible(place, transaction).map(Found::version));
  }

  private Optional<Found> visible(Place place, long transaction) {
    return newest(place, transaction).filter(found -> !found.record.version().isRemoved());
  }

  /** Returns the newest version of a place up to a transaction, which may be a removal. */
  Optional<Found> newest(Place place, long transaction) {
    if (place instanceof Place.ScratchPad) {
      return Optional.ofNullable(pads(place.object()).ceilingEntry(ShardNames.pad(transaction)))
          .map(entry -> pad(place, entry));
    }
    byte[] sought = OmapKeys.version(place, transaction);
    byte[] prefix = OmapKeys.place(place);
    byte[] after = OmapKeys.before(sought);
    for (int count = FEW; ; count *= 8) {
      int most = count;
      var pairs = store.call(pool -> pool.pairs(name(place), after, prefix, most));
      for (Pair pair : pairs.pairs()) {
        if (Arrays.compareUnsigned(pair.key(), sought) >= 0) {
          return Optional.of(
              Found.of(
                  place, OmapKeys.decode(place.object(), pair.key()).transaction(), pair.value()));
        }
      }
      if (!pairs.hasMore()) {
        return Optional.empty();
      }
    }
  }

  private String name(Place place) {
    return store.names().object(place.object());
  }

  static Found pad(Place place, Map.Entry<String, byte[]> attribute) {
    return Found.of(place, ShardNames.transactionOfPad(attribute.getKey()), attribute.getValue());
  }

  @Override
  public Optional<MemorySegment> get(
      Place place, long transaction, ValueCheck check, SegmentAllocator memory, Runnable looked) {
    Supplier<Optional<Found>> again =
        () -> {
          page = Optional.empty();
          Optional<Found> newest = visible(place, transaction);
          looked.run();
          return newest;
        };
    return store.checked(() ->
        (isRead(place) ? onPage(place, transaction, looked) : again.get())
            .flatMap(newest -> value(newest, memory, again)));
  }

  /**
   * Returns whether the versions of the places after a place are read with that of the place. They
   * are likely to be sought next, and readable versions do not change unless they are purged.
   */
  private boolean isRead(Place place) {
    return !store.isWriting() && (place instanceof Place.Tile || place instanceof Place.Block);
  }

  private Optional<Found> onPage(Place place, long transaction, Runnable looked) {
    Optional<VersionPage> known = page.filter(last -> last.covers(place, transaction));
    if (known.isEmpty()) {
      byte[] after = OmapKeys.before(OmapKeys.version(place, transaction));
      byte[] prefix = OmapKeys.part(place.part());
      VersionPage next =
          VersionPage.of(
              place, transaction, store.call(pool -> pool.pairs(name(place), after, prefix, MANY)));
      looked.run();
      known = Optional.of(next).filter(read -> read.covers(place, transaction));
      page = known;
    }
    return known
        .map(read -> read.newest(place).filter(newest -> !newest.record.version().isRemoved()))
        .orElseGet(() -> visible(place, transaction));
  }

  /**
   * Returns the value of a version. A large value is read after its version. If the transaction of
   * the version is not readable yet, it may be aborted between the two reads, and a purge may
   * remove any version; the value is then looked up again.
   */
  private Optional<MemorySegment> value(
      Found first, SegmentAllocator memory, Supplier<Optional<Found>> again) {
    Found found = first;
    while (true) {
      MemorySegment value = memory.allocate(found.version.size().orElse(0), 1);
      if (!found.record.version().isLarge()) {
        found.record.version().copySmall(value);
        return Optional.of(value);
      }
      long stored = copy(found, value);
      if (stored == value.byteSize()) {
        return Optional.of(value);
      }
      Optional<Found> next = again.get();
      if (next.isEmpty()) {
        return Optional.empty();
      }
      if (next.get().version.equals(found.version)) {
        throw new FormatException(
            "size of a large value: " + found.version, value.byteSize(), stored);
      }
      found = next.get();
    }
  }

  /** Reads a large value, and returns the number of bytes found; -1 if a stripe is missing. */
  private long copy(Found found, MemorySegment to) {
    if (to.isNative()) {
      return read(found, to);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment staged = arena.allocate(Math.max(1, to.byteSize()));
      long size = read(found, staged.asSlice(0, to.byteSize()));
      MemorySegment.copy(staged, 0, to, 0, to.byteSize());
      return size;
    }
  }

  private long read(Found found, MemorySegment to) {
    long stripe = found.record.stripe();
    long size = 0;
    for (int n = 0; n < found.record.stripes(); n++) {
      long from = n * stripe;
      MemorySegment part = to.asSlice(from, Math.min(stripe, to.byteSize() - from));
      String name = store.names().data(found.version.place(), found.version.transaction(), n);
      long got = store.call(pool -> pool.read(name, part));
      if (got < 0) {
        return -1;
      }
      size += got;
    }
    return size;
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
                    value(found, memory, () -> visible(found.version.place(), transaction))
                        .map(value -> new Entry(found.version, value)),
                VersionReader::keyBytes,
                entry -> entry.value().byteSize())));
  }

  private <T> Page<T> visible(Range range, long transaction, PageCollector<Found, T> page) {
    if (range.part() == Part.SCRATCH_PAD) {
      if (range.after().isEmpty()) {
        visible(new Place.ScratchPad(range.object()), transaction).ifPresent(page::add);
      }
      return page.last();
    }
    byte[] prefix = OmapKeys.part(range.part());
    OmapCursor cursor = new OmapCursor(store, store.names().object(range.object()), prefix);
    boolean valid = cursor.seek(range.after().map(OmapKeys::afterVersions).orElse(prefix));
    byte[] skipped = {};
    while (valid) {
      byte[] key = cursor.key();
      if (skipped.length > 0 && OmapKeys.startsWith(key, skipped)) {
        valid = cursor.next();
        continue;
      }
      if (page.isFull()) {
        return page.partial();
      }
      Found found = found(range.object(), key, cursor.value());
      if (found.version.transaction() <= transaction) {
        skipped = OmapKeys.place(found.version.place());
        if (!found.record.version().isRemoved()) {
          page.add(found);
        }
      }
      valid = cursor.next();
    }
    return page.last();
  }

  @Override
  public Page<Version> history(Optional<Version> after, PageLimit limit) {
    return store.checked(() -> all(after, versions(limit)));
  }

  private Page<Version> all(Optional<Version> after, PageCollector<Found, Version> page) {
    OmapCursor objects = new OmapCursor(store, store.names().head(), OmapKeys.OBJECTS);
    boolean valid =
        after
            .map(last -> objects.seek(OmapKeys.index(last.place().object())))
            .orElseGet(objects::first);
    while (valid) {
      long object = OmapKeys.object(objects.key());
      if (page.isFull() || !object(object, after, page)) {
        return page.partial();
      }
      valid = objects.next();
    }
    return page.last();
  }

  /**
   * Adds the versions of an object that follow {@code after}; returns false if the page is full
   * before all are added.
   */
  private boolean object(long object, Optional<Version> after, PageCollector<Found, Version> page) {
    Optional<Version> last = after.filter(version -> version.place().object() == object);
    Place pad = new Place.ScratchPad(object);
    for (Map.Entry<String, byte[]> entry : pads(object).entrySet()) {
      Found found = pad(pad, entry);
      if (last.isPresent() && found.version.compareTo(last.get()) <= 0) {
        continue;
      }
      if (page.isFull()) {
        return false;
      }
      page.add(found);
    }
    OmapCursor cursor = new OmapCursor(store, store.names().object(object), new byte[0]);
    boolean valid =
        last.filter(version -> version.place().part() != Part.SCRATCH_PAD)
            .map(version ->
                cursor.seek(OmapKeys.version(version.place(), version.transaction() - 1)))
            .orElseGet(cursor::first);
    while (valid) {
      if (page.isFull()) {
        return false;
      }
      page.add(found(object, cursor.key(), cursor.value()));
      valid = cursor.next();
    }
    return true;
  }

  /** Passes the versions of an object to {@code action}, and damage to {@code damaged}. */
  void each(long object, Consumer<Found> action, Consumer<FormatException> damaged) {
    Place pad = new Place.ScratchPad(object);
    for (Map.Entry<String, byte[]> entry : pads(object).entrySet()) {
      attempt(() -> pad(pad, entry), action, damaged);
    }
    OmapCursor cursor = new OmapCursor(store, store.names().object(object), new byte[0]);
    for (boolean valid = cursor.first(); valid; valid = cursor.next()) {
      attempt(() -> found(object, cursor.key(), cursor.value()), action, damaged);
    }
  }

  private static void attempt(
      Supplier<Found> decoding, Consumer<Found> action, Consumer<FormatException> damaged) {
    Found found;
    try {
      found = decoding.get();
    } catch (FormatException e) {
      damaged.accept(e);
      return;
    }
    action.accept(found);
  }

  private static long keyBytes(Found found) {
    return (long) PlaceCodec.size(found.version.place()) + Long.BYTES;
  }

  private static PageCollector<Found, Version> versions(PageLimit limit) {
    return new PageCollector<>(
        limit, found -> Optional.of(found.version), VersionReader::keyBytes, _ -> 0);
  }
}
