package io.skerry.iod.connector.store;

import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Version;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.ValueBuffer;
import io.skerry.iod.object.ValueChanges;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The changes of one step, which can be undone: remembers the value of each place before its first
 * change. A place of an object that the step itself creates had no value, so none is read. The
 * memory for these values is limited; a step that exceeds the limit cannot be undone. Not
 * thread-safe.
 */
final class StepChanges implements ValueChanges {
  /** The size up to which values are remembered, in bytes. */
  static final long LIMIT = 64 << 20;

  /** The assumed memory of an entry without its value, in bytes. */
  private static final long ENTRY_BYTES = 200;

  private static final SegmentAllocator HEAP =
      (bytes, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);

  private final ValueChanges base;
  private final long limit;
  private final Map<Place, Optional<MemorySegment>> before = new LinkedHashMap<>();
  private final Map<ObjectType, NavigableMap<Long, Long>> created = new EnumMap<>(ObjectType.class);
  private long remembered;

  /**
   * Begins a step.
   *
   * @param base the changes of the transaction
   * @param limit the size up to which values are remembered, in bytes
   */
  StepChanges(ValueChanges base, long limit) {
    this.base = base;
    this.limit = limit;
  }

  /**
   * Returns a source of numbers for the objects that this step creates.
   *
   * @param ids the source from which the numbers are taken
   */
  IdSource creating(IdSource ids) {
    return type -> {
      long number = ids.next(type);
      noteCreated(type, number);
      return number;
    };
  }

  /** Adds a number to the intervals of created numbers, which are keyed by their first number. */
  private void noteCreated(ObjectType type, long number) {
    NavigableMap<Long, Long> intervals = created.computeIfAbsent(type, _ -> new TreeMap<>());
    Map.Entry<Long, Long> below = intervals.lowerEntry(number);
    if (below != null && below.getValue() == number - 1) {
      intervals.put(below.getKey(), number);
    } else {
      intervals.put(number, number);
    }
  }

  private boolean isCreated(ObjectId id) {
    Map.Entry<Long, Long> below =
        created.getOrDefault(id.type(), Collections.emptyNavigableMap()).floorEntry(id.number());
    return below != null && below.getValue() >= id.number();
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
    remember(place);
    base.put(place, value);
  }

  @Override
  public void put(Place place, ValueBuffer value) {
    remember(place);
    base.put(place, value);
  }

  @Override
  public void remove(Place place) {
    remember(place);
    base.remove(place);
  }

  private void remember(Place place) {
    if (remembered > limit || before.containsKey(place)) {
      return;
    }
    OptionalLong size =
        isCreated(new ObjectId(place.object())) ? OptionalLong.empty() : base.size(place);
    remembered += ENTRY_BYTES + size.orElse(0);
    if (remembered > limit) {
      before.clear();
    } else {
      before.put(place, size.isPresent() ? base.get(place, HEAP) : Optional.empty());
    }
  }

  /**
   * Undoes the changes of the step.
   *
   * @return true if the values are those before the step; false if the step has exceeded the limit,
   *     and its changes remain
   * @throws io.skerry.iod.engine.EngineException if the storage fails; some changes may remain
   */
  boolean undo() {
    if (remembered > limit) {
      return false;
    }
    before.forEach((place, value) ->
        value.ifPresentOrElse(bytes -> base.put(place, bytes), () -> base.remove(place)));
    return true;
  }
}
