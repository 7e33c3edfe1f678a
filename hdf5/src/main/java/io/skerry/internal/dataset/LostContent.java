package io.skerry.internal.dataset;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.ChunkVersions;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.heap.HeapSpace;
import io.skerry.datatype.Datatype;
import io.skerry.format.block.ByteSource;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.internal.value.OwnedContent;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Collects the global heap contents (variable-length data) owned by deleted datasets, attributes
 * and elements. The contents are released after the deletion has succeeded. Each rank collects a
 * share of the contents. Local; not thread-safe.
 */
public final class LostContent {
  private static final int PART_BYTES = 1 << 20;

  private final HeapSpace heap;
  private final ChunkVersions versions;
  private final ByteSource source;
  private final int rank;
  private final int ranks;
  private final List<OwnedContent> found = new ArrayList<>();
  private final HdfFile file;

  public LostContent(HdfFile file) {
    this.file = file;
    this.heap = file.collective().heap();
    this.versions = file.collective().versions();
    this.source = file.tree().source();
    this.rank = file.collective().ranks().rank();
    this.ranks = file.collective().ranks().size();
  }

  /** Returns the number of bytes of the contents that this rank has collected. */
  public long bytes() {
    return found.stream().mapToLong(OwnedContent::bytes).sum();
  }

  /** Releases the collected contents, to which no element refers any more. */
  public void release() {
    found.forEach(owned -> heap.release(owned.objects(), owned.bytes()));
    found.clear();
  }

  /**
   * Registers a callback that releases the heap contents owned by elements of a chunked dataset
   * when the elements are overwritten.
   *
   * @param fill the fill value, whose contents are kept; empty if none is defined
   */
  public static void releaseOverwritten(
      HdfFile file, ChunkedDataset dataset, Optional<MemorySegment> fill) {
    if (ownsHeapContent(dataset)) {
      Datatype type = dataset.format().datatype();
      dataset.onOverwrite(elements -> overwritten(file, type, elements, fill));
    }
  }

  private static boolean ownsHeapContent(ChunkedDataset dataset) {
    return OwnedContent.isPartOf(dataset.format().datatype())
        && dataset.format().contentPacking().isEmpty();
  }

  /**
   * Finds the heap contents that overwritten elements own.
   *
   * @return the action that releases the contents
   */
  private static Runnable overwritten(
      HdfFile file, Datatype type, MemorySegment elements, Optional<MemorySegment> fill) {
    OwnedContent owned = new OwnedContent(file.contents());
    owned.add(type, elements, elements.byteSize() / type.size());
    fill.ifPresent(element -> owned.except(type, element));
    return () -> file.collective().heap().release(owned.objects(), owned.bytes());
  }

  private OwnedContent next() {
    OwnedContent owned = new OwnedContent(file.contents());
    found.add(owned);
    return owned;
  }

  /**
   * Collects the heap contents that an attribute owns. Only rank 0 collects them, because every
   * rank has the complete attribute.
   */
  public void attribute(AttributeMessage attribute) {
    Datatype type = attribute.datatype().datatype();
    if (rank == 0) {
      next().add(type, attribute.data().segment(), attribute.dataspace().elements());
    }
  }

  /** Collects the heap contents that the elements of a dataset own. */
  public void dataset(NativeDataset dataset) {
    Datatype type = dataset.datatype();
    if (!dataset.ownsHeapContent()) {
      return;
    }
    OwnedContent owned = next();
    switch (dataset.kept()) {
      case Storage.Chunked(ChunkedDataset chunked) ->
          versions.forEach(
              chunked,
              (point, chunk) ->
                  add(
                      owned,
                      chunked.format(point),
                      chunk,
                      chunked.grid().inside(point.scaled(), chunked.shape())));
      case Storage.Contiguous(Optional<Long> address) -> {
        if (address.isPresent()) {
          contiguous(owned, type, address.get(), dataset.elements());
        }
      }
      case Storage.Compact(MemorySegment data) -> {
        if (rank == 0) {
          owned.add(type, data, dataset.elements());
        }
      }
      case Storage.External _, Storage.Virtual _ -> {}
    }
    owned.except(type, dataset.fillElement());
  }

  /**
   * Collects the heap contents owned by the elements that a new extent excludes. All chunks must
   * have been flushed: the contents of older chunk versions were already released, and the global
   * heap may have reused their addresses.
   */
  void outside(ChunkedDataset dataset, MemorySegment fill, long[] extent) {
    Datatype type = dataset.format().datatype();
    if (!ownsHeapContent(dataset) || !isPossible(dataset.shape(), extent)) {
      return;
    }
    Shape after = dataset.shape().withExtent(extent);
    OwnedContent owned = next();
    versions.forEach(
        dataset,
        (point, chunk) -> {
          RunSet inside = dataset.grid().inside(point.scaled(), dataset.shape());
          RunSet kept = dataset.grid().inside(point.scaled(), after);
          add(owned, dataset.format(point), chunk, inside.subtract(kept));
        });
    owned.except(type, fill);
  }

  /** Returns whether the extent is valid; otherwise the change of extent will be refused. */
  private static boolean isPossible(Shape shape, long[] extent) {
    if (extent.length != shape.rank()) {
      return false;
    }
    for (int i = 0; i < extent.length; i++) {
      boolean open = shape.maximum(i) == Shape.UNLIMITED;
      if (extent[i] < 0 || !open && extent[i] > shape.maximum(i)) {
        return false;
      }
    }
    return true;
  }

  private static void add(
      OwnedContent owned, ChunkFormat format, MemoryChunk chunk, RunSet elements) {
    MemorySegment packed = HeapBytes.allocate(elements.count() * format.datatype().size());
    format.read(chunk, elements, packed);
    owned.add(format.datatype(), packed, elements.count());
  }

  private void contiguous(OwnedContent owned, Datatype type, long address, long elements) {
    long each = (elements + ranks - 1) / ranks;
    long end = Math.min(elements, each * (rank + 1));
    long part = Math.max(1, PART_BYTES / type.size());
    for (long first = each * rank; first < end; first += part) {
      long count = Math.min(part, end - first);
      MemorySegment read = source.read(address + first * type.size(), count * type.size());
      owned.add(type, read, count);
    }
  }
}
