package io.skerry.collective;

import io.skerry.chunk.content.PackedContent;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ElementReads;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.PreparedStep;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Reads and writes elements of chunked datasets, and runs the steps of the HDF5 layer that take
 * another path with a single rank. There is one implementation for a single rank and one for
 * several ranks; {@link FileParts} chooses it when the file is opened.
 */
interface ChunkIo {
  /**
   * Applies requests, and flushes if the write mode or the amount of unflushed data asks for it.
   * Collective.
   */
  void write(Operation operation, String subject, Supplier<List<WriteRequest>> requests);

  /** Applies requests for a caller that holds the file. Collective. */
  void apply(Operation operation, String subject, Supplier<List<WriteRequest>> requests);

  /** Reads elements into memory. Collective. */
  void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target);

  /** Reads elements with their contents of variable length. Collective. */
  PackedContent readContent(ChunkedDataset dataset, Selection selection);

  /** Finds the defined elements. Collective. */
  Selection defined(ChunkedDataset dataset, Selection selection);

  /** Reads of any thread that need no other rank. Local. */
  ElementReads independent();

  /** Runs a step that needs no other rank and no exclusion of other operations. Local. */
  <T> T beside(Operation operation, String subject, Callable<T> step);

  /**
   * Runs a step of a read that needs no exclusion of other operations: beside them with a single
   * rank, and as a step of all ranks otherwise. Collective.
   *
   * @param path the object, for messages
   * @param preparation its failure on one rank fails the step on all
   * @param step gets the result of the preparation
   */
  <A, T> T guarded(
      Operation operation, String path, Callable<A> preparation, PreparedStep<A, T> step);

  /**
   * Writes to several datasets. Collective.
   *
   * @param subject the datasets, for messages
   * @param agreement lets several ranks agree on the datasets first
   * @param writes the writes themselves
   */
  void joint(String subject, Runnable agreement, Runnable writes);

  /** Returns true if a collective read or write needs other ranks. Local. */
  boolean needsOtherRanks();
}
