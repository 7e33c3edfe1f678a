package io.skerry.chunk.filter;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The filters that a pipeline may call, by number. Immutable; there is no registry of the process.
 *
 * @param byId the filters
 */
public record FilterSet(Map<Integer, Filter> byId) {
  private static final FilterSet STANDARD =
      of(List.of(new DeflateFilter(), new ShuffleFilter(), new Fletcher32Filter()));

  /** Copies the map. */
  public FilterSet {
    byId = Map.copyOf(byId);
  }

  /** Deflate, shuffle and fletcher32. */
  public static FilterSet standard() {
    return STANDARD;
  }

  private static FilterSet of(List<Filter> filters) {
    Map<Integer, Filter> map = new HashMap<>();
    filters.forEach(f -> map.put(f.id(), f));
    return new FilterSet(map);
  }

  /** These filters and one more, which takes the place of one with the same number. */
  public FilterSet with(Filter filter) {
    Map<Integer, Filter> map = new HashMap<>(byId);
    map.put(filter.id(), filter);
    return new FilterSet(map);
  }

  /** The filter of that number. */
  public Optional<Filter> find(int id) {
    return Optional.ofNullable(byId.get(id));
  }
}
