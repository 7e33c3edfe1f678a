package io.skerry.iod.engine.conformance;

import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/** A shard without an engine: a sorted map of versions. Not thread-safe. */
final class EngineModel {
  private final NavigableMap<Place, NavigableMap<Long, Optional<byte[]>>> places = new TreeMap<>();
  private long oldest;

  void change(Place place, long transaction, Optional<byte[]> value) {
    places.computeIfAbsent(place, _ -> new TreeMap<>()).put(transaction, value);
  }

  void dropAbove(long mark) {
    places.values().forEach(versions -> versions.tailMap(mark, false).clear());
    places.values().removeIf(NavigableMap::isEmpty);
  }

  void abort(long transaction) {
    places.values().forEach(versions -> versions.remove(transaction));
    places.values().removeIf(NavigableMap::isEmpty);
  }

  void purge(long transaction) {
    oldest = Math.max(oldest, transaction);
    for (NavigableMap<Long, Optional<byte[]>> versions : places.values()) {
      Optional.ofNullable(versions.floorEntry(transaction))
          .ifPresent(
              newest -> versions.headMap(newest.getKey(), newest.getValue().isEmpty()).clear());
    }
    places.values().removeIf(NavigableMap::isEmpty);
  }

  long oldest() {
    return oldest;
  }

  Optional<byte[]> get(Place place, long transaction) {
    return Optional.ofNullable(places.get(place))
        .flatMap(versions -> Optional.ofNullable(versions.floorEntry(transaction)))
        .flatMap(entry -> entry.getValue());
  }

  /** Returns the visible versions of a part of an object in order. */
  List<Version> list(long object, Part part, long transaction) {
    List<Version> found = new ArrayList<>();
    places.forEach((place, versions) -> {
      if (place.object() == object && place.part() == part) {
        Optional.ofNullable(versions.floorEntry(transaction))
            .map(entry -> version(place, entry.getKey(), entry.getValue()))
            .filter(version -> !version.isRemoved())
            .ifPresent(found::add);
      }
    });
    return found;
  }

  /** Returns all versions in order. */
  List<Version> history() {
    List<Version> found = new ArrayList<>();
    places.forEach((place, versions) ->
        versions
            .descendingMap()
            .forEach((number, value) -> found.add(version(place, number, value))));
    return found;
  }

  /** Returns the transactions that were not purged, in order. */
  List<Long> transactions() {
    var found = new TreeSet<Long>();
    places.values().forEach(versions -> found.addAll(versions.tailMap(oldest, false).keySet()));
    return List.copyOf(found);
  }

  private static Version version(Place place, long transaction, Optional<byte[]> value) {
    return new Version(
        place,
        transaction,
        value.map(bytes -> OptionalLong.of(bytes.length)).orElse(OptionalLong.empty()));
  }
}
