package io.skerry.cache.eviction;

import io.skerry.cache.table.Entry;
import io.skerry.chunk.bytes.MemoryLimit;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The attempts to store victims during one eviction. Victims are stored together. If that fails,
 * they are tried one at a time, so that a chunk that cannot be encoded or stored does not keep
 * other chunks in memory. After {@value #MOST_FAILURES} failures to store single chunks, the file
 * is probably the cause, and no further attempts are made.
 */
final class StoreAttempts {
  /** Size at which a batch of chunks to encode and store together is complete, in bytes. */
  private static final long BATCH = 32L << 20;

  private static final int MOST_FAILURES = 16;

  private final Set<Entry> tried = Collections.newSetFromMap(new IdentityHashMap<>());
  private Optional<RuntimeException> first = Optional.empty();
  private int failures;
  private long batch = BATCH;

  /**
   * Returns whether the attempts to store a chunk have ended, with or without success. Such a chunk
   * must not be tried again.
   */
  boolean isTried(Entry entry) {
    return tried.contains(entry);
  }

  /** Returns the size in bytes at which a batch is complete. */
  long batch() {
    return batch;
  }

  /** Returns whether there have been so many failures that no more attempts will be made. */
  boolean isOver() {
    return failures >= MOST_FAILURES;
  }

  /**
   * Returns the first failure to store a single chunk, which is reported to a thread that needs the
   * memory; empty if there was none.
   */
  Optional<RuntimeException> failure() {
    return first;
  }

  /** Records victims that have been stored, or that other threads have written in the meantime. */
  void stored(List<Entry> victims) {
    tried.addAll(victims);
  }

  /**
   * Records a failure to store victims; none of them counts as stored. An {@link OutOfMemoryError}
   * is recorded like any other failure: if the error were thrown, it could fail a request that has
   * already succeeded, because the cache also evicts chunks after a request.
   */
  void failed(List<Entry> victims, Throwable failure) {
    if (victims.size() == 1) {
      tried.addAll(victims);
      first = first.or(() -> Optional.of(asUnchecked(failure)));
      failures++;
    } else {
      batch = 1;
    }
  }

  private static RuntimeException asUnchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException unchecked -> unchecked;
      case OutOfMemoryError exhausted -> MemoryLimit.exhausted(exhausted);
      default -> new IllegalStateException(failure);
    };
  }
}
