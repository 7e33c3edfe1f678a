package io.skerry.internal.dataset.virtual.source;

import io.skerry.collective.trust.ReferencedFiles.Found;
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

/**
 * Open source files. If there are too many, the least recently used ones are closed. Except during
 * concurrent reads, only the most recently used file of a pool is in use. Local; not thread-safe
 * unless stated otherwise.
 */
final class SourcePool implements AutoCloseable {
  private final int most;
  private final OpenFileLimit limit;
  private final Optional<SourcePool> top;
  private final Map<Path, Entry> files = new LinkedHashMap<>(16, 0.75f, true);

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
   * @param most the maximum number of open files in this pool and in all pools below it together,
   *     except that each pool may keep the file that is in use
   */
  static SourcePool of(int most) {
    return new SourcePool(most, new OpenFileLimit(most), Optional.empty());
  }

  /**
   * Creates an empty pool for the sources of a file in this pool. The pool must be closed when that
   * file is closed.
   *
   * @param mostBelow the maximum number of open files in the new pool
   */
  SourcePool below(int mostBelow) {
    return new SourcePool(mostBelow, limit, Optional.of(top.orElse(this)));
  }

  /**
   * An open file and the names under which mappings found it.
   *
   * @param names the names, a mutable set
   */
  private record Entry(OpenSource source, Set<String> names) {}

  /**
   * Returns the file that a mapping found under a name; empty if it is not open. Thread-safe, like
   * {@link #add}.
   */
  synchronized Optional<OpenSource> byName(String name) {
    OpenSource known = named.get(name);
    // The lookup marks the file as used.
    return known == null
        ? Optional.empty()
        : Optional.ofNullable(files.get(known.path())).map(Entry::source);
  }

  /**
   * Returns the file that was found under a name; opens the file if it is not open.
   *
   * @param opener a function that opens the file, given its absolute path
   */
  OpenSource at(Found found, String name, Function<Path, OpenSource> opener) {
    Path path = found.path().toAbsolutePath().normalize();
    Entry entry = files.get(path);
    if (entry == null) {
      entry = new Entry(opener.apply(path), new HashSet<>(2));
      files.put(path, entry);
      limit.opened();
      closeUnused();
    }
    entry.names.add(name);
    named.put(name, entry.source);
    return entry.source;
  }

  /**
   * Adds a file that was found under a name, unless it is open already. Closes no other file.
   * Thread-safe.
   *
   * @param maker a function that creates the source, given the absolute path of the file
   * @return the source in the pool
   */
  synchronized OpenSource add(Found found, String name, Function<Path, OpenSource> maker) {
    Path path = found.path().toAbsolutePath().normalize();
    OpenSource made = maker.apply(path);
    Entry entry = files.get(path);
    if (entry == null) {
      entry = new Entry(made, new HashSet<>(2));
      files.put(path, entry);
      limit.opened();
    } else {
      made.close();
    }
    entry.names.add(name);
    named.put(name, entry.source);
    return entry.source;
  }

  /**
   * Closes files so that others can be added.
   *
   * @param number the number of files that the caller wants to add
   * @return the number of files that can be added: {@code number}, but at most half the capacity of
   *     the pool, or 1 if that is more
   */
  int makeRoom(int number) {
    int room = Math.min(number, Math.max(1, most / 2));
    while (files.size() > Math.max(1, most - room)) {
      closeEldest();
    }
    SourcePool first = top.orElse(this);
    while (limit.isExceededBy(room) && first.files.size() > 1) {
      first.closeEldest();
    }
    while (limit.isExceededBy(room) && files.size() > 1) {
      closeEldest();
    }
    return room;
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
    Iterator<Entry> all = files.values().iterator();
    Entry eldest = all.next();
    all.remove();
    eldest.names.forEach(named::remove);
    close(eldest.source);
  }

  private void close(OpenSource source) {
    limit.closed();
    source.close();
  }

  /**
   * Closes all files, even if some of them cannot be closed.
   *
   * @throws RuntimeException the first failure, to which later failures are added as suppressed
   *     exceptions
   */
  @Override
  public void close() {
    List<OpenSource> all = files.values().stream().map(Entry::source).toList();
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
