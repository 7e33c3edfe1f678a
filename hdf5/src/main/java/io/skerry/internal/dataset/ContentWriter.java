package io.skerry.internal.dataset;

import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.datatype.Datatype;
import io.skerry.internal.value.OwnedContent;
import io.skerry.selection.Selection;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Writes values that own content in the global heap, and releases the content that they replace. In
 * chunked datasets, the replaced content is released when the chunks are merged; this class
 * releases it for contiguous and compact datasets. Collective.
 */
final class ContentWriter {
  private final HdfFile file;
  private final NativeDataset dataset;
  private final ElementEncoder encoder;

  /**
   * Creates a writer for one dataset.
   *
   * @throws IllegalStateException if the file is open for reading only
   */
  ContentWriter(HdfFile file, NativeDataset dataset) {
    this.file = file;
    this.dataset = dataset;
    this.encoder = new ElementEncoder(file);
  }

  /** Writes this rank's values. */
  void write(Selection selection, List<Value> values) {
    Datatype type = dataset.datatype();
    if (!OwnedContent.isPartOf(type)) {
      MemorySegment unused = write(selection, values, 0);
      return;
    }
    if (dataset.kept() instanceof Storage.Chunked(ChunkedDataset chunked)) {
      // The number of released bytes is known only when the chunks are merged; until then, the
      // number of added bytes is the best estimate.
      boolean rewrites = chunked.index().layout().index().isAllocated();
      MemorySegment unused = write(selection, values, rewrites ? Long.MAX_VALUE : 0);
      return;
    }
    MemorySegment old = MemorySegment.ofArray(dataset.readBytes(selection));
    OwnedContent owned = new OwnedContent(file.contents());
    owned.add(type, old, old.byteSize() / type.size());
    MemorySegment packed = write(selection, values, owned.bytes());
    LostContent.overwritten(file, type, old, Optional.of(dataset.fillElement()));
    lost(type, packed, MemorySegment.ofArray(dataset.readBytes(selection)));
  }

  private MemorySegment write(Selection selection, List<Value> values, long replaced) {
    Datatype type = dataset.datatype();
    MemorySegment packed = encoder.own(dataset.location().shown(), type, values, replaced);
    boolean written = false;
    try {
      dataset.write(selection, type, packed);
      written = true;
    } finally {
      if (!written) {
        encoder.giveUp();
      }
    }
    return packed;
  }

  /**
   * Releases the content of elements that another rank, or a later value of this rank, has
   * overwritten.
   */
  private void lost(Datatype type, MemorySegment written, MemorySegment found) {
    int size = type.size();
    for (long at = 0; at < written.byteSize(); at += size) {
      MemorySegment element = written.asSlice(at, size);
      if (element.mismatch(found.asSlice(at, size)) != -1) {
        LostContent.overwritten(file, type, element, Optional.empty());
      }
    }
  }
}
