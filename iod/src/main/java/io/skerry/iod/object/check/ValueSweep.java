package io.skerry.iod.object.check;

import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Version;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.PlaceNames;
import io.skerry.iod.object.ShardMap;
import io.skerry.iod.object.Values;
import java.lang.foreign.Arena;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads all values of a shard at a transaction, whether or not an object refers to them: checks
 * their checksums, and reports those that belong to no object. Not thread-safe.
 */
final class ValueSweep {
  private final Values values;
  private final ShardMap map;
  private final Reached reached;
  private final Findings findings;
  private final Map<ObjectType, Long> largest = new EnumMap<>(ObjectType.class);

  /** A place in an object without an owner; {@code orphans} counts the values in the same part. */
  private Optional<Place> orphan = Optional.empty();

  private long orphans;

  ValueSweep(Values values, ShardMap map, Reached reached, Findings findings) {
    this.values = values;
    this.map = map;
    this.reached = reached;
    this.findings = findings;
  }

  void run(Shard shard) {
    Optional<Version> last = Optional.empty();
    Optional<Place> seen = Optional.empty();
    boolean isLast = false;
    while (!isLast) {
      Page<Version> page = shard.history(last, PageLimit.DEFAULT);
      for (Version version : page.items()) {
        boolean isVisible = version.transaction() <= values.transaction();
        if (isVisible && seen.filter(version.place()::equals).isEmpty()) {
          seen = Optional.of(version.place());
          if (!version.isRemoved()) {
            visit(shard.number(), version.place());
          }
        }
      }
      isLast = page.isLast();
      last = isLast ? last : Optional.of(page.items().getLast());
    }
    reportOrphans();
  }

  private void visit(int shard, Place place) {
    int expected = map.shardOf(place);
    if (shard != expected) {
      findings.add(
          "wrong shard", PlaceNames.of(place) + " expected=" + expected + " actual=" + shard);
      return;
    }
    findings.run(() -> {
      ObjectId id = ObjectId.decode(place.object(), "object of a place");
      largest.merge(id.type(), id.number(), Math::max);
    });
    findings.run(() -> {
      try (Arena arena = Arena.ofConfined()) {
        var unused = values.get(place, arena);
      }
    });
    if (!reached.mayHave(place.object(), place.part())) {
      orphan(place);
    }
  }

  private void orphan(Place place) {
    boolean isSame =
        orphan.filter(o -> o.object() == place.object() && o.part() == place.part()).isPresent();
    if (!isSame) {
      reportOrphans();
      orphan = Optional.of(place);
    }
    orphans++;
  }

  private void reportOrphans() {
    orphan.ifPresent(place -> {
      boolean isObject = place.part() == Part.SCRATCH_PAD && !reached.has(place.object());
      findings.add(
          isObject ? "unreachable object" : "orphan", PlaceNames.of(place) + " values=" + orphans);
    });
    orphan = Optional.empty();
    orphans = 0;
  }

  /** Returns the largest object number of each type that has values. */
  Map<ObjectType, Long> largest() {
    return largest;
  }
}
