package io.skerry.internal.copy;

import io.skerry.SparsityConversion;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.Bytes;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.CompactLayout;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.layout.VirtualLayout;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.open.DatasetOpener;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Copies the elements of one dataset: chunks and blocks as stored if possible, otherwise element by
 * element. The ranks share the work. Collective.
 */
final class CopiedElements {
  /**
   * The maximum size, in bytes, of a dataset whose elements contain addresses and are all converted
   * by every rank; the ranks divide the elements of larger datasets.
   */
  private static final long FEW_BYTES = 1 << 16;

  private final CopiedDataset work;
  private final CollectiveFile file;
  private final ObjectTree tree;
  private final HeapTransfer transfer;
  private final LongConsumer progress;
  private final boolean alike;
  private final Optional<Redefined> redefined;

  /** A conversion between dense and sparse storage, and its value of undefined elements. */
  private record Redefined(SparsityConversion change, UndefinedValue undefined) {
    static Redefined of(SparsityConversion change, NativeDataset dataset) {
      MemorySegment value = change.undefined().map(Bytes::segment).orElseGet(dataset::fillElement);
      return new Redefined(change, new UndefinedValue(dataset.datatype(), value));
    }

    boolean leavesOut() {
      return change.kind() == SparsityConversion.Kind.DENSE_TO_SPARSE;
    }
  }

  private final CopyRounds rounds;

  CopiedElements(
      CopiedDataset work, CopyTarget target, HeapTransfer transfer, LongConsumer progress) {
    this.work = work;
    this.file = target.file().collective();
    this.tree = target.file().tree();
    this.transfer = transfer;
    this.progress = progress;
    NativeDataset dataset = work.dataset();
    this.redefined = work.change().redefinition().map(change -> Redefined.of(change, dataset));
    this.alike =
        transfer.isNeeded() && dataset.shape().elements() <= FEW_BYTES / dataset.datatype().size();
    this.rounds =
        new CopyRounds(
            dataset,
            alike
                ? CopyRounds.Share.EVERYTHING
                : new CopyRounds.Share(file.ranks().rank(), file.ranks().size()));
  }

  void copy(NativeFile target) {
    NativeDataset dataset = work.dataset();
    ObjectHeader copy = tree.header(work.address());
    if (dataset.isNull()
        || dataset.shape().elements() == 0
        || copy.has(ExternalFilesMessage.class)) {
      return;
    }
    switch (copy.require(LayoutMessage.class)) {
      case CompactLayout _ -> compact();
      case ContiguousLayout _ -> contiguous();
      case ChunkedLayout _ -> chunked(target);
      case VirtualLayout _ -> {}
    }
  }

  private void compact() {
    MemorySegment packed = transfer.alike(work.dataset().readElements(Selection.all()));
    var unused =
        file.steps()
            .together(
                Operation.COPY,
                work.path(),
                "",
                () -> {
                  tree.replace(work.address(), new CompactLayout(Bytes.of(packed)));
                  return true;
                });
    progress.accept(packed.byteSize());
  }

  private void contiguous() {
    Storage kept = work.dataset().kept();
    if (kept instanceof Storage.Contiguous(Optional<Long> address) && address.isEmpty()) {
      return;
    }
    long bytes = Math.multiplyExact(work.dataset().shape().elements(), transfer.type().size());
    Block block =
        file.steps()
            .together(
                Operation.COPY,
                work.path(),
                "bytes=" + bytes,
                () -> {
                  Block taken = file.space().allocateBlock(bytes);
                  tree.replace(work.address(), new ContiguousLayout(taken.address(), bytes));
                  return taken;
                });
    if (kept instanceof Storage.Contiguous(Optional<Long> from) && !transfer.isNeeded()) {
      block(from.orElseThrow(), block);
      return;
    }
    rounds.runs(run -> {
      MemorySegment packed = read(run.selection());
      long at = block.address() + run.first() * transfer.type().size();
      boolean mine = run.elements() > 0 && isMine();
      file.blocks()
          .store(
              work.path(),
              mine ? List.of(new BlockImage(at, BlockKind.ELEMENTS, packed)) : List.of());
      progress.accept(run.together() * transfer.type().size());
    });
  }

  /**
   * Returns whether this rank writes its elements; rank 0 writes elements that are equal on all
   * ranks.
   */
  private boolean isMine() {
    return !alike || file.ranks().rank() == 0;
  }

