package io.skerry.collective;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.chunk.content.PackedContent;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ElementReads;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.read.SingleRankReader;
import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
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
 * The elements of chunked datasets of a file that one rank has open alone. Any number of threads
 * may come in at any time; the cache puts in order what they do. What fails is told in the same way
 * as to several ranks.
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
   * @param flush enters the gate and stores everything
   */
  SingleRankIo(
      FileGate gate,
      CollectiveOutcome outcome,
      SingleRankReader reader,
      SingleRankWriter writer,
      OpenState state,
      WriteMode mode,
      Runnable flush) {
    this.gate = gate;
    this.outcome = outcome;
    this.reader = reader;
    this.writer = writer;
    this.state = state;
    this.mode = mode;
    this.flush = flush;
  }

  @Override
  public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
    TypedMemory memory;
    // Without the objects of the other ways in: a small read takes about as long as they do. Nor
    // does it come in, as long as it needs nothing but versions of chunks, which nobody closes.
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
  public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    return inside(Operation.READ, dataset.name(), () -> reader.readContent(dataset, selection));
  }

  @Override
  public Selection defined(ChunkedDataset dataset, Selection selection) {
    return inside(Operation.DEFINED, dataset.name(), () -> reader.defined(dataset, selection));
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
      // The thread knows by its flag, and the next write will ask for a flush again.
      return;
    } catch (IllegalStateException e) {
      if (!state.isClosed()) {
        throw e;
      }
      // Another thread has closed the file, and stored everything or wanted nothing stored.
    }
  }

  /** The caller also keeps all other threads from the datasets of the requests. */
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
    return result.orElseThrow(() -> failure(operation, subject, status.failure().orElseThrow()));
  }

  private RuntimeException failure(Operation operation, String subject, RuntimeException cause) {
    return switch (cause) {
      case CollectiveException told -> told;
      case RequestInterruptedException interrupted -> interrupted;
      default -> outcome.failedAlone(operation, subject, cause);
    };
  }
}
