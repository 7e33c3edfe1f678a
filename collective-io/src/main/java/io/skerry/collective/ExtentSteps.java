package io.skerry.collective;

import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.scheduling.RequestOrder;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.Quiescence;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.write.ExtentChanger;
import io.skerry.parallel.Operation;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Changes the extent of a dataset on all ranks. If no chunk can change, one step sets the extent.
 * Otherwise, the first step only checks the extent; then all changes are flushed, a write changes
 * the chunks, and a second step sets the extent. With an implicit index, another write finally
 * fills the chunks that are newly inside the extent, and a third step reverts the growth if that
 * write fails.
 */
final class ExtentSteps {
  private final FileSteps steps;
  private final FileContext context;
  private final ExtentChanger changer;

  ExtentSteps(FileSteps steps, FileContext context, CollectiveFlush flush, ChunkIo io) {
    this.steps = steps;
    this.context = context;
    this.changer = new ExtentChanger(context, flush, io::apply);
  }

  /** Changes the extent for {@link RawChunks#extend}. Collective; the caller must hold the gate. */
  void change(
      ChunkedDataset dataset, long[] extent, Runnable before, Function<Shape, Runnable> recording) {
    try (var _ = quiesced(dataset, extent)) {
      changeQuiesced(dataset, extent, before, recording);
    }
  }

  /**
   * Excludes conflicting requests: those on the dataset if no chunk can change, otherwise all
   * requests, since the file is flushed before chunks change.
   */
  private ChunkCache.Quiesced quiesced(ChunkedDataset dataset, long[] extent) {
    Quiescence quiescence = context.quiescence();
    return ExtentChanger.onlyGrows(dataset, extent)
        ? quiescence.quiesce(dataset)
        : quiescence.quiesce(RequestOrder.Kind.WRITE);
  }

  private void changeQuiesced(
      ChunkedDataset dataset, long[] extent, Runnable before, Function<Shape, Runnable> recording) {
    String arguments = Arrays.toString(extent);
    boolean changesChunks =
        steps.together(
            Operation.EXTEND,
            dataset.name(),
            arguments,
            () -> {
              dataset.requirePresence();
              boolean changes = ExtentChanger.changesChunks(dataset, extent);
              if (!changes) {
                recording.apply(dataset.shape().withExtent(extent)).run();
                afterwards(
                    dataset,
                    () -> {
                      dataset.reshape(extent);
                      context.chunks().reshape(dataset.id(), dataset.shape());
                    });
              }
              return changes;
            });
    if (changesChunks) {
      Shape old = dataset.shape();
      // The action that stores the extent is prepared before any chunk changes. If the preparation
      // failed later, the elements outside the new extent would be lost although the extent would
      // be unchanged.
      Runnable record =
          changer.prepare(
              dataset,
              extent,
              () -> {
                before.run();
                return recording.apply(old.withExtent(extent));
              });
      steps.together(
          Operation.EXTEND,
          dataset.name(),
          arguments,
          () -> {
            record.run();
            afterwards(dataset, () -> changer.reshape(dataset, extent));
            return true;
          });
      try {
        changer.fill(dataset, old);
      } catch (RuntimeException e) {
        withdraw(dataset, common(old, extent), recording, e);
        throw e;
      }
    }
  }

  /** Returns the intersection of two extents. */
  private static long[] common(Shape shape, long[] extent) {
    long[] common = extent.clone();
    for (int i = 0; i < common.length; i++) {
      common[i] = Math.min(common[i], shape.extent(i));
    }
    return common;
  }

  /**
   * Reverts the growth of a dataset, because the chunks that are newly inside the extent could not
   * be filled and contain arbitrary bytes.
   *
   * @param extent the extent without the growth: in each dimension, the smaller of the old and the
   *     new size
   * @param failure the failure to fill the chunks, equal on all ranks
   */
  private void withdraw(
      ChunkedDataset dataset,
      long[] extent,
      Function<Shape, Runnable> recording,
      RuntimeException failure) {
    try {
      steps.together(
          Operation.EXTEND,
          dataset.name(),
          Arrays.toString(extent),
          () -> {
            recording.apply(dataset.shape().withExtent(extent)).run();
            afterwards(dataset, () -> changer.reshape(dataset, extent));
            return true;
          });
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Makes a change that independent reads can see, after all ranks have agreed on the step. */
  private void afterwards(ChunkedDataset dataset, Runnable change) {
    steps.log().afterwards(() -> context.quiescence().withoutReads(dataset, change));
  }
}
