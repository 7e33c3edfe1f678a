package io.skerry.collective.read;

import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.format.ChunkFormat.Definedness;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport.Departure;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Reads the selections of all ranks in one collective operation. The reader flushes first if the
 * dataset has unflushed changes on any rank. It then asks the index owners for the records of the
 * chunks that are not in memory, and fetches the small chunks of each round with one collective
 * vector read. Finally, several threads read the large chunks of the round independently, decode
 * the chunks, and scatter the elements.
 */
public final class CollectiveReader {
  private final FileContext context;
  private final CollectiveFlush flush;
  private final ChunkImageReader images;
  private final ReadRounds rounds;

  public CollectiveReader(FileContext context, CollectiveFlush flush, ChunkImageReader images) {
    this.context = context;
    this.flush = flush;
    this.images = images;
    this.rounds = new ReadRounds(context, images);
  }

  /**
   * Reads the selected values in selection order; undefined elements are read as the fill value.
   * Collective.
   *
   * @param buffer a supplier of the memory to fill
   */
  public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> buffer) {
    run(
        Operation.READ,
        dataset,
        () -> touched(dataset, selection),
        () -> {
          TypedMemory target = buffer.get();
          return new ReadWork(
              target.values(), new ScatterAction(context, images, dataset, target), () -> {});
        });
  }

  /**
   * Reads the selected elements with their variable-length content, in selection order, from a
   * dataset whose chunks store both together. Undefined elements are read as the fill value.
   * Collective.
   */
  public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    ContentShares shares = new ContentShares(dataset, dataset.shape());
    SourceDecoder decoder = new SourceDecoder(context, images, dataset);
    List<PackedContent> read = new ArrayList<>(1);
    run(
        Operation.READ,
        dataset,
        () -> touched(dataset, selection),
        () ->
            new ReadWork(
                MemorySegment.NULL,
                (slice, source, memory) ->
                    shares.add(slice, decoder.chunk(decoder.available(source, memory))),
                () -> read.add(shares.assemble(selection))));
    return read.getFirst();
  }

  /**
   * Returns the defined elements of the selection. A point selection keeps its order. Collective.
   */
  public Selection defined(ChunkedDataset dataset, Selection selection) {
    boolean everywhere = dataset.format().definedness() == Definedness.ALL;
    DefinedParts parts = new DefinedParts(dataset);
    SourceDecoder decoder = new SourceDecoder(context, images, dataset);
    List<Selection> found = new ArrayList<>(1);
    run(
        Operation.DEFINED,
        dataset,
        () -> {
          check(dataset, selection);
          return everywhere ? WantedChunks.NONE : WantedChunks.defined(dataset, selection);
        },
        () ->
            new ReadWork(
                MemorySegment.NULL,
                (slice, source, memory) ->
                    parts.add(slice, decoder.defined(slice, decoder.available(source, memory))),
                () ->
                    found.add(
                        everywhere
                            ? dataset.everything(selection, dataset.shape())
                            : parts.of(selection))));
    return found.getFirst();
  }

  private static WantedChunks touched(ChunkedDataset dataset, Selection selection) {
    check(dataset, selection);
    return WantedChunks.touched(dataset, selection);
  }

  private static void check(ChunkedDataset dataset, Selection selection) {
    dataset.requirePresence();
    selection.checkWithin(dataset.shape());
  }

  private void run(
      Operation operation,
      ChunkedDataset dataset,
      Supplier<WantedChunks> selected,
      Supplier<ReadWork> preparation) {
    LocalStatus status = new LocalStatus();
    WantedChunks wanted = status.attempt(selected::get, WantedChunks.NONE);
    ReadWork work = status.attempt(preparation::get, ReadWork.NONE);
    context.outcome().enter(operation, dataset.name(), status);
    context.meter().begin(operation, dataset.name());
    try {
      if (flush.runIfChanged(dataset, status)) {
        context.meter().departs(Departure.FLUSHED_FIRST);
      }
      rounds.run(wanted.locate(context, status), work, status);
      status.attempt(work.end()::run);
      context.outcome().agree(status);
    } finally {
      context.outcome().leave();
    }
  }
}
