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
 * Reads and writes elements of chunked datasets, and runs those steps of the HDF5 layer that differ
 * between a single rank and several ranks. There is one implementation for each case; {@link
 * FileParts} chooses one when the file is opened.
 */
interface ChunkIo {
  /**
   * Applies requests, and flushes if the write mode or the amount of unflushed data requires it.
   * Collective.
   */
  void write(Operation operation, String subject, Supplier<List<WriteRequest>> requests);

  /** Applies requests for a caller that already has exclusive access to the file. Collective. */
  void apply(Operation operation, String subject, Supplier<List<WriteRequest>> requests);

  /** Reads elements into memory. Collective. */
  void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target);

  /** Reads elements with their variable-length content. Collective. */
  PackedContent readContent(ChunkedDataset dataset, Selection selection);

  /** Returns the defined elements of the selection. Collective. */
  Selection defined(ChunkedDataset dataset, Selection selection);

  /** Returns the read operations that any thread may call and that involve no other rank. Local. */
  ElementReads independent();

  /**
   * Runs a step that involves no other rank and need not exclude other operations. Failures are
   * reported as {@link CollectiveFile#beside} describes. Local.
   */
  <T> T beside(Operation operation, String subject, Callable<T> step);

  /**
   * Runs a step of a read. With a single rank, the step may run at the same time as other
   * operations; with several ranks, all ranks run it together. Collective.
   *
   * @param path path of the object, for messages
   * @param preparation the preparation, which runs first; if it fails on one rank, the step fails
   *     on all ranks
   * @param step the step, which receives the result of the preparation
   */
  <A, T> T guarded(
      Operation operation, String path, Callable<A> preparation, PreparedStep<A, T> step);

  /**
   * Writes to several datasets. Collective.
   *
   * @param subject the names of the datasets, for error messages
   * @param agreement the step in which all ranks agree on the datasets; it runs before the writes,
   *     and only if there is more than one rank
   * @param writes the step that performs the writes
   */
  void joint(String subject, Runnable agreement, Runnable writes);

  /** Returns true if a collective read or write involves other ranks. Local. */
  boolean needsOtherRanks();
}
