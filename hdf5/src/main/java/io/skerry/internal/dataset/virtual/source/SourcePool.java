package io.skerry.internal.dataset.virtual.source;

import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Open source files and the open datasets in them. If there are too many of either, the least
 * recently used ones are closed. Only the most recently used file of a pool is in use. Local, not
 * thread-safe.
 */
final class SourcePool implements AutoCloseable {
  private final int most;
  private final OpenFileLimit limit;
  private final Optional<SourcePool> top;
  private final Map<Path, OpenSource> files = new LinkedHashMap<>(16, 0.75f, true);

  /** The open files by the names under which mappings found them. */
  private final Map<String, OpenSource> named = new HashMap<>();

  private SourcePool(int most, OpenFileLimit limit, Optional<SourcePool> top) {
    this.most = most;
    this.limit = limit;
    this.top = top;
  }

  /**
   * Creates an empty pool.
   *
   * @param most the greatest number of open files in this pool and in all pools below it together,
   *     except that each pool may keep the file that is in use
   */
  static SourcePool of(int most) {
    return new SourcePool(most, new OpenFileLimit(most), Optional.empty());
  }

  /**
   * Creates an empty pool for the sources of a file in this pool. The pool must be closed when that
   * file is closed.
   *
   * @param mostBelow the greatest number of open files in the new pool
   */
  SourcePool below(int mostBelow) {
    return new SourcePool(mostBelow, limit, Optional.of(top.orElse(this)));
  }

  /** An open source file. */
  static final class OpenSource {
    private static final int DATASETS_OPEN = 64;

    private final Path key;
    private final Function<String, NativeDataset> opener;
    private final Runnable closer;
    private final Set<String> names = new HashSet<>();
    private final Map<String, NativeDataset> datasets = new LinkedHashMap<>(16, 0.75f, true);

    private OpenSource(Path key, Function<String, NativeDataset> opener, Runnable closer) {
      this.key = key;
      this.opener = opener;
      this.closer = closer;
    }

    /** Returns a source that this rank has opened, and that is closed with this object. */
    static OpenSource of(Path key, HdfFile file) {
      return new OpenSource(key, file::dataset, file::close);
    }

    /** Returns a source that is the file with the virtual datasets, which remains open. */
    static OpenSource within(Path key, HdfFile file) {
      return new OpenSource(key, file::datasetHere, () -> {});
    }

    /** Closes the file if this rank has opened it as a source. */
    void close() {
      closer.run();
    }

    /**
     * Returns the dataset at a path.
     *
     * @throws io.skerry.NoSuchObjectException if there is no dataset at the path
     */
    NativeDataset dataset(String path) {
      Optional<NativeDataset> known = Optional.ofNullable(datasets.get(path));
      if (known.isPresent()) {
        return known.get();
      }
      NativeDataset opened = opener.apply(path);
      datasets.put(path, opened);
      if (datasets.size() > DATASETS_OPEN) {
        Iterator<NativeDataset> eldest = datasets.values().iterator();
        NativeDataset unused = eldest.next();
        eldest.remove();
      }
      return opened;
    }
  }

  /** Returns the file that a mapping found under a name; empty if it is not open. */
  Optional<OpenSource> byName(String name) {
    OpenSource known = named.get(name);
    // The lookup marks the file as used.
    return known == null ? Optional.empty() : Optional.ofNullable(files.get(known.key));
  }

  /** Returns the file that was found under a name, and opens it if it is not open. */
  OpenSource at(Found found, String name, Supplier<HdfFile> opener) {
    Path key = found.path().toAbsolutePath().normalize();
    OpenSource source = files.get(key);
    if (source == null) {
      source = OpenSource.of(key, opener.get());
      files.put(key, source);
      limit.opened();
      closeUnused();
    }
    source.names.add(name);
    named.put(name, source);
    return source;
  }

  private void closeUnused() {
    if (files.size() > most) {
      closeEldest();
    }
    SourcePool first = top.orElse(this);
    // A file of the first pool is closed together with all sources below it.
    while (limit.isExceeded() && first.files.size() > 1) {
      first.closeEldest();
    }
    while (limit.isExceeded() && files.size() > 1) {
      closeEldest();
    }
  }

  private void closeEldest() {
    Iterator<OpenSource> all = files.values().iterator();
    OpenSource eldest = all.next();
    all.remove();
    eldest.names.forEach(named::remove);
    close(eldest);
  }

  private void close(OpenSource source) {
    limit.closed();
    source.close();
  }

  /**
   * Closes all files, even if some of them cannot be closed.
   *
   * @throws RuntimeException the first failure; the others are suppressed exceptions of it
   */
  @Override
  public void close() {
    List<OpenSource> all = List.copyOf(files.values());
    files.clear();
    named.clear();
    List<RuntimeException> failures = new ArrayList<>();
    for (OpenSource source : all) {
      try {
        close(source);
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      failures.stream().skip(1).forEach(failures.getFirst()::addSuppressed);
      throw failures.getFirst();
    }
  }
}
