package io.skerry.collective;

import io.skerry.chunk.content.PackedContent;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ElementReads;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.read.CollectiveReader;
import io.skerry.collective.read.IndependentReader;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.step.PreparedStep;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.collective.write.CollectiveWriter;
import io.skerry.parallel.Operation;
import io.skerry.parallel.WriteMode;
import io.skerry.selection.Selection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Reads and writes elements collectively, in a file that several ranks have open. */
final class ParallelIo implements ChunkIo {
  private final FileGate gate;
  private final OpenState state;
  private final FileSteps steps;
  private final CollectiveWriter writer;
  private final CollectiveReader reader;
  private final IndependentReader independent;
  private final WriteMode mode;
  private final Runnable flush;

  /**
   * Creates the object that reads and writes the elements of an open file.
   *
   * @param beforeTransfer the flush that stores all changes within a read or write that has already
   *     begun
   * @param flush the flush that stores all changes after a write, for a caller that holds the gate
   */
  ParallelIo(
      FileContext context,
      FileGate gate,
      OpenState state,
      FileSteps steps,
      CollectiveFlush beforeTransfer,
      ChunkImageReader images,
      Runnable flush) {
    this.gate = gate;
    this.state = state;
    this.steps = steps;
    this.writer = new CollectiveWriter(context, beforeTransfer, images);
    this.reader = new CollectiveReader(context, beforeTransfer, images);
    this.independent = new IndependentReader(context, gate, images);
    this.mode = context.options().mode();
    this.flush = flush;
  }

  @Override
  public void write(Operation operation, String subject, Supplier<List<WriteRequest>> requests) {
    gate.collectively(
        operation,
        subject,
        () -> {
          state.checkWritable();
          writer.write(operation, subject, requests);
          if (mode == WriteMode.THROUGH) {
            flush.run();
          }
        });
  }

  @Override
  public void apply(Operation operation, String subject, Supplier<List<WriteRequest>> requests) {
    writer.write(operation, subject, requests);
  }

  @Override
  public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
    gate.collectively(
        Operation.READ,
        dataset.name(),
        () -> {
          state.checkOpen();
          reader.read(dataset, selection, target);
        });
  }

  @Override
  public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    return gate.collectively(
        Operation.READ,
        dataset.name(),
        () -> {
          state.checkOpen();
          return reader.readContent(dataset, selection);
        });
  }

  @Override
  public Selection defined(ChunkedDataset dataset, Selection selection) {
    return gate.collectively(
        Operation.DEFINED,
        dataset.name(),
        () -> {
          state.checkOpen();
          return reader.defined(dataset, selection);
        });
  }

  @Override
  public ElementReads independent() {
    return independent;
  }

  @Override
  public <T> T beside(Operation operation, String subject, Callable<T> step) {
    LocalStatus status = new LocalStatus();
    Optional<T> result = status.attempt(() -> Optional.of(step.call()), Optional.empty());
    return result.orElseThrow(() -> LocalStatus.thrown(status.failure().orElseThrow()));
  }

  @Override
  public <A, T> T guarded(
      Operation operation, String path, Callable<A> preparation, PreparedStep<A, T> step) {
    return steps.together(operation, path, "", preparation, step);
  }

  @Override
  public void joint(String subject, Runnable agreement, Runnable writes) {
    gate.collectively(
        Operation.WRITE,
        subject,
        () -> {
          agreement.run();
          writes.run();
        });
  }

  @Override
  public boolean needsOtherRanks() {
    return true;
  }
}
