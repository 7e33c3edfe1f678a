package io.skerry.collective.step;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Records how to undo the changes that a step makes on this rank. If the step fails on any rank,
 * all ranks undo it, so that no rank continues with an object or with allocated space that does not
 * exist on the other ranks.
 *
 * <p>A class whose state is changed by steps uses {@link #note} to record how to restore that
 * state, and {@link #afterwards} to defer irreversible actions until all ranks have agreed. Outside
 * a step, and on threads that run no step, nothing is recorded and actions run immediately.
 *
 * <p>A step on one file may also change the state of another file, such as the datasets that are
 * open in the target file of an external link. The log of the other file then records its entries
 * in the log of the file on which the step runs.
 *
 * <p>Local; a step belongs to the thread that began it.
 */
public final class UndoLog {
  private final Deque<Runnable> reversals = new ArrayDeque<>();
  private final List<Runnable> deferred = new ArrayList<>();
  private final Set<Object> saved = Collections.newSetFromMap(new IdentityHashMap<>());
  private volatile Optional<Thread> owner = Optional.empty();

  /** The log of the file whose steps may also change this file. */
  private final Optional<UndoLog> outer;

  /** The log of another file whose running step may also change this file. */
  private volatile Optional<UndoLog> taking = Optional.empty();

  /** A digest of the addresses whose entries the step has changed, in the order of the changes. */
  private long changes;

  private UndoLog(Optional<UndoLog> outer) {
    this.outer = outer;
  }

  /** Creates the log of a file that is changed only by steps on itself. */
  public UndoLog() {
    this(Optional.empty());
  }

  /** Returns the log of another file, which steps on the file of this log may also change. */
  public UndoLog joined() {
    return new UndoLog(Optional.of(this));
  }

  /**
   * Runs a part of a step of another log. The part may also change the file of this log.
   *
   * @throws Exception the exception that the part throws
   */
  public <T> T within(UndoLog other, Callable<T> part) throws Exception {
    Optional<UndoLog> before = taking;
    taking = Optional.of(other);
    try {
      return part.call();
    } finally {
      taking = before;
    }
  }

  /**
   * Begins a step.
   *
   * @throws IllegalStateException within another step: steps do not nest
   */
  void begin() {
    if (owner.isPresent()) {
      throw new IllegalStateException(
          "a step began within another step: thread=" + owner.get().getName());
    }
    reversals.clear();
    deferred.clear();
    saved.clear();
    changes = 0;
    owner = Optional.of(Thread.currentThread());
  }

  /**
   * Returns a digest of the changes since the step began, not negative. It is equal on ranks that
   * have changed the same entries in the same order.
   */
  long changes() {
    return changes >>> 2;
  }

  /** Ends a step that has succeeded on all ranks, and runs the deferred actions. */
  void succeed() {
    end();
    List<Runnable> actions = List.copyOf(deferred);
    deferred.clear();
    actions.forEach(Runnable::run);
  }

  /** Ends a step that has failed on some rank, and undoes its changes in reverse order. */
  void fail() {
    end();
    while (!reversals.isEmpty()) {
      reversals.pop().run();
    }
    deferred.clear();
  }

  private void end() {
    owner = Optional.empty();
  }

  /** Returns the log of the step that this thread is running; empty outside a step. */
  private Optional<UndoLog> current() {
    return Optional.of(this)
        .filter(UndoLog::isHere)
        .or(() -> taking.filter(UndoLog::isHere))
        .or(() -> outer.flatMap(UndoLog::current));
  }

  private boolean isHere() {
    return owner.filter(Thread.currentThread()::equals).isPresent();
  }

  /**
   * Records a change.
   *
   * @param reversal the action that undoes the change; must not fail
   */
  public void note(Runnable reversal) {
    current().ifPresent(log -> log.reversals.push(reversal));
  }

  /**
   * Runs an action after the step has succeeded on all ranks. Outside a step, runs it immediately.
   *
   * @param action the action, which must not fail
   */
  public void afterwards(Runnable action) {
    current().ifPresentOrElse(log -> log.deferred.add(action), action);
  }

  /**
   * Records the state of an object that is restored as a whole. Must be called before the object is
   * changed. Only the first call for an object in a step has an effect.
   *
   * @param changed the object, compared by identity
   * @param save the function that saves the current state and returns the action that restores it
   */
  public void noteOnce(Object changed, Supplier<Runnable> save) {
    current()
        .filter(log -> log.saved.add(changed))
        .ifPresent(log -> log.reversals.push(save.get()));
  }

  /** Puts an entry into a map, and records how to restore the map. */
  public <K, V> void put(Map<K, V> map, K key, V value) {
    Optional<V> old = Optional.ofNullable(map.put(key, value));
    count(key);
    note(() -> restore(map, key, old));
  }

  /**
   * Removes an entry from a map, and records how to restore it. In a map that keeps insertion
   * order, a restored entry becomes the last one.
   */
  public <K, V> void remove(Map<K, V> map, K key) {
    Optional<V> old = Optional.ofNullable(map.remove(key));
    if (old.isPresent()) {
      count(key);
      note(() -> restore(map, key, old));
    }
  }

  private void count(Object key) {
    // Only addresses are included, since hashes of other keys may differ between processes.
    if (key instanceof Long address) {
      current().ifPresent(log -> log.changes = (log.changes ^ address) * 0x100000001b3L);
    }
  }

  private static <K, V> void restore(Map<K, V> map, K key, Optional<V> old) {
    if (old.isPresent()) {
      map.put(key, old.get());
    } else {
      map.remove(key);
    }
  }
}
