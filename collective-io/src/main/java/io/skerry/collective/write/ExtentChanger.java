package io.skerry.collective.write;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.collective.step.LocalStatus;
import io.skerry.format.index.ImplicitIndex;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Changes the extent of a dataset. Chunks without remaining elements are removed, and their space
 * is freed unless the index is implicit. In chunks that lose elements at the new edge, these
 * elements are set to the fill value (in sparse datasets, they become undefined), so that old
 * values do not reappear when the dataset grows later. If the layout stores chunks at the edge in
 * another format, chunks that become or cease to be edge chunks are stored again. All of these
 * chunks become dirty chunks of their owners, and the next flush writes them together with the new
 * extent.
 *
 * <p>Growing a dataset changes no chunk, unless the index is implicit or the layout stores chunks
 * at the edge in another format.
 */
public final class ExtentChanger {
  private final FileContext context;
  private final CollectiveFlush flush;
  private final Writer writer;

  public ExtentChanger(FileContext context, CollectiveFlush flush, Writer writer) {
    this.context = context;
    this.flush = flush;
    this.writer = writer;
  }

  /** Applies the changes to chunks that a new extent requires. */
  @FunctionalInterface
  public interface Writer {
    /** Applies the requests of all ranks. Collective. */
    void write(Operation operation, String subject, Supplier<List<WriteRequest>> requests);
  }

  /** Returns true only if a new extent leaves every chunk unchanged. Local; equal on all ranks. */
  public static boolean onlyGrows(ChunkedDataset dataset, long[] extent) {
    boolean grows = extent.length == dataset.shape().rank() && !dataset.hasOtherEdges();
    for (int i = 0; grows && i < extent.length; i++) {
      grows = extent[i] >= dataset.shape().extent(i);
    }
    return grows && !(dataset.index() instanceof ImplicitIndex);
  }

  /**
   * Returns whether a new extent may change chunks. Local; equal on all ranks.
   *
   * @throws IllegalArgumentException if the extent has a different rank, a negative size or more
   *     elements than can be counted, or exceeds the maximum
   */
  public static boolean changesChunks(ChunkedDataset dataset, long[] extent) {
    dataset.grid().requireWholeChunks(dataset.shape().withExtent(extent));
    boolean shrinks = false;
    for (int i = 0; i < extent.length; i++) {
      shrinks |= extent[i] < dataset.shape().extent(i);
    }
    return shrinks || dataset.hasOtherEdges() || dataset.index() instanceof ImplicitIndex;
  }

  /**
   * Changes the chunks that a new extent affects, before the extent itself is set. Collective.
   *
   * @param before the action that reads the stored chunks and prepares the change of the metadata;
   *     called after a flush has stored all chunks, and before any of them is changed
   * @return the result of {@code before}
   * @throws CollectiveException on all ranks if at least one of them failed
   */
  public <T> T prepare(ChunkedDataset dataset, long[] extent, Supplier<T> before) {
    LocalStatus status = new LocalStatus();
    Optional<T> prepared;
    context.outcome().enter(Operation.EXTEND, dataset.name(), status);
    try {
      // After the flush, every chunk has a record, and the index owners find all chunks.
      flush.run(status);
      prepared = status.attempt(() -> Optional.of(before.get()), Optional.empty());
      context.outcome().agree(status);
    } finally {
      context.outcome().leave();
    }
    dataset.reshapes();
    writer.write(Operation.EXTEND, dataset.name(), () -> requests(dataset, extent));
    return prepared.orElseThrow();
  }

  private List<WriteRequest> requests(ChunkedDataset dataset, long[] extent) {
    List<WriteRequest> requests = new ArrayList<>();
    for (ChunkCoordinates chunk : context.directory().chunks(dataset)) {
      switch (dataset.fate(chunk, extent)) {
        case UNTOUCHED -> {}
        case CHANGED -> request(dataset, chunk, new WriteRequest.Restoring(), requests);
        case GONE -> request(dataset, chunk, new WriteRequest.Removal(), requests);
      }
    }
    return requests;
  }

  private static void request(
      ChunkedDataset dataset,
      ChunkCoordinates chunk,
      WriteRequest.Change change,
      List<WriteRequest> requests) {
    if (!dataset.isInside(chunk)) {
      return;
    }
    long[] origin = dataset.grid().origin(chunk.scaled());
    long[] end = dataset.grid().valid(chunk.scaled(), dataset.shape());
    for (int i = 0; i < end.length; i++) {
      end[i] += origin[i];
    }
    Selection all = Selection.blocks(List.of(new Box(origin, end)));
    requests.add(new WriteRequest(dataset, all, change));
  }

  /**
   * Fills the chunks that were outside the extent before it grew and are now inside it, if the
   * index is implicit. With an implicit index, all chunks already have an address, but HDF5 fills
   * only those inside the extent. Collective.
   *
   * @param before the shape before the growth
   */
  public void fill(ChunkedDataset dataset, Shape before) {
    if (dataset.index() instanceof ImplicitIndex) {
      writer.write(Operation.EXTEND, dataset.name(), () -> chunksMovedInside(dataset, before));
    }
  }

  private List<WriteRequest> chunksMovedInside(ChunkedDataset dataset, Shape before) {
    List<WriteRequest> requests = new ArrayList<>();
    for (ChunkCoordinates chunk : context.directory().chunks(dataset)) {
      long least = Long.MAX_VALUE;
      for (long valid : dataset.grid().valid(chunk.scaled(), before)) {
        least = Math.min(least, valid);
      }
      if (least == 0) {
        request(dataset, chunk, new WriteRequest.Removal(), requests);
      }
    }
    return requests;
  }

  /**
   * Sets the extent, and removes the elements outside the new extent from the dirty chunks of this
   * rank. Local.
   */
  public void reshape(ChunkedDataset dataset, long[] extent) {
    Shape before = dataset.shape();
    dataset.reshape(extent);
    context.chunks().reshape(dataset.id(), dataset.shape());
    for (Map.Entry<ChunkKey, MemoryChunk> dirty : context.chunks().unstored().entrySet()) {
      long[] scaled = dirty.getKey().chunk().scaled();
      if (dirty.getKey().dataset() == dataset.id()) {
        long[] valid = dataset.grid().valid(scaled, dataset.shape());
        if (isCut(valid, dataset.grid().valid(scaled, before))) {
          context
              .chunks()
              .putUnstored(dirty.getKey(), dataset.format().clip(dirty.getValue(), valid));
        }
      }
    }
  }

  private static boolean isCut(long[] valid, long[] before) {
    boolean cut = false;
    for (int i = 0; i < valid.length; i++) {
      cut |= valid[i] < before[i];
    }
    return cut;
  }
}
