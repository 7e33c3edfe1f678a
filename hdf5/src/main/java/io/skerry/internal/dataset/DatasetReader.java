package io.skerry.internal.dataset;

import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
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
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads from a dataset of an HDF5 file, however it is stored; collective if the access is. Where it
 * is not, or a rank is alone, many threads read at once what stands in chunks, in one block, in
 * other files or in the header; virtual datasets and content in the global heap are read by one
 * after the other.
 */
final class DatasetReader {
  /** Least bytes of a value as an object, with its place in a list. */
  private static final long VALUE_BYTES = 48;

  private final HdfFile file;
  private final ReadAccess access;
  private final NativeDataset dataset;
  private final Storage storage;
  private final String path;
  private final Datatype datatype;

  /** That of the last read: the next one mostly wants the same type. */
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
      // Another thread may change it; the read keeps to this one.
      Shape shape = dataset.shape();
      // Memory that cannot be had on one rank must fail the read on all, so it is made inside.
      Supplier<TypedMemory> typed = () -> typed(selection, shape, memory, wanted);
      switch (storage) {
        case Storage.Chunked(ChunkedDataset chunks) ->
            access.read(chunks, dataset.fixed(selection, shape), typed);
        case Storage.Contiguous _, Storage.External _, Storage.Compact _ ->
            readFlat(selection, shape, typed);
        case Storage.Virtual(VirtualParts parts) ->
            readTogether(
                typed,
                target -> {
                  FlatReader.fill(target, dataset.fill());
                  new VirtualReader(parts, file.sources(), shape, memory, path)
                      .read(selection, target.values());
                });
      }
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  /** Only a write into the same dataset has to be waited for. */
  private void readFlat(Selection selection, Shape shape, Supplier<TypedMemory> typed) {
    boolean unused =
        access.guarded(
            path,
            typed::get,
            target -> {
              FlatReader reader =
                  new FlatReader(file, shape, datatype.size(), dataset.fill(), dataset.kept());
              file.flatLocks().reading(dataset.address(), () -> inside(reader, selection, target));
              return true;
            });
  }

  /** Who waits for a write must not be inside yet: ranks that part in it close the file. */
  private void inside(FlatReader reader, Selection selection, TypedMemory target) {
    file.gate().enter();
    try {
      dataset.requirePresence();
      reader.read(selection, target);
    } finally {
      file.gate().leave();
    }
  }

  /** Nothing is read before all ranks know that all of them can take it. */
  private void readTogether(Supplier<TypedMemory> typed, Consumer<TypedMemory> read) {
    var unused =
        access.step(
            path,
            typed::get,
            target -> {
              read.accept(target);
              return true;
            });
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

  /** Reads elements as they are in the file. Collective. */
  byte[] readBytes(Selection selection) {
    return readBytes(selection, 0);
  }

  /**
   * @param more bytes that each element will take in the end, besides its own
   */
  private byte[] readBytes(Selection selection, long more) {
    try {
      StoredDataset.ArrayTarget<byte[]> target =
          new StoredDataset.ArrayTarget<>(
              path, datatype.size(), datatype.size() + more, byte[]::new, MemorySegment::ofArray);
      read(selection, datatype, target);
      return target.made();
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  /**
   * Content in the global heap goes with the elements that lead to it, so both are read at once.
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
    if (dataset.packing().isEmpty()) {
      return new StoredElements(MemorySegment.ofArray(readBytes(selection, more)), file.contents());
    }
    PackedContent packed =
        access.readContent(dataset.chunked(), dataset.fixed(selection, dataset.shape()));
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
      return storage instanceof Storage.Chunked(ChunkedDataset chunks)
          ? access.defined(chunks, dataset.fixed(selection, dataset.shape()))
          : selection;
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }
}
