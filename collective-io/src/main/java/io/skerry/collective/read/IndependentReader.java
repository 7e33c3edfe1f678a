package io.skerry.collective.read;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat.Definedness;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.PresentChunks;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ElementReads;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Performs independent reads of a file that several ranks have open. Any thread may call the
 * methods, even while another thread is in a collective operation. They return the values as of the
 * last flush, except for values that have since been written in place: a cached chunk is used if it
 * has no unflushed changes in memory; otherwise, the chunk is read from the file.
 *
 * <p>Before a flush replaces chunks, it waits until the reads that may access them have ended.
 */
public final class IndependentReader implements ElementReads {
  private final FileContext context;
  private final FileGate gate;
  private final ChunkImageReader images;
  private final PresentChunks present;

  public IndependentReader(FileContext context, FileGate gate, ChunkImageReader images) {
    this.context = context;
    this.gate = gate;
    this.images = images;
    this.present = new PresentChunks(context);
  }

  @Override
  public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> target) {
    var unused =
        inside(
            dataset,
            selection,
            () -> {
              selection.checkWithin(dataset.shape());
              ScatterReader reader = new ScatterReader(context, images, dataset, target.get());
              List<ChunkSlice> slices =
                  pastUnstored(dataset, cut(dataset, selection), reader::read);
              context.cache().readHolding(reader.request(selection, slices));
              return true;
            });
  }

  @Override
  public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    return inside(
        dataset,
        selection,
        () -> {
          selection.checkWithin(dataset.shape());
          ContentShares shares = new ContentShares(dataset, dataset.shape());
          List<ChunkSlice> slices = pastUnstored(dataset, cut(dataset, selection), shares::add);
          context.cache().readHolding(shares.request(selection, slices));
          return shares.assemble(selection);
        });
  }

  @Override
  public Selection defined(ChunkedDataset dataset, Selection selection) {
    return inside(dataset, selection, () -> storedDefined(dataset, selection));
  }

  @Override
  public List<ChunkSlice> definedSlices(ChunkedDataset dataset, Selection selection) {
    return inside(dataset, selection, () -> present.storedSlices(dataset, selection));
  }

  private Selection storedDefined(ChunkedDataset dataset, Selection selection) {
    selection.checkWithin(dataset.shape());
    if (dataset.format().definedness() == Definedness.ALL) {
      return dataset.everything(selection, dataset.shape());
    }
    DefinedParts parts = new DefinedParts(dataset);
    List<ChunkSlice> others =
        pastUnstored(
            dataset,
            present.storedSlices(dataset, selection),
            (slice, chunk) -> parts.add(slice, dataset.format().defined(chunk, slice.elements())));
    context.cache().definedHolding(parts.request(selection, () -> others));
    return parts.of(selection);
  }

  /**
   * Reads, directly from the file, the slices of chunks that have unflushed changes in memory,
   * since an independent read must not see these changes.
   *
   * @param reader the receiver of each slice and of the chunk as read from the file
   * @return the remaining slices, which can be read through the cache
   */
  private List<ChunkSlice> pastUnstored(
      ChunkedDataset dataset, List<ChunkSlice> slices, BiConsumer<ChunkSlice, MemoryChunk> reader) {
    List<ChunkSlice> others = new ArrayList<>();
    for (ChunkSlice slice : slices) {
      ChunkKey key = ChunkKey.of(dataset.id(), slice.scaled());
      if (context.chunks().unstored(key).isPresent()) {
        context
            .store()
            .load(
                List.of(key),
                context.workers().crew(List.of()),
                (_, chunk) -> reader.accept(slice, chunk));
      } else {
        others.add(slice);
      }
    }
    return others;
  }

  private static List<ChunkSlice> cut(ChunkedDataset dataset, Selection selection) {
    return dataset.grid().cut(selection, dataset.shape());
  }

  /**
   * Runs a read. The thread obtains its ticket in the request order of the dataset before it enters
   * the file, since it may have to wait for the ticket until a flush ends. The reverse order could
   * deadlock: if the ranks call different operations during the flush, they close the file, and
   * closing waits for all threads that have entered.
   */
  private <T> T inside(ChunkedDataset dataset, Selection selection, Supplier<T> body) {
    try (var _ = dataset.chunks().requests().enter(selection, Kind.READ)) {
      gate.enter();
      try {
        return body.get();
      } finally {
        gate.leave();
      }
    }
  }
}
