package io.skerry.collective;

import io.skerry.chunk.content.PackedContent;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ElementReads;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Reads and writes elements of chunked datasets. There is one implementation for a file that a
 * single rank has open and one for several ranks; {@link Engine} chooses it, and nothing else asks
 * for the number of ranks on the way of a read or a write.
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

  /** Runs a step that needs no other rank and guards what it touches. Local. */
  <T> T beside(Operation operation, String subject, Callable<T> step);
}
