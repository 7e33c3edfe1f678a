package io.skerry.iod.object;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** A shard in memory. Changes become visible when they are flushed or prepared. */
final class MemoryShard implements Shard {
  private final int number;
  private final NavigableMap<Version, byte[]> versions = new TreeMap<>();

  MemoryShard(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public void recover(long mark) {}

  @Override
  public Changes change(long transaction) {
    return new MemoryChanges(transaction);
  }

  /** Changes that are kept apart until they are flushed. */
  private final class MemoryChanges implements Changes {
    private final long transaction;
    private final NavigableMap<Place, Optional<byte[]>> pending = new TreeMap<>();
    private boolean isPrepared;

    MemoryChanges(long transaction) {
      this.transaction = transaction;
    }

    @Override
    public long transaction() {
      return transaction;
    }

    @Override
    public void put(Place place, MemorySegment value) {
      MemoryContainer.requireSize(value.byteSize());
      pending.put(place, Optional.of(value.toArray(ValueLayout.JAVA_BYTE)));
    }

    @Override
    public void remove(Place place) {
      pending.put(place, Optional.empty());
    }

    @Override
    public void flush() {
      synchronized (versions) {
        pending.forEach((place, value) -> {
          store(place, transaction, value);
        });
        pending.clear();
      }
    }

    @Override
    public void prepare(Durability durability) {
      flush();
      isPrepared = true;
    }

    @Override
    public void close() {
      if (!isPrepared) {
        abort(transaction);
      }
    }
  }

  private void store(Place place, long transaction, Optional<byte[]> value) {
    Version version =
        new Version(
            place,
            transaction,
            value.map(v -> OptionalLong.of(v.length)).orElse(OptionalLong.empty()));
    versions.remove(version);
    versions.put(version, value.orElse(new byte[0]));
  }

  @Override
  public void persist() {}

  @Override
  public void abort(long transaction) {
    synchronized (versions) {
      versions.keySet().removeIf(version -> version.transaction() == transaction);
    }
  }

  @Override
  public void purge(long oldest) {}

  @Override
  public long oldest() {
    return 0;
  }

  private Optional<Version> newest(Place place, long transaction) {
    return Optional.ofNullable(
            versions.ceilingKey(new Version(place, transaction, OptionalLong.empty())))
        .filter(version -> version.place().equals(place));
  }

  @Override
  public Optional<Version> find(Place place, long transaction) {
    synchronized (versions) {
      return newest(place, transaction).filter(version -> !version.isRemoved());
    }
  }

  @Override
  public Optional<MemorySegment> get(Place place, long transaction, SegmentAllocator memory) {
    synchronized (versions) {
      return find(place, transaction)
          .map(version -> memory.allocateFrom(ValueLayout.JAVA_BYTE, versions.get(version)));
    }
  }

  @Override
  public Page<Version> list(Range range, long transaction, PageLimit limit) {
    List<Version> found = new ArrayList<>();
    synchronized (versions) {
      var places = new TreeSet<Place>();
      for (Version version : versions.keySet()) {
        Place place = version.place();
        if (place.object() == range.object()
            && place.part() == range.part()
            && range.after().filter(after -> place.compareTo(after) <= 0).isEmpty()) {
          places.add(place);
        }
      }
      for (Place place : places) {
        find(place, transaction).ifPresent(found::add);
      }
    }
    return found.size() > limit.items()
        ? Page.partial(found.subList(0, limit.items()))
        : Page.last(found);
  }

  @Override
  public Page<Entry> scan(Range range, long transaction, PageLimit limit, SegmentAllocator memory) {
    synchronized (versions) {
      Page<Version> page = list(range, transaction, limit);
      List<Entry> entries =
          page.items().stream()
              .map(version ->
                  new Entry(
                      version, memory.allocateFrom(ValueLayout.JAVA_BYTE, versions.get(version))))
              .toList();
      return page.isLast() ? Page.last(entries) : Page.partial(entries);
    }
  }

  @Override
  public Page<Version> history(Optional<Version> after, PageLimit limit) {
    synchronized (versions) {
      return Page.last(
          List.copyOf(after.map(v -> versions.tailMap(v, false)).orElse(versions).keySet()));
    }
  }

  @Override
  public List<Long> transactions() {
    return List.of();
  }

  @Override
  public void verify(Consumer<String> findings) {}
}
