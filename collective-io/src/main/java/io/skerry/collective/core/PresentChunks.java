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
 * Narrows selections to the chunks that exist, for operations to which the other chunks of a sparse
 * dataset mean nothing: finding what is defined, and erasing. An operation on all of a large grid
 * then costs what is stored or waits to be, and not what could be.
 */
public final class PresentChunks {
  /** Chunks up to which a selection is cut without looking which of them exist. */
  private static final long FEW = 4096;

  private final FileContext session;

  public PresentChunks(FileContext session) {
    this.session = session;
  }

  /**
   * Returns whether a selection may touch so many chunks that it is worth knowing which of them
   * exist.
   */
  public static boolean isWide(ChunkedDataset dataset, Selection selection, Shape shape) {
    return dataset.format().definedness() == Definedness.WRITTEN
        && dataset.grid().maxChunksTouched(selection, shape) > FEW;
  }

  /** Returns whether a request erases so much. */
  public static boolean isWide(WriteRequest request) {
    ChunkedDataset dataset = request.dataset();
    if (!(request.change() instanceof WriteRequest.Erasure)) {
      return false;
    }
    request.selection().checkWithin(dataset.shape());
    return isWide(dataset, request.selection(), dataset.shape());
  }

  /**
   * Cuts a selection into the chunks in which something may be defined, on a rank that is alone
   * with the file. Local.
   */
  public Supplier<List<ChunkSlice>> slices(
      ChunkedDataset dataset, Selection selection, Shape shape) {
    if (isWide(dataset, selection, shape)) {
      return () -> cut(dataset, present(dataset, selection), selection, shape);
    }
    List<ChunkSlice> slices = dataset.grid().cut(selection, shape);
    return () -> slices;
  }

  /** The same by what the last flush has stored. Local. */
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
   * Leaves out of wide erasures the chunks that do not exist, on a rank that is alone with the file
   * and whose caller keeps others from writing to them. Local.
   */
  public List<WriteRequest> narrowed(List<WriteRequest> requests) {
    return requests.stream()
        .map(request ->
            isWide(request)
                ? narrowed(request, present(request.dataset(), request.selection()))
                : request)
        .toList();
  }

  /** An erasure of what lies in some chunks. */
  public static WriteRequest narrowed(WriteRequest request, Collection<ChunkCoordinates> chunks) {
    ChunkedDataset dataset = request.dataset();
    return WriteRequest.erasure(
        dataset, dataset.grid().within(request.selection(), chunks, dataset.shape()));
  }

  /**
   * The chunks around a selection, in memory and in the file. A chunk on its way goes from the
   * cache to an early place and from there into the index, and is looked for in this order.
   */
  private Set<ChunkCoordinates> present(ChunkedDataset dataset, Selection selection) {
    Set<ChunkCoordinates> present = new HashSet<>();
    if (session.cache().unstoredBytes() > 0) {
      present.addAll(session.cache().unstored(dataset.chunks()));
    }
    present.addAll(session.ahead().chunks(dataset.id()));
    GridArea.around(dataset, selection)
        .ifPresent(area -> session.directory().forEach(area, (chunk, _) -> present.add(chunk)));
    return present;
  }

  private Collection<ChunkCoordinates> stored(ChunkedDataset dataset, Selection selection) {
    return GridArea.around(dataset, selection).map(session.store()::storedChunks).orElse(List.of());
  }
}
