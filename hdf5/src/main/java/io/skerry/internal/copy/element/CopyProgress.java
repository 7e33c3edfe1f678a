package io.skerry.internal.copy.element;

import io.skerry.collective.step.LocalStatus;
import java.util.function.LongConsumer;

/**
 * Reports the progress of a copy to the watcher of this rank. If the watcher fails on one rank, the
 * next step of the copy fails on all ranks. Local.
 */
public final class CopyProgress {
  private final LongConsumer watcher;
  private final LocalStatus status = new LocalStatus();

  /**
   * Creates the progress report of one copy.
   *
   * @param watcher a consumer of the number of bytes that all ranks have copied since the last
   *     call; not called again after it has failed
   */
  public CopyProgress(LongConsumer watcher) {
    this.watcher = watcher;
  }

  void advance(long bytes) {
    status.attempt(() -> watcher.accept(bytes));
  }

  /**
   * Throws the exception that the watcher threw, if it has failed. Called within steps in which the
   * ranks agree on failures.
   */
  public void requireWatched() {
    if (status.failure().isPresent()) {
      throw status.failure().get();
    }
  }
}
