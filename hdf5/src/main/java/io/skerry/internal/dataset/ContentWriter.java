package io.skerry.internal.dataset;

import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.datatype.Datatype;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.OwnedContent;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;

/**
 * Writes values, stores their variable-length content in the global heap, and releases the content
 * of the values that they replace. In chunked datasets, the replaced content is released when the
 * chunks are merged; this class releases it for contiguous and compact datasets. Collective.
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
    if (dataset.opened() instanceof Storage.Chunked(ChunkedDataset chunked)) {
      // The number of replaced bytes is known only when the chunks are merged. Until then, it is
      // assumed to equal the size of this rank's new heap collections: the heap limits MAX_VALUE to
      // that size.
      boolean rewrites =
          dataset.ownsHeapContent() && chunked.index().layout().index().isAllocated();
      MemorySegment unused = write(selection, values, () -> rewrites ? Long.MAX_VALUE : 0);
    } else if (dataset.ownsHeapContent()) {
      replace(selection, values);
    } else {
      MemorySegment unused = write(selection, values, () -> 0);
      if (ElementTransfer.refersToObjects(dataset.datatype())) {
        boolean unusedResult = inStep(() -> true, this::markAsChanged);
      }
    }
  }

  private MemorySegment write(Selection selection, List<Value> values, LongSupplier replaced) {
    Datatype type = dataset.datatype();
    MemorySegment packed = encoder.own(dataset.location().shown(), type, values, replaced);
    boolean written = false;
    try {
      new DatasetWriter(file, dataset, encoder::keep).write(selection, type, packed);
      written = true;
    } finally {
      if (!written) {
        encoder.giveUp();
      }
    }
    return packed;
  }

  private void replace(Selection selection, List<Value> values) {
    Datatype type = dataset.datatype();
    OwnedContent lost = new OwnedContent(file.contents());
    MemorySegment old = MemorySegment.ofArray(dataset.readBytes(selection));
    MemorySegment packed =
        write(
            selection,
            values,
            () -> {
              lost.add(type, old, old.byteSize() / type.size());
              lost.except(type, dataset.fillElement());
              return lost.bytes();
            });
    MemorySegment found = MemorySegment.ofArray(dataset.readBytes(selection));
    OwnedContent released = inStep(() -> addOverwritten(lost, packed, found), this::markAsChanged);
    file.collective().heap().release(released.objects(), released.bytes());
  }

  private <T> T inStep(Callable<T> preparation, Runnable change) {
    return file.collective()
        .steps()
        .together(
            Operation.WRITE,
            dataset.location().shown(),
            "(replaced content)",
            preparation,
            prepared -> {
              change.run();
              return prepared;
            });
  }

  /**
   * Adds the content of those written elements that another rank or a later value of this rank has
   * overwritten.
   */
  private OwnedContent addOverwritten(
      OwnedContent lost, MemorySegment written, MemorySegment found) {
    Datatype type = dataset.datatype();
    int size = type.size();
    for (long at = 0; at < written.byteSize(); at += size) {
      MemorySegment element = written.asSlice(at, size);
      if (element.mismatch(found.asSlice(at, size)) != -1) {
        lost.add(type, element, 1);
      }
    }
    return lost;
  }

  /**
   * Marks the object header as changed. Overwriting values in place changes no metadata, but the
   * heap content may have made the file larger.
   */
  private void markAsChanged() {
    file.tree().change(dataset.address(), entries -> entries);
  }
}
