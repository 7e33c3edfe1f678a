package io.skerry.internal.tree;

import io.skerry.collective.step.UndoLog;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What was added to and removed from the dense storage of objects since the last flush, by object
 * and name. The file itself is changed by the flush; until then this lies over what the file says.
 *
 * @param <M> links or attributes
 */
final class DenseChanges<M> {
  private final Function<M, String> name;
  private final UndoLog log;
  private final Map<Long, Map<String, Optional<M>>> objects = new HashMap<>();

  /**
   * @param log undoes changes of steps that fail
   */
  DenseChanges(Function<M, String> name, UndoLog log) {
    this.name = name;
    this.log = log;
  }

  /** Returns whether anything of an object has changed, or is to become dense. */
  boolean has(long object) {
    return objects.containsKey(object);
  }

  /** The changes of an object, in the order they were made; empty where something was removed. */
  Map<String, Optional<M>> of(long object) {
    return objects.getOrDefault(object, Map.of());
  }

  /** Adds, or replaces what has the same name. */
  void put(long object, M added) {
    change(object, name.apply(added), Optional.of(added));
  }

  /** Removes what has that name. */
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

  /** What the file says, with the changes laid over it. */
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

  /** Forgets the changes of an object. */
  void forget(long object) {
    log.remove(objects, object);
  }

  /** The flush has written them. */
  void clear() {
    objects.clear();
  }
}
