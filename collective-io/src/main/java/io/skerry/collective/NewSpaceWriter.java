package io.skerry.collective;

import io.skerry.collective.core.FileContext;
import io.skerry.collective.step.LocalStatus;
import io.skerry.parallel.Operation;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Writes data into space to which nothing in the file refers yet. The data is durable after the
 * next flush.
 */
final class NewSpaceWriter {
  private final FileSteps steps;
  private final FileContext context;

  NewSpaceWriter(FileSteps steps, FileContext context) {
    this.steps = steps;
    this.context = context;
  }

  /**
   * Writes the data of all ranks. Collective.
   *
   * @param kind the kind of data, for messages; equal on all ranks
   * @param data a supplier of the data of this rank; if it fails on one rank, the write fails on
   *     all ranks
   * @param nothing the data to use if {@code data} fails on this rank
   * @param write the collective action that places and writes the data
   */
  <T> void write(
      String subject, String kind, Supplier<T> data, T nothing, BiConsumer<T, LocalStatus> write) {
    steps.write(subject, () -> writeInside(subject, kind, data, nothing, write));
  }

  private <T> void writeInside(
      String subject, String kind, Supplier<T> data, T nothing, BiConsumer<T, LocalStatus> write) {
    LocalStatus status = new LocalStatus();
    T mine = status.attempt(data::get, nothing);
    context.outcome().enter(Operation.WRITE, subject, kind, status);
    try {
      write.accept(mine, status);
      context.changes().requireSync();
      context.changes().beginCollectiveWrite();
      context.outcome().agree(status);
    } finally {
      context.outcome().leave();
    }
  }
}
