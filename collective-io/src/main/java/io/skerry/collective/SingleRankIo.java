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
final class SingleRankIo implements ElementReads {
  private final FileGate gate;
  private final CollectiveOutcome outcome;
  private final SingleRankReader reader;
  private final SingleRankWriter writer;

  SingleRankIo(
      FileGate gate, CollectiveOutcome outcome, SingleRankReader reader, SingleRankWriter writer) {
    this.gate = gate;
    this.outcome = outcome;
    this.reader = reader;
    this.writer = writer;
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

  /**
   * Applies requests.
   *
   * @return whether so much is unstored that there should be a flush
   */
  boolean write(Operation operation, String subject, Supplier<List<WriteRequest>> requests) {
    return attempt(
        operation,
        subject,
        () -> {
          writer.write(operation, subject, requests.get());
          return writer.mustFlush();
        });
  }

  /**
   * Applies requests for a caller that keeps everybody else from their datasets, and holds the
   * file's gate.
   */
  void apply(Operation operation, String subject, Supplier<List<WriteRequest>> requests) {
    var unused =
        attempt(
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
      return attempt(operation, subject, body);
    } finally {
      gate.leave();
    }
  }

  /**
   * Does something that guards itself; what fails is told as an operation of several ranks does.
   */
  <T> T attempt(Operation operation, String subject, Callable<T> body) {
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
