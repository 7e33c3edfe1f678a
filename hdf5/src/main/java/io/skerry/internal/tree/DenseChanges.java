package io.skerry.internal.tree;

import io.skerry.collective.step.UndoLog;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The changes to dense storage since the last flush, by object and name. The flush writes them to
 * the file; until then, they take precedence over the content of the file.
 *
 * @param <M> the type of the entries: links or attributes
 */
final class DenseChanges<M> {
  private final Function<M, String> name;
  private final UndoLog log;
  private final Map<Long, Map<String, Optional<M>>> objects = new HashMap<>();

  /**
   * Creates an empty set of changes.
   *
   * @param log the log that undoes the changes of failed steps
   */
  DenseChanges(Function<M, String> name, UndoLog log) {
    this.name = name;
    this.log = log;
  }

  /** Returns whether the dense storage of an object has changed or is to be created. */
  boolean has(long object) {
    return objects.containsKey(object);
  }

  /**
   * Returns the changes to an object by name, in the order in which the names were first changed;
   * the value of a removal is empty.
   */
  Map<String, Optional<M>> of(long object) {
    return objects.getOrDefault(object, Map.of());
  }

  /** Adds an entry, or replaces the entry with the same name. */
  void put(long object, M added) {
    change(object, name.apply(added), Optional.of(added));
  }

  /** Removes the entry with the given name. */
  void remove(long object, String removed) {
    change(object, removed, Optional.empty());
  }

  private void change(long object, String key, Optional<M> change) {
    Map<String, Optional<M>> known = objects.get(object);
    if (known == null) {
      known = new LinkedHashMap<>();
      log.put(objects, object, known);
    }
    log.put(known, key, change);
  }

  /** Returns stored entries with the changes applied. */
  List<M> over(long object, List<M> stored) {
    if (!has(object)) {
      return stored;
    }
    Map<String, M> all = new LinkedHashMap<>();
    stored.forEach(m -> all.put(name.apply(m), m));
    of(object)
        .forEach(
            (key, change) -> change.ifPresentOrElse(m -> all.put(key, m), () -> all.remove(key)));
    return List.copyOf(all.values());
  }

  /** Discards the changes to a deleted object. */
  void forget(long object) {
    log.remove(objects, object);
  }

  /** Removes all changes after a flush has written them. */
  void clear() {
    objects.clear();
  }
}
