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
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * A set of installed filters, indexed by number. Immutable; there is no global registry.
 *
 * @param byId the filters by number
 * @param brokenProviders the failures of service providers that could not be loaded, as text. Their
 *     filters are not installed; the exception for a missing filter contains these texts.
 */
public record FilterSet(Map<Integer, Filter> byId, List<String> brokenProviders) {
  /**
   * The number of failures after which no more providers are loaded: if the list of providers
   * cannot be read, every further attempt fails too.
   */
  private static final int MAX_FAILURES = 100;

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

  /** A holder class that loads the services once, on first use. */
  private static final class Installed {
    static final FilterSet SET = standard().withServices(Filter.class.getClassLoader());
  }

  /** Creates a set with copies of the map and the list. Local, thread-safe; does not fail. */
  public FilterSet {
    byId = Map.copyOf(byId);
    brokenProviders = List.copyOf(brokenProviders);
  }

  /** Creates a set without broken providers. Local, thread-safe; does not fail. */
  public FilterSet(Map<Integer, Filter> byId) {
    this(byId, List.of());
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
   * provider replaces a standard filter with the same number. A provider that cannot be loaded is
   * left out, as in {@link #withServices}. Local, thread-safe; does not fail.
   */
  public static FilterSet installed() {
    return Installed.SET;
  }

  /**
   * Returns this set plus the service providers that a class loader finds; a provider replaces any
   * filter with the same number. A provider that cannot be loaded is left out and reported by
   * {@link #brokenProviders}; after 100 failures, no more providers are loaded. Local, thread-safe;
   * does not fail.
   */
  public FilterSet withServices(ClassLoader loader) {
    Map<Integer, Filter> filters = new HashMap<>(byId);
    Set<String> failures = new LinkedHashSet<>(brokenProviders);
    // ServiceLoader would use the system class loader instead of null.
    Iterator<Filter> services =
        ServiceLoader.load(Filter.class, Objects.requireNonNull(loader)).iterator();
    boolean more = true;
    int failed = 0;
    while (more && failed < MAX_FAILURES) {
      try {
        more = services.hasNext();
        if (more) {
          Filter filter = services.next();
          filters.put(filter.id(), filter);
        }
      } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
        // Datasets that do not need the filter remain usable. A rank must not end with an error,
        // because the other ranks would wait for it.
        failures.add(e.toString());
        failed++;
      }
    }
    return new FilterSet(filters, List.copyOf(failures));
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
    return new FilterSet(map, brokenProviders);
  }

  /**
   * Returns the filter with the given number; empty if it is not installed. Local, thread-safe;
   * does not fail.
   */
  public Optional<Filter> find(int id) {
    return Optional.ofNullable(byId.get(id));
  }
}
