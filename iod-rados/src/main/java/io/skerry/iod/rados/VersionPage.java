package io.skerry.iod.rados;

import io.skerry.iod.engine.Place;
import io.skerry.iod.rados.VersionReader.Found;
import io.skerry.iod.rados.library.Pool.Pair;
import io.skerry.iod.rados.library.Pool.Pairs;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The newest versions, up to a transaction, of consecutive places of one part of an object, from
 * one page of pairs. Immutable.
 *
 * @param transaction the transaction
 * @param first the first place
 * @param end the place before which the page is complete; empty if it is complete to the end of the
 *     part
 * @param found the versions, removals included; may also hold that of {@code end}
 */
record VersionPage(long transaction, Place first, Optional<Place> end, Map<Place, Found> found) {

  /**
   * Decodes a page.
   *
   * @param first the first place; the page begins at or before its version at the transaction
   */
  static VersionPage of(Place first, long transaction, Pairs pairs) {
    byte[] sought = OmapKeys.version(first, transaction);
    Map<Place, Found> found = new HashMap<>();
    Place last = first;
    for (Pair pair : pairs.pairs()) {
      if (Arrays.compareUnsigned(pair.key(), sought) >= 0) {
        OmapKeys.Key key = OmapKeys.decode(first.object(), pair.key());
        last = key.place();
        if (key.transaction() <= transaction && !found.containsKey(last)) {
          found.put(last, Found.of(last, key.transaction(), pair.value()));
        }
      }
    }
    return new VersionPage(
        transaction, first, pairs.hasMore() ? Optional.of(last) : Optional.empty(), found);
  }

  /** Returns whether the page holds the newest version of a place, or shows that there is none. */
  boolean covers(Place place, long at) {
    return at == transaction
        && place.object() == first.object()
        && place.part() == first.part()
        && place.compareTo(first) >= 0
        && (found.containsKey(place) || end.filter(next -> next.compareTo(place) <= 0).isEmpty());
  }

  /** Returns the newest version of a place that the page covers; empty if there is none. */
  Optional<Found> newest(Place place) {
    return Optional.ofNullable(found.get(place));
  }
}
