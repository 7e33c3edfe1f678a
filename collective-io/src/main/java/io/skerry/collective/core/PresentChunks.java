package io.skerry.collective.core;

import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat.Definedness;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.owner.GridArea;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Restricts selections to existing chunks, for operations that can skip the missing chunks of a
 * sparse dataset: finding defined elements, and erasing. The cost of an operation on a large grid
 * is then proportional to the number of existing chunks, not to the size of the grid.
 */
public final class PresentChunks {
  /**
   * The maximum number of chunks in a selection that is cut into slices without first finding the
   * existing chunks.
   */
  private static final long FEW = 4096;

  private final FileContext context;

  public PresentChunks(FileContext context) {
    this.context = context;
  }

  /**
   * Returns whether a selection is wide: the dataset is sparse, and the selection may touch so many
   * chunks that the existing chunks should be found first.
   */
  public static boolean isWide(ChunkedDataset dataset, Selection selection, Shape shape) {
    return dataset.format().definedness() == Definedness.WRITTEN
        && dataset.grid().maxChunksTouched(selection, shape) > FEW;
  }

  /**
   * Returns whether a request is an erasure for which the existing chunks should be found first.
   */
  public static boolean isWide(WriteRequest request) {
    ChunkedDataset dataset = request.dataset();
    if (!(request.change() instanceof WriteRequest.Erasure)) {
      return false;
    }
    request.selection().checkWithin(dataset.shape());
    return isWide(dataset, request.selection(), dataset.shape());
  }

  /**
   * Cuts a selection into slices of the chunks that may have defined elements, in a file that a
   * single rank has open. Local.
   *
   * @return a supplier of the slices; for a wide selection, it finds the existing chunks when it is
   *     called
   */
  public Supplier<List<ChunkSlice>> slices(
      ChunkedDataset dataset, Selection selection, Shape shape) {
    if (isWide(dataset, selection, shape)) {
      return () -> cut(dataset, present(dataset, selection), selection, shape);
    }
    List<ChunkSlice> slices = dataset.grid().cut(selection, shape);
    return () -> slices;
  }

  /**
   * Cuts a selection into slices, as of the last flush. For a wide selection, only slices of stored
   * chunks are returned; otherwise, the slices may include chunks that are not stored. Local.
   */
  public List<ChunkSlice> storedSlices(ChunkedDataset dataset, Selection selection) {
    Shape shape = dataset.shape();
    return isWide(dataset, selection, shape)
        ? cut(dataset, stored(dataset, selection), selection, shape)
        : dataset.grid().cut(selection, shape);
  }

  private static List<ChunkSlice> cut(
      ChunkedDataset dataset,
      Collection<ChunkCoordinates> chunks,
      Selection selection,
      Shape shape) {
    return dataset.grid().cut(dataset.grid().within(selection, chunks, shape), shape);
  }

  /**
   * Removes missing chunks from wide erasures, in a file that a single rank has open. The caller
   * must prevent concurrent writes to the elements that are erased. Local.
   */
  public List<WriteRequest> narrowed(List<WriteRequest> requests) {
    return requests.stream()
        .map(request ->
            isWide(request)
                ? narrowed(request, present(request.dataset(), request.selection()))
                : request)
        .toList();
  }

  /** Returns an erasure of the selected elements that are in the given chunks. */
  public static WriteRequest narrowed(WriteRequest request, Collection<ChunkCoordinates> chunks) {
    ChunkedDataset dataset = request.dataset();
    return WriteRequest.erasure(
        dataset, dataset.grid().within(request.selection(), chunks, dataset.shape()));
  }

  /**
   * Returns the existing chunks of a dataset that a selection may touch: all unstored and
   * unpublished chunks, and the stored chunks in the area around the selection. A chunk moves from
   * the cache to the unpublished chunks and from there to the index, so the three are searched in
   * this order.
   */
  private Set<ChunkCoordinates> present(ChunkedDataset dataset, Selection selection) {
    Set<ChunkCoordinates> present = new HashSet<>();
    if (context.chunks().unstoredBytes() > 0) {
      present.addAll(context.chunks().unstored(dataset.chunks()));
    }
    present.addAll(context.unpublished().chunks(dataset.id()));
    GridArea.around(dataset, selection)
        .ifPresent(area -> context.directory().forEach(area, (chunk, _) -> present.add(chunk)));
    return present;
  }

  private Collection<ChunkCoordinates> stored(ChunkedDataset dataset, Selection selection) {
    return GridArea.around(dataset, selection).map(context.store()::storedChunks).orElse(List.of());
  }
}
