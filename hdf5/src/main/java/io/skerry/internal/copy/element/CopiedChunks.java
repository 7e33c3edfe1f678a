package io.skerry.internal.copy.element;

import io.skerry.collective.CollectiveFile;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.create.DatasetFilters;
import io.skerry.internal.dataset.open.DatasetOpener;
import io.skerry.internal.file.NativeFile;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Copies the elements of one dataset into chunks: without decoding the stored chunks if possible,
 * otherwise element by element. Collective.
 */
final class CopiedChunks {
  private final CopiedDataset work;
  private final NativeFile target;
  private final CollectiveFile file;
  private final HeapTransfer transfer;
  private final CopyProgress progress;
  private final Optional<ConvertedSparsity> redefined;

  CopiedChunks(
      CopiedDataset work,
      NativeFile target,
      HeapTransfer transfer,
      Optional<ConvertedSparsity> redefined,
      CopyProgress progress) {
    this.work = work;
    this.target = target;
    this.file = target.collective();
    this.transfer = transfer;
    this.progress = progress;
    this.redefined = redefined;
  }

  /**
   * The opened copy, whose chunks can be written.
   *
   * @param dataset the copy; the state of its chunks stays in memory only while this {@code
   *     NativeDataset} is reachable
   * @param chunks the chunks of the copy
   * @param asStored true if stored chunks are copied without decoding
   */
  private record Opened(NativeDataset dataset, ChunkedDataset chunks, boolean asStored) {}

  void copy(RankShare share) {
    Opened copy = file.steps().together(Operation.COPY, work.path(), "", this::opened);
    try {
      if (copy.asStored()) {
        new StoredChunks(work, file, copy.chunks(), progress).copy();
      } else {
        elements(copy.chunks(), share);
      }
    } finally {
      Reference.reachabilityFence(copy.dataset());
    }
  }

  /** Opens the copy, within a step. Reads object headers. */
  private Opened opened() {
    NativeDataset copy = DatasetOpener.open(target, work.path(), work.address());
    if (!(copy.opened() instanceof Storage.Chunked(ChunkedDataset chunks))) {
      throw new IllegalStateException("the copy is not chunked: path=" + work.path());
    }
    boolean asStored =
        work.dataset().opened() instanceof Storage.Chunked
            && redefined.isEmpty()
            && !transfer.isNeeded()
            && isSame(chunks);
    return new Opened(copy, chunks, asStored);
  }

  private void elements(ChunkedDataset copy, RankShare share) {
    NativeDataset dataset = work.dataset();
    EncodedChunks encoded = new EncodedChunks(copy, redefined);
    CopyRounds.Coverage coverage =
        redefined.map(how -> how.coverage(dataset)).orElse(CopyRounds.Coverage.STORED);
    share
        .rounds()
        .chunks(
            copy.grid(),
            coverage,
            part -> {
              Selection wanted = dataset.isSparse() ? dataset.defined(part) : part;
              Supplier<MemorySegment> read = share.read(wanted);
              long[] bytes = {0};
              file.chunks()
                  .storeChunks(
                      copy,
                      () -> {
                        progress.requireWatched();
                        MemorySegment packed = read.get();
                        bytes[0] = packed.byteSize();
                        return share.isMine() ? encoded.images(wanted, packed) : Map.of();
                      });
              progress.advance(bytes[0] * file.ranks().size());
            });
  }

  /**
   * Returns whether the copy has the same chunk shape, filters, treatment of edge chunks and chunk
   * sections as the dataset. Stored chunks are then valid in both datasets, provided that the
   * elements need no transfer.
   */
  private boolean isSame(ChunkedDataset copy) {
    ObjectHeader old = work.dataset().header();
    ObjectHeader made = target.tree().header(work.address());
    ChunkedLayout layout = copy.index().layout();
    return new DatasetFilters(old).areSameAs(new DatasetFilters(made))
        && old.require(LayoutMessage.class) instanceof ChunkedLayout stored
        && stored.chunk().equals(layout.chunk())
        && stored.edges() == layout.edges()
        && stored.form().sections() == layout.form().sections();
  }
}
