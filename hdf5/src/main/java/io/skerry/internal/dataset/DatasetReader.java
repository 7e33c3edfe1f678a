package io.skerry.internal.dataset;

import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.PackedContents;
import io.skerry.internal.value.ValueReader;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.StoredDataset;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads from a dataset of an HDF5 file, with any layout; collective if the access is collective.
 * With independent access, or if only one rank has the file open, several threads may read elements
 * in chunks, in one block, in external files or in the object header concurrently; reads of virtual
 * datasets and of variable-length contents in the global heap run one at a time.
 */
final class DatasetReader {
  /** The assumed number of bytes that a value occupies on the heap, including its list entry. */
  private static final long VALUE_BYTES = 48;

  private final HdfFile file;
  private final ReadAccess access;
  private final NativeDataset dataset;
  private final Storage storage;
  private final String path;
  private final Datatype datatype;

  /** The conversion of the last read; the next read probably requests the same type. */
  private volatile Conversion last;

  DatasetReader(HdfFile file, NativeDataset dataset, Storage storage, ReadAccess access) {
    this.file = file;
    this.access = access;
    this.dataset = dataset;
    this.storage = storage;
    this.path = dataset.location().shown();
    this.datatype = dataset.datatype();
    this.last = Conversion.none(datatype);
  }

