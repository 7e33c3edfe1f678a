package io.skerry.internal.dataset;

import io.skerry.chunk.content.PackedContent;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.step.PreparedStep;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** How elements are read: by all ranks together, or by one for itself. */
sealed interface ReadAccess {
  /** Reads from chunks. */
  void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target);

  /** Reads from chunks that have content. */
  PackedContent readContent(ChunkedDataset dataset, Selection selection);

  /** Which of the selected elements are defined. */
  Selection defined(ChunkedDataset dataset, Selection selection);

  /**
   * Takes a step of a read that needs no chunk, once it is prepared, and has the file for itself.
   *
   * @param path of the dataset
   */
  <A, T> T step(String path, Callable<A> preparation, PreparedStep<A, T> step);

  /**
   * The same for a step that guards what it touches and goes beside others where it can.
   *
   * @param path of the dataset
   */
  <A, T> T guarded(String path, Callable<A> preparation, PreparedStep<A, T> step);

  /**
   * Takes several steps between which nobody else changes anything.
   *
   * @param path of the dataset
   */
  <T> T whole(String path, Supplier<T> steps);

  /** Together: a failure of one rank is one of all. */
  record Collective(CollectiveFile file) implements ReadAccess {
    @Override
    public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
      file.chunks().read(dataset, selection, target);
    }

    @Override
    public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
      return file.chunks().readContent(dataset, selection);
    }

    @Override
    public Selection defined(ChunkedDataset dataset, Selection selection) {
      return file.chunks().defined(dataset, selection);
    }

    @Override
    public <A, T> T step(String path, Callable<A> preparation, PreparedStep<A, T> step) {
      return file.steps().together(Operation.READ, path, "", preparation, step);
    }

    @Override
    public <A, T> T guarded(String path, Callable<A> preparation, PreparedStep<A, T> step) {
      return file.guarded(Operation.READ, path, preparation, step);
    }

    @Override
    public <T> T whole(String path, Supplier<T> steps) {
      return file.gate().collectively(Operation.READ, path, steps);
    }
  }

  /** By one rank, in any thread: what the last flush has stored. */
  record Independent(CollectiveFile file) implements ReadAccess {
    @Override
    public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
      file.chunks().independent().read(dataset, selection, target);
    }

    @Override
    public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
      return file.chunks().independent().readContent(dataset, selection);
    }

    @Override
    public Selection defined(ChunkedDataset dataset, Selection selection) {
      return file.chunks().independent().defined(dataset, selection);
    }

    @Override
    public <A, T> T step(String path, Callable<A> preparation, PreparedStep<A, T> step) {
      return file.gate().exclusively(() -> guarded(path, preparation, step));
    }

    @Override
    public <A, T> T guarded(String path, Callable<A> preparation, PreparedStep<A, T> step) {
      return file.beside(Operation.READ, path, () -> step.take(preparation.call()));
    }

    @Override
    public <T> T whole(String path, Supplier<T> steps) {
      return file.gate().exclusively(steps);
    }
  }
}
