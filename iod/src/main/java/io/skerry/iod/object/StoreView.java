package io.skerry.iod.object;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Shard.ValueCheck;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** The values of a container at a transaction. Immutable. */
final class StoreView implements Values {
  private final Container container;
  private final ShardMap map;
  private final ChecksumLevel level;
  private final long transaction;

  StoreView(Container container, ShardMap map, ChecksumLevel level, long transaction) {
    this.container = container;
    this.map = map;
    this.level = level;
    this.transaction = transaction;
  }

  @Override
  public String container() {
    return container.location().toString();
  }

  @Override
  public long transaction() {
    return transaction;
  }

  private Shard shardOf(Place place) {
    return container.shard(map.shardOf(place));
  }

  @Override
  public Optional<MemorySegment> get(Place place, SegmentAllocator memory) {
    return shardOf(place).get(place, transaction, memory).map(stored -> open(place, stored));
  }

  @Override
  public Supplier<Optional<MemorySegment>> getLater(Place place, SegmentAllocator memory) {
    ValueCheck check = level.isStored() ? ValueCheck.BY_CALLER : ValueCheck.BY_ENGINE;
    var begun = shardOf(place).getLater(place, transaction, check, memory);
    return () -> {
      Optional<MemorySegment> stored = begun.get();
      if (check == ValueCheck.BY_CALLER && stored.filter(StoredForm::lacksChecksum).isPresent()) {
        // Written without a checksum of Skerry, so the engine must check it.
        return get(place, memory);
      }
      return stored.map(value -> open(place, value));
    };
  }

  private MemorySegment open(Place place, MemorySegment stored) {
    try {
      return StoredForm.open(place, stored, level);
    } catch (FormatException e) {
      throw e.inFile(container());
    }
  }

  @Override
  public Optional<Version> find(Place place) {
    return shardOf(place).find(place, transaction).map(this::version);
  }

  /** Replaces the size of the stored form of a value with the size of the value. */
  private Version version(Version found) {
    try {
      long size = StoredForm.size(found.place(), found.size().orElse(0));
      return new Version(found.place(), found.transaction(), OptionalLong.of(size));
    } catch (FormatException e) {
      throw e.inFile(container());
    }
  }

  @Override
  public Page<Version> list(Range range, PageLimit limit) {
    Page<Version> page =
        switch (range.part()) {
          case TILE, BLOCK -> merged(range, limit);
          case SCRATCH_PAD, PAIR ->
              shardByShard(
                  range, (number, part) -> container.shard(number).list(part, transaction, limit));
        };
    return mapped(page, this::version);
  }

  @Override
  public Page<Entry> scan(Range range, PageLimit limit, SegmentAllocator memory) {
    if (range.part() != Part.PAIR) {
      throw new IllegalArgumentException("a scan of another part: part=" + range.part());
    }
    Page<Entry> page =
        shardByShard(
            range,
            (number, part) -> container.shard(number).scan(part, transaction, limit, memory));
    return mapped(
        page,
        entry -> {
          Place place = entry.version().place();
          return new Entry(version(entry.version()), open(place, entry.value()));
        });
  }

  private static <T> Page<T> mapped(Page<T> page, Function<T, T> change) {
    List<T> items = page.items().stream().map(change).toList();
    return page.isLast() ? Page.last(items) : Page.partial(items);
  }

  /** Reads a page of one shard. */
  @FunctionalInterface
  private interface PageReader<T> {
    Page<T> read(int shard, Range range);
  }

  /**
   * Returns a place in the only shard that has places of a range; empty if several shards may have
   * some.
   */
  Optional<Place> onlyShardOf(Range range) {
    boolean isSpread =
        switch (range.part()) {
          case TILE, BLOCK -> true;
          case PAIR -> new ObjectId(range.object()).keyPlacement() == KeyPlacement.SPREAD;
          case SCRATCH_PAD -> false;
        };
    return isSpread
        ? Optional.empty()
        : Optional.of(range.after().orElseGet(() -> new Place.ScratchPad(range.object())));
  }

  /** Returns the next page of the shards that may have pairs of the object, in their order. */
  private <T> Page<T> shardByShard(Range range, PageReader<T> reader) {
    Optional<Place> only = onlyShardOf(range);
    if (only.isPresent()) {
      return reader.read(map.shardOf(only.get()), range);
    }
    int last = map.shards() - 1;
    int shard = range.after().map(map::shardOf).orElse(0);
    Page<T> page = reader.read(shard, range);
    while (page.isLast() && page.items().isEmpty() && shard < last) {
      shard++;
      page = reader.read(shard, Range.all(range.object(), range.part()));
    }
    return page.isLast() && shard < last ? Page.partial(page.items()) : page;
  }

  /** Returns the next page, merged from all shards in the order of the places. */
  private Page<Version> merged(Range range, PageLimit limit) {
    List<Version> found = new ArrayList<>();
    Optional<Place> end = Optional.empty();
    for (int shard = 0; shard < map.shards(); shard++) {
      Page<Version> page = container.shard(shard).list(range, transaction, limit);
      found.addAll(page.items());
      if (!page.isLast()) {
        Place last = page.items().getLast().place();
        end = end.filter(place -> place.compareTo(last) <= 0).or(() -> Optional.of(last));
      }
    }
    found.sort(null);
    // A shard whose page is partial may have more places after the last one of that page.
    end.ifPresent(place -> found.removeIf(version -> version.place().compareTo(place) > 0));
    boolean isCut = found.size() > limit.items();
    List<Version> items = isCut ? found.subList(0, limit.items()) : found;
    return isCut || end.isPresent() ? Page.partial(items) : Page.last(items);
  }
}
