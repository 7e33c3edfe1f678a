package io.skerry.collective;

import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.parallel.Operation;

/**
 * Flushes an open file: at the request of the caller, after a write, during a read that needs
 * unflushed changes, and before the file is closed.
 */
final class FileFlush {
  private final FileGate gate;
  private final OpenState state;
  private final FileContext context;
  private final CollectiveFlush flush;

  FileFlush(FileGate gate, OpenState state, FileContext context, CollectiveFlush flush) {
    this.gate = gate;
    this.state = state;
    this.context = context;
    this.flush = flush;
  }

  /**
   * Acquires exclusive access through the gate and stores all changes, as a separate operation.
   * Collective.
   */
  void run() {
    gate.collectively(Operation.FLUSH, "", this::runInside);
  }

  /**
   * Stores all changes, as a separate operation, for a caller that already holds the gate.
   * Collective.
   */
  void runInside() {
    state.checkWritable();
    LocalStatus status = new LocalStatus();
    context.outcome().enter(Operation.FLUSH, "", status);
    context.meter().begin(Operation.FLUSH, "");
    try {
      store(status);
    } finally {
      context.outcome().leave();
    }
  }

  /** Stores all changes within an operation that has already begun. Collective. */
  void store(LocalStatus status) {
    try (var _ = context.quiescence().quiesce(RequestOrder.Kind.READ)) {
      flush.run(status);
    }
  }
}
