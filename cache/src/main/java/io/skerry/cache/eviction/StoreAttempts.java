package io.skerry.cache.eviction;

import io.skerry.cache.table.Entry;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What was tried while somebody stores chunks to make room. Chunks go to the file together; if that
 * fails they are tried one by one, so that one that cannot be encoded or stored keeps no other in
 * memory. If one after the other fails it is the file that is at fault, and the rest is left alone.
 */
final class StoreAttempts {
  /** Bytes that are encoded and stored at a time. */
  private static final long BATCH = 32L << 20;

  private static final int MOST_FAILURES = 16;

  private final Set<Entry> tried = Collections.newSetFromMap(new IdentityHashMap<>());
  private Optional<RuntimeException> first = Optional.empty();
  private int failures;
  private long batch = BATCH;

  /** Returns whether a chunk is not to be tried again. */
  boolean isTried(Entry entry) {
    return tried.contains(entry);
  }

  /** Bytes from which on chunks are enough for once. */
  long batch() {
    return batch;
  }

  /** Returns whether it is of no use to go on. */
  boolean isOver() {
    return failures >= MOST_FAILURES;
  }

  /** What to tell who needs the room. */
  Optional<RuntimeException> failure() {
    return first;
  }

  /** They are stored, or somebody has written to them meanwhile. */
  void stored(List<Entry> victims) {
    tried.addAll(victims);
  }

  /** None of them is stored. */
  void failed(List<Entry> victims, RuntimeException failure) {
    if (victims.size() == 1) {
      tried.addAll(victims);
      first = first.or(() -> Optional.of(failure));
      failures++;
    } else {
      batch = 1;
    }
  }
}
