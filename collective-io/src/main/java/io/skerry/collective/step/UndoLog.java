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
import java.util.function.Supplier;

/**
 * What a step that all ranks take has changed on this one. If it fails on any rank, all put back
 * what they had before: else one of them would go on with an object, or with space taken, that the
 * others know nothing of.
 *
 * <p>Whoever keeps something that steps change tells how to put it back ({@link #note}), and leaves
 * what cannot be put back until all have agreed ({@link #afterwards}). Outside of a step, and in
 * threads that take none, there is nothing to put back: actions run at once then.
 *
 * <p>Local; a step belongs to the thread that began it.
 */
public final class UndoLog {
  private final Deque<Runnable> reversals = new ArrayDeque<>();
  private final List<Runnable> rest = new ArrayList<>();
  private final Set<Object> remembered = Collections.newSetFromMap(new IdentityHashMap<>());
  private volatile Optional<Thread> taker = Optional.empty();

  /** The addresses whose entries the step has changed, in their order, as one number. */
  private long changes;

  /** A step begins; there is none within another. */
  void begin() {
    if (taker.isPresent()) {
      throw new IllegalStateException("a step within a step: thread=" + taker.get().getName());
    }
    reversals.clear();
    rest.clear();
    remembered.clear();
    changes = 0;
    taker = Optional.of(Thread.currentThread());
  }

  /**
   * A number that is the same on ranks that have changed the same entries in the same order since
   * the step began; not negative.
   */
  long changes() {
    return changes >>> 2;
  }

  /** It has succeeded on all ranks: what was left is done. */
  void succeed() {
    end();
    List<Runnable> actions = List.copyOf(rest);
    rest.clear();
    actions.forEach(Runnable::run);
  }

  /** It has failed on some rank: the last change is undone first. */
  void fail() {
    end();
    while (!reversals.isEmpty()) {
      reversals.pop().run();
    }
    rest.clear();
  }

  private void end() {
    taker = Optional.empty();
  }

  private boolean isHere() {
    return taker.filter(Thread.currentThread()::equals).isPresent();
  }

  /**
   * Something has been changed.
   *
   * @param reversal puts it back; must not fail
   */
  public void note(Runnable reversal) {
    if (isHere()) {
      reversals.push(reversal);
    }
  }

  /**
   * Does something when the step has succeeded on all ranks.
   *
   * @param action must not fail
   */
  public void afterwards(Runnable action) {
    if (isHere()) {
      rest.add(action);
    } else {
      action.run();
    }
  }

  /**
   * The same for something that is put back as a whole, before it is changed for the first time.
   *
   * @param changed what that is
   * @param remember keeps what it is now, and gives the reversal
   */
  public void noteOnce(Object changed, Supplier<Runnable> remember) {
    if (isHere() && remembered.add(changed)) {
      reversals.push(remember.get());
    }
  }

  /** Puts into a map, to be put back. */
  public <K, V> void put(Map<K, V> map, K key, V value) {
    Optional<V> old = Optional.ofNullable(map.put(key, value));
    count(key);
    note(() -> restore(map, key, old));
  }

  /** Removes from a map, to be put back: at the end, if the map keeps the order. */
  public <K, V> void remove(Map<K, V> map, K key) {
    Optional<V> old = Optional.ofNullable(map.remove(key));
    if (old.isPresent()) {
      count(key);
      note(() -> restore(map, key, old));
    }
  }

  private void count(Object key) {
    // Other keys need not have the same hash in another process.
    if (isHere() && key instanceof Long address) {
      changes = (changes ^ address) * 0x100000001b3L;
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