  void read(Selection selection, Datatype memory, StoredDataset.ReadTarget wanted) {
    try {
      if (dataset.packing().isPresent()) {
        throw new UnsupportedFeatureException(
                "reading elements without the content that their chunks hold; read values instead",
                path)
            .inFile(file.path().toString());
      }
      // Another thread may change the extent, so the entire read uses the extent that the
      // dataset has when the read begins.
      Shape shape = dataset.shape();
      // If one rank cannot allocate the memory, the read must fail on all ranks, so the memory is
      // allocated inside the collective step.
      Supplier<TypedMemory> typed = () -> typed(selection, shape, memory, wanted);
      switch (storage) {
        case Storage.Chunked(ChunkedDataset chunks) ->
            access.read(chunks, fixed(selection, shape), typed);
        case Storage.Contiguous _, Storage.External _, Storage.Compact _ ->
            readFlat(selection, shape, typed);
        case Storage.Virtual(VirtualContent content) -> {
          boolean unused =
              access.virtual(
                  path,
                  () -> {
                    dataset.requirePresence();
                    return filled(typed.get());
                  },
                  target -> {
                    content.read(shape, memory, selection, target);
                    return true;
                  },
                  (target, read) -> {
                    content.readTogether(read, shape, memory, selection, target);
                    return Optional.of(true);
                  });
        }
      }
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  /** Reads from a contiguous, compact or external dataset, under the read lock of the dataset. */
  private void readFlat(Selection selection, Shape shape, Supplier<TypedMemory> typed) {
    boolean unused =
        access.guarded(
            path,
            typed::get,
            target -> {
              FlatReader reader =
                  FlatReader.of(file, shape, datatype.size(), dataset.fill(), dataset.kept());
              file.flatLocks().reading(dataset.address(), () -> inside(reader, selection, target));
              return true;
            });
  }

  /**
   * Reads inside the gate of the file. A thread must acquire the lock of the dataset before it
   * enters the gate: if the ranks diverge during a write that holds the lock, they close the file,
   * and closing waits for the threads inside the gate.
   */
  private void inside(FlatReader reader, Selection selection, TypedMemory target) {
    file.gate().enter();
    try {
      dataset.requirePresence();
      reader.read(selection, target);
    } finally {
      file.gate().leave();
    }
  }

  /**
   * Checks that the dataset was not deleted, for reads with exclusive access to the file.
   *
   * @return true
   * @throws IllegalStateException if the dataset was deleted
   */
  private boolean isPresent() {
    dataset.requirePresence();
    return true;
  }

  private TypedMemory filled(TypedMemory target) {
    FlatReader.fill(target, dataset.fill());
    return target;
  }

  private TypedMemory typed(
      Selection selection, Shape shape, Datatype memory, StoredDataset.ReadTarget wanted) {
    Conversion conversion = last;
    if (!conversion.to().equals(memory)) {
      conversion = Conversion.between(datatype, memory, path);
      last = conversion;
    }
    selection.checkWithin(shape);
    long count = selection.count(shape);
    MemorySegment values = wanted.make(count);
    long expected = Math.multiplyExact(count, memory.size());
    if (values.byteSize() < expected) {
      throw new IllegalArgumentException(
          "the buffer is too small: expectedBytes="
              + expected
              + " actualBytes="
              + values.byteSize());
    }
    return new TypedMemory(
        values.byteSize() == expected ? values : values.asSlice(0, expected), conversion);
  }

  /** Reads elements in the file datatype. Collective. */
  byte[] readBytes(Selection selection) {
    return readBytes(selection, 0);
  }

  /**
   * Reads elements in the file datatype.
   *
   * @param more the number of bytes of memory that each element will occupy in addition to its size
   */
  private byte[] readBytes(Selection selection, long more) {
    try {
      StoredDataset.ArrayTarget<byte[]> target =
          StoredDataset.ArrayTarget.ofBytes(() -> path, datatype.size(), datatype.size() + more);
      read(selection, datatype, target);
      return target.made();
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  /**
   * Reads elements, and provides access to their content: variable-length values and the data of
   * references. Content in chunks and content of a virtual dataset is already in memory; other
   * content is read when the caller accesses it. A write releases the content of the elements that
   * it replaces, so {@link #readValues} reads elements and content in one operation.
   */
  StoredElements readElements(Selection selection) {
    try {
      return dataset.ownsHeapContent()
          ? access.whole(path, () -> elements(selection, 0))
          : elements(selection, 0);
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  private StoredElements elements(Selection selection, long more) {
    if (storage instanceof Storage.Virtual(VirtualContent content)
        && ElementTransfer.holdsAddresses(datatype)) {
      return access.virtual(
          path,
          this::isPresent,
          _ -> content.readElements(dataset, dataset.shape(), selection),
          (_, read) -> content.readElementsTogether(read, dataset, dataset.shape(), selection));
    }
    if (dataset.packing().isEmpty()) {
      return new StoredElements(MemorySegment.ofArray(readBytes(selection, more)), file.contents());
    }
    PackedContent packed = access.readContent(dataset.chunked(), fixed(selection, dataset.shape()));
    return new StoredElements(packed.elements(), new PackedContents(file.contents(), packed));
  }

  List<Value> readValues(Selection selection) {
    try {
      return dataset.ownsHeapContent()
          ? access.whole(path, () -> values(selection))
          : values(selection);
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  private List<Value> values(Selection selection) {
    StoredElements read = elements(selection, VALUE_BYTES);
    return access.guarded(
        path,
        () -> true,
        _ ->
            new ValueReader(read.contents())
                .readAll(datatype, read.packed(), read.packed().byteSize() / datatype.size()));
  }

  Selection defined(Selection selection) {
    try {
      return switch (storage) {
        case Storage.Chunked(ChunkedDataset chunks) ->
            access.defined(chunks, fixed(selection, dataset.shape()));
        case Storage.Virtual(VirtualContent content) ->
            access.virtual(
                path,
                this::isPresent,
                _ -> content.defined(dataset.shape(), selection),
                (_, read) -> content.definedTogether(read, dataset.shape(), selection));
        case Storage.Contiguous _, Storage.External _, Storage.Compact _ -> selection;
      };
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  /**
   * Resolves a selection against the given extent, so that a later change of the extent by another
   * thread does not affect the selection.
   */
  private static Selection fixed(Selection selection, Shape extent) {
    try {
      // The read itself refuses a selection that is missing or does not fit, on all ranks.
      return selection != null && selection.rank().orElse(extent.rank()) == extent.rank()
          ? selection.resolve(extent)
          : selection;
    } catch (OutOfMemoryError e) {
      // The read itself will fail for the same reason, but on all ranks.
      return selection;
    }
  }
}
