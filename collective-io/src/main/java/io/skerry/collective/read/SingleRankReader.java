package io.skerry.collective.read;

import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat.Definedness;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.PresentChunks;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads through the cache, in a file that a single rank has open. Thread-safe. Reads return all
 * written values, whether or not they have been flushed.
 */
public final class SingleRankReader {
  /** The maximum number of bytes that {@link #readsFromMemory} reads from several chunks. */
  private static final long SMALL = 64 << 10;

  /** The maximum size, in bytes, of a read that first gathers several rows in an array. */
  private static final long FEW = 4 << 10;

  private final FileContext context;
  private final ChunkImageReader images;
  private final PresentChunks present;
  private final ThreadLocal<MemorySegment> stages =
      ThreadLocal.withInitial(() -> HeapBytes.allocate(FEW));

  public SingleRankReader(FileContext context, ChunkImageReader images) {
    this.context = context;
    this.images = images;
    this.present = new PresentChunks(context);
  }

  /**
   * Reads the selected values in selection order; undefined elements are read as the fill value.
   *
   * @param selection a selection that denotes the same elements in every extent that contains it
   * @param memory the memory to fill
   */
  public void read(ChunkedDataset dataset, Selection selection, TypedMemory memory) {
    read(dataset, selection, new ScatterReader(context, images, dataset, memory));
  }

  /**
   * Reads like {@link #read}, for a caller that expects no further reads of the same chunks. Chunks
   * that need no decoding are not added to the cache.
   */
  public void readOnce(ChunkedDataset dataset, Selection selection, TypedMemory memory) {
    read(dataset, selection, ScatterReader.once(context, images, dataset, memory));
  }

  private void read(ChunkedDataset dataset, Selection selection, ScatterReader reader) {
    var unused =
        inside(
            dataset,
            selection,
            shape -> {
              List<ChunkSlice> slices = dataset.grid().cut(selection, shape);
              cache().read(reader.request(selection, slices));
              return true;
            });
  }

  /**
   * Reads a block if all of its chunks are in memory and its values need no conversion; a block
   * that touches several chunks must also be small. Does not use any resource that is released when
   * the file is closed.
   *
   * @return true if the block was read, and the extent did not shrink in the meantime; if false,
   *     the caller must use {@link #read}
   */
  public boolean readsFromMemory(ChunkedDataset dataset, Selection selection, TypedMemory memory) {
    List<ChunkRows> rows = dataset.grid().rows(selection);
    if (rows.isEmpty()
        || rows.size() > 1 && memory.values().byteSize() > SMALL
        || !memory.conversion().isIdentity()) {
      return false;
    }
    int cuts = dataset.cuts();
    selection.checkWithin(dataset.shape());
    DatasetChunks chunks = dataset.chunks();
    MemorySegment values = memory.values();
    ChunkRows first = rows.getFirst();
    // Copying short rows is faster between arrays than between arbitrary segments.
    boolean staged = values.byteSize() <= FEW && (first.rows() > 1 || rows.size() > 1);
    MemorySegment block = staged ? stage(values.byteSize()) : values;
    if (rows.size() == 1) {
      Optional<MemoryChunk> held = chunks.peek(chunks.numbers().number(first));
      if (held.isEmpty()) {
        return false;
      }
      dataset.format().readRows(held.get(), first, block);
    } else {
      List<MemoryChunk> held = chunks.peek(rows);
      if (held.isEmpty()) {
        return false;
      }
      for (int i = 0; i < held.size(); i++) {
        dataset.format().readRows(held.get(i), rows.get(i), block);
      }
    }
    if (staged) {
      MemorySegment.copy(block, 0, values, 0, values.byteSize());
    }
    return dataset.cuts() == cuts;
  }

  /** Returns memory that the calling thread may use until its next read. */
  private MemorySegment stage(long bytes) {
    // There may be millions of virtual threads that read only once, so no memory is kept for them.
    return Thread.currentThread().isVirtual()
        ? HeapBytes.allocate(bytes)
        : stages.get().asSlice(0, bytes);
  }

  /**
   * Runs a reader, and runs it again if the extent has shrunk during the read. Requests wait until
   * an ongoing change to the extent is complete, and the selection may then be outside the extent.
   *
   * @param reader the reader of the selection within the given extent
   */
  private static <T> T inside(
      ChunkedDataset dataset, Selection selection, Function<Shape, T> reader) {
    while (true) {
      int cuts = dataset.cuts();
      Shape shape = dataset.shape();
      selection.checkWithin(shape);
      T result = reader.apply(shape);
      if (dataset.cuts() == cuts) {
        return result;
      }
    }
  }

  /** Reads the selected elements with their variable-length content, in selection order. */
  public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    return inside(
        dataset,
        selection,
        shape -> {
          ContentShares shares = new ContentShares(dataset, shape);
          cache().read(shares.request(selection, dataset.grid().cut(selection, shape)));
          return shares.assemble(selection);
        });
  }

  /** Returns the defined elements of the selection. A point selection keeps its order. */
  public Selection defined(ChunkedDataset dataset, Selection selection) {
    return inside(
        dataset,
        selection,
        shape -> {
          if (dataset.format().definedness() == Definedness.ALL) {
            dataset.requirePresence();
            return dataset.everything(selection, shape);
          }
          DefinedParts parts = new DefinedParts(dataset);
          cache().defined(parts.request(selection, present.slices(dataset, selection, shape)));
          return parts.of(selection);
        });
  }

  /** Cuts a selection into slices of the chunks that may have defined elements. */
  public List<ChunkSlice> definedSlices(ChunkedDataset dataset, Selection selection) {
    return inside(dataset, selection, shape -> present.slices(dataset, selection, shape).get());
  }

  private ChunkCache cache() {
    return context.cache();
  }
}