  private void block(long from, Block to) {
    ByteSource source = work.from().file().tree().source();
    long ranks = file.ranks().size();
    for (long at = 0; at < to.length(); at += ranks * CopyRounds.PART) {
      long mine = at + file.ranks().rank() * CopyRounds.PART;
      long bytes = Math.min(CopyRounds.PART, to.length() - mine);
      file.blocks()
          .store(
              work.path(),
              () ->
                  bytes <= 0
                      ? List.of()
                      : List.of(
                          new BlockImage(
                              to.address() + mine,
                              BlockKind.ELEMENTS,
                              source.read(from + mine, bytes))));
      progress.accept(Math.min(ranks * CopyRounds.PART, to.length() - at));
    }
  }

  /** Reads elements of this rank and converts them to their form in the copy. */
  private MemorySegment read(Selection selection) {
    StoredElements elements = work.dataset().readElements(selection);
    return alike ? transfer.alike(elements) : transfer.own(elements);
  }

  private void chunked(NativeFile target) {
    NativeDataset copy =
        file.steps()
            .together(
                Operation.COPY,
                work.path(),
                "",
                () -> DatasetOpener.open(target, work.path(), work.address()));
    try {
      chunked(copy.kept() instanceof Storage.Chunked(ChunkedDataset opened) ? opened : missing());
    } finally {
      Reference.reachabilityFence(copy);
    }
  }

  private void chunked(ChunkedDataset copy) {
    boolean asStored =
        work.dataset().kept() instanceof Storage.Chunked
            && redefined.isEmpty()
            && !transfer.isNeeded()
            && isSame(copy);
    if (asStored) {
      new StoredChunks(work, file, copy, progress).copy();
      return;
    }
    NativeDataset dataset = work.dataset();
    rounds.chunks(
        copy.grid(),
        coverage(),
        part -> {
          Selection wanted = dataset.isSparse() ? dataset.defined(part) : part;
          MemorySegment packed = read(wanted);
          file.chunks().storeChunks(copy, () -> isMine() ? images(copy, wanted, packed) : Map.of());
          progress.accept(packed.byteSize() * file.ranks().size());
        });
  }

  private ChunkedDataset missing() {
    throw new IllegalStateException("the copy is not chunked: path=" + work.path());
  }

  /**
   * Returns whether chunks, filters and types of the copy are the same, so that stored chunks are
   * valid in both.
   */
  private boolean isSame(ChunkedDataset copy) {
    ObjectHeader old = work.dataset().header();
    ObjectHeader made = tree.header(work.address());
    return CopiedLayout.samePipelines(old, made)
        && old.require(LayoutMessage.class) instanceof ChunkedLayout layout
        && layout.chunk().equals(copy.index().layout().chunk())
        && layout.edges() == copy.index().layout().edges()
        && layout.form().sections() == copy.index().layout().form().sections();
  }

  /**
   * Returns the chunks to visit. Elements that are not stored have the fill value; if this differs
   * from the value of undefined elements, all chunks are visited.
   */
  private CopyRounds.Coverage coverage() {
    MemorySegment fill = work.dataset().fillElement();
    return redefined.filter(r -> r.leavesOut() && !r.undefined().is(fill, 0)).isPresent()
        ? CopyRounds.Coverage.ALL
        : CopyRounds.Coverage.STORED;
  }

  private Map<ChunkCoordinates, ChunkImage> images(
      ChunkedDataset copy, Selection wanted, MemorySegment packed) {
    Map<ChunkCoordinates, ChunkImage> images = new HashMap<>();
    for (ChunkSlice slice : copy.grid().cut(wanted, copy.shape())) {
      ChunkCoordinates point = ChunkCoordinates.of(slice.scaled());
      ChunkFormat format = copy.format(point);
      MemorySegment values = values(format, slice, wanted.count(copy.shape()), packed);
      MemoryChunk chunk = format.write(format.newChunk(), slice.elements(), values);
      redefined
          .map(how -> without(how, format, chunk, slice.elements(), values))
          .orElse(Optional.of(chunk))
          .flatMap(format::encode)
          .ifPresent(image -> images.put(point, image));
    }
    return images;
  }

  private static MemorySegment values(
      ChunkFormat format, ChunkSlice slice, long count, MemorySegment packed) {
    Optional<ContentPacking> packing = format.contentPacking();
    if (packing.isPresent()) {
      return packing.get().gather(slice, PackedContent.split(packed, packing.get().bytes(count)));
    }
    int size = format.datatype().size();
    MemorySegment values = HeapBytes.allocate(slice.elements().count() * size);
    slice.gather(packed, size, values);
    return values;
  }

  /** Removes undefined elements from a chunk, or counts them. */
  private static Optional<MemoryChunk> without(
      Redefined how, ChunkFormat format, MemoryChunk chunk, RunSet elements, MemorySegment values) {
    RunSet undefined = how.undefined().among(elements, values);
    how.change().counted().accept(undefined.count());
    return Optional.of(how.leavesOut() ? format.erase(chunk, undefined) : chunk);
  }
}
