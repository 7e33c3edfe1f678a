package io.skerry.collective;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ElementReads;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.read.SingleRankReader;
import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.step.PreparedStep;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.collective.write.SingleRankWriter;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import io.skerry.parallel.WriteMode;
import io.skerry.selection.Selection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Reads and writes elements of a file that a single rank has open. Any number of threads may call
 * the methods at any time; the cache orders their requests. A failure causes the same exception as
 * with several ranks, unless a request was interrupted.
 */
final class SingleRankIo implements ChunkIo, ElementReads {
  private final FileGate gate;
  private final CollectiveOutcome outcome;
  private final SingleRankReader reader;
  private final SingleRankWriter writer;
  private final OpenState state;
  private final WriteMode mode;
  private final Runnable flush;

  /**
   * Creates the object that reads and writes the elements of an open file.
   *
   * @param flush the flush, which acquires exclusive access through the gate and stores all changes
   */
  SingleRankIo(
      FileContext context,
      FileGate gate,
      OpenState state,
      ChunkImageReader images,
      Runnable flush) {
    this.gate = gate;
    this.outcome = context.outcome();
    this.reader = new SingleRankReader(context, images);
    this.writer = new SingleRankWriter(context, gate);
    this.state = state;
    this.mode = context.options().mode();
    this.flush = flush;
  }

  @Override
  public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
    TypedMemory memory;
    // This method avoids the closures that the other methods create. If all chunks are in memory,
    // it does not enter the gate either, since these chunks remain usable after the file is closed.
    try {
      memory = target.get();
      if (reader.readsFromMemory(dataset, selection, memory)) {
        return;
      }
    } catch (RuntimeException e) {
      throw failure(Operation.READ, dataset.name(), e);
    } catch (OutOfMemoryError e) {
      throw failure(Operation.READ, dataset.name(), MemoryLimit.exhausted(e));
    }
    boolean unused =
        inside(
            Operation.READ,
            dataset.name(),
            () -> {
              reader.read(dataset, selection, memory);
              return true;
            });
  }

  @Override
  public void readOnce(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
    boolean unused =
        inside(
            Operation.READ,
            dataset.name(),
            () -> {
              reader.readOnce(dataset, selection, target.get());
              return true;
            });
  }

  @Override
  public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    return inside(Operation.READ, dataset.name(), () -> reader.readContent(dataset, selection));
  }

  @Override
  public Selection defined(ChunkedDataset dataset, Selection selection) {
    return inside(Operation.DEFINED, dataset.name(), () -> reader.defined(dataset, selection));
  }

  @Override
  public List<ChunkSlice> definedSlices(ChunkedDataset dataset, Selection selection) {
    return inside(
        Operation.DEFINED, dataset.name(), () -> reader.definedSlices(dataset, selection));
  }

  @Override
  public ElementReads independent() {
    return this;
  }

  @Override
  public void write(Operation operation, String subject, Supplier<List<WriteRequest>> requests) {
    boolean due =
        beside(
            operation,
            subject,
            () -> {
              writer.write(operation, subject, requests.get());
              return writer.mustFlush();
            });
    if (mode == WriteMode.THROUGH) {
      flush.run();
    } else if (due) {
      flushAfterWrite();
    }
  }

  private void flushAfterWrite() {
    try {
      flush.run();
    } catch (RequestInterruptedException e) {
      // The interrupt status of the thread is set, and the next write requests the flush again.
      return;
    } catch (IllegalStateException e) {
      if (!state.isClosed()) {
        throw e;
      }
      // Another thread has closed the file, and has stored or discarded all changes.
    }
  }

  /** Applies requests for a caller that excludes all other threads from the requested datasets. */
  @Override
  public void apply(Operation operation, String subject, Supplier<List<WriteRequest>> requests) {
    var unused =
        beside(
            operation,
            subject,
            () -> {
              writer.apply(requests.get());
              return true;
            });
  }

  private <T> T inside(Operation operation, String subject, Callable<T> body) {
    gate.enter();
    try {
      return beside(operation, subject, body);
    } finally {
      gate.leave();
    }
  }

  @Override
  public <T> T beside(Operation operation, String subject, Callable<T> body) {
    LocalStatus status = new LocalStatus();
    Optional<T> result = status.attempt(() -> Optional.of(body.call()), Optional.empty());
    return result.orElseThrow(
        () -> failure(operation, subject, LocalStatus.thrown(status.failure().orElseThrow())));
  }

  @Override
  public <A, T> T guarded(
      Operation operation, String path, Callable<A> preparation, PreparedStep<A, T> step) {
    state.checkOpen();
    return beside(operation, path, () -> step.take(preparation.call()));
  }

  /**
   * Runs the writes directly, since a single rank needs no agreement; other threads may write at
   * the same time.
   */
  @Override
  public void joint(String subject, Runnable agreement, Runnable writes) {
    writes.run();
  }

  @Override
  public boolean needsOtherRanks() {
    return false;
  }

  private RuntimeException failure(Operation operation, String subject, RuntimeException cause) {
    return switch (cause) {
      case CollectiveException failed -> failed;
      case RequestInterruptedException interrupted -> interrupted;
      default -> outcome.failedAlone(operation, subject, cause);
    };
  }
}
