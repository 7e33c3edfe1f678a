package io.skerry.filter.pipeline;

import io.skerry.chunk.filter.basic.Fletcher32Filter;
import io.skerry.chunk.filter.basic.ShuffleFilter;
import io.skerry.chunk.filter.deflate.DeflateFilter;
import io.skerry.chunk.filter.packed.NbitFilter;
import io.skerry.chunk.filter.packed.ScaleOffsetFilter;
import io.skerry.chunk.filter.plugin.BitshuffleFilter;
import io.skerry.chunk.filter.plugin.BloscFilter;
import io.skerry.chunk.filter.plugin.Bzip2Filter;
import io.skerry.chunk.filter.plugin.Lz4Filter;
import io.skerry.chunk.filter.plugin.LzfFilter;
import io.skerry.chunk.filter.plugin.ZstdFilter;
import io.skerry.chunk.filter.szip.SzipFilter;
import io.skerry.filter.Filter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A set of installed filters, indexed by number. Immutable; there is no global registry.
 *
 * @param byId the filters by number
 */
public record FilterSet(Map<Integer, Filter> byId) {
  private static final FilterSet STANDARD =
      of(
          List.of(
              new DeflateFilter(),
              new ShuffleFilter(),
              new Fletcher32Filter(),
              new SzipFilter(),
              new NbitFilter(),
              new ScaleOffsetFilter(),
              new Bzip2Filter(),
              new LzfFilter(),
              new BloscFilter(),
              new Lz4Filter(),
              new BitshuffleFilter(),
              new ZstdFilter()));

  /**
   * A holder class that loads the services only once, because the class path and the module path do
   * not change while a program runs.
   */
  private static final class Installed {
    static final FilterSet SET = standard().withServices(Filter.class.getClassLoader());
  }

  /** Copies the map. Local, thread-safe; does not fail. */
  public FilterSet {
    byId = Map.copyOf(byId);
  }

  /**
   * Returns the filters that Skerry implements: those of the HDF5 library, and six of those
   * registered with The HDF Group. Local, thread-safe; does not fail.
   */
  public static FilterSet standard() {
    return STANDARD;
  }

  /**
   * Returns the standard filters together with the service providers of type {@link Filter}; a
   * provider replaces a standard filter with the same number. Local, thread-safe.
   *
   * @throws java.util.ServiceConfigurationError if a provider cannot be found or instantiated
   * @throws NoClassDefFoundError if an earlier call failed
   */
  public static FilterSet installed() {
    return Installed.SET;
  }

  /**
   * Returns this set plus the service providers that a class loader finds; a provider replaces any
   * filter with the same number. Local, thread-safe.
   *
   * @throws java.util.ServiceConfigurationError if a provider cannot be found or instantiated
   */
  public FilterSet withServices(ClassLoader loader) {
    FilterSet set = this;
    for (Filter filter : ServiceLoader.load(Filter.class, loader)) {
      set = set.with(filter);
    }
    return set;
  }

  private static FilterSet of(List<Filter> filters) {
    Map<Integer, Filter> map = new HashMap<>();
    filters.forEach(f -> map.put(f.id(), f));
    return new FilterSet(map);
  }

  /**
   * Returns this set with a filter added, in place of any filter with the same number. Local,
   * thread-safe; does not fail.
   */
  public FilterSet with(Filter filter) {
    Map<Integer, Filter> map = new HashMap<>(byId);
    map.put(filter.id(), filter);
    return new FilterSet(map);
  }

  /**
   * Returns the filter with the given number; empty if it is not installed. Local, thread-safe;
   * does not fail.
   */
  public Optional<Filter> find(int id) {
    return Optional.ofNullable(byId.get(id));
  }
}
