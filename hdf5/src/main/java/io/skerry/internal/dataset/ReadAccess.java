package io.skerry.internal.dataset;

import io.skerry.chunk.content.PackedContent;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ElementReads;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.share.SharedStep;
import io.skerry.collective.step.PreparedStep;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** The way in which a read accesses the file: collectively, or independently of the other ranks. */
sealed interface ReadAccess {
  /** The expectation of further reads of the same chunks. */
  enum Reuse {
    /** Chunks are kept in memory for further reads. */
    LIKELY,
    /** Chunks that need no decoding are not kept in memory. */
    UNLIKELY
  }

  /** Reads from chunks. */
  void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target);

  /** Reads elements with their content from chunks that contain both. */
  PackedContent readContent(ChunkedDataset dataset, Selection selection);

  /** Returns the selected elements that are defined. */
  Selection defined(ChunkedDataset dataset, Selection selection);

  /**
   * Runs a step of a read of a virtual dataset, with exclusive access to the file. The step may run
   * twice if a source is in the same file and the ranks may have unflushed changes.
   *
   * @param path the path of the dataset
   * @param alone the step to run if no other rank takes part
   * @param shared the step to run if several ranks take part
   */
  <A, T> T virtual(
      String path, Callable<A> preparation, PreparedStep<A, T> alone, SharedStep<A, T> shared);

  /**
   * Runs a prepared step of a read with exclusive access to the file.
   *
   * @param path the path of the dataset
   */
  <A, T> T step(String path, Callable<A> preparation, PreparedStep<A, T> step);

  /**
   * Runs a prepared step that acquires its own locks, concurrently with other steps if possible.
   *
   * @param path the path of the dataset
   */
  <A, T> T guarded(String path, Callable<A> preparation, PreparedStep<A, T> step);

  /**
   * Runs several steps as one operation. Between the steps, no other thread can run an operation
   * that needs exclusive access to the file.
   *
   * @param path the path of the dataset
   */
  <T> T whole(String path, Supplier<T> steps);

  /** Collective access: a read that fails on one rank fails on all ranks. */
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
    public <A, T> T virtual(
        String path, Callable<A> preparation, PreparedStep<A, T> alone, SharedStep<A, T> shared) {
      return file.needsOtherRanks()
          ? file.steps().shared(Operation.READ, path, preparation, shared)
          : step(path, preparation, alone);
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

  /**
   * Independent access by one rank, from any thread. If several ranks have the file open, reads of
   * chunks return the elements as of the last flush, with the later independent writes of this rank
   * applied; with a single rank, they return the current elements.
   *
   * @param reuse the expectation of further reads of the same chunks
   */
  record Independent(CollectiveFile file, Reuse reuse) implements ReadAccess {
    @Override
    public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
      ElementReads reads = file.chunks().independent();
      switch (reuse) {
        case LIKELY -> reads.read(dataset, selection, target);
        case UNLIKELY -> reads.readOnce(dataset, selection, target);
      }
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
    public <A, T> T virtual(
        String path, Callable<A> preparation, PreparedStep<A, T> alone, SharedStep<A, T> shared) {
      // With several ranks, a source in the same file is read as of the last flush.
      return step(path, preparation, alone);
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
