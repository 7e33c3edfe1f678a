package io.skerry.internal.dataset;

import io.skerry.DatasetWrite;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.ContiguousDataset;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.Block;
import io.skerry.format.layout.ContiguousLayout;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.internal.value.OwnedContent;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes to a dataset of an HDF5 file: to chunks, to a contiguous block, to the object header, or
 * to the sources of a virtual dataset. Collective, except for independent writes. If only one rank
 * has the file open, several threads may write to chunks concurrently; a collective write that
 * changes anything besides chunks has exclusive access to the file.
 */
public final class DatasetWriter {
  private final HdfFile file;
  private final NativeDataset dataset;
  private final String path;
  private final Datatype datatype;
  private final Runnable publication;

  public DatasetWriter(HdfFile file, NativeDataset dataset) {
    this(file, dataset, () -> {});
  }

  /**
   * Creates a writer for one write.
   *
   * @param publication an action that runs on this rank before an element written by any rank
   *     becomes readable; must not fail. It does not run for a compact dataset: a write to one
   *     takes effect as a whole or not at all, so no element becomes readable if the write fails
   */
  DatasetWriter(HdfFile file, NativeDataset dataset, Runnable publication) {
    this.file = file;
    this.dataset = dataset;
    this.path = dataset.location().shown();
    this.datatype = dataset.datatype();
    this.publication = publication;
  }

  void write(Selection selection, Datatype memory, MemorySegment values) {
    try {
      if (dataset.isChunked() && !dataset.ownsHeapContent()) {
        store(selection, memory, values);
      } else {
        file.gate().collectively(Operation.WRITE, path, () -> store(selection, memory, values));
      }
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  /**
   * Returns a supplier of the request for a write to chunks; empty if the dataset is not chunked,
   * if its elements own content in the global heap, or if their type contains references. If the
   * supplier fails, the write fails. Only the dataset determines whether the result is empty, so it
   * is empty on all ranks or on none.
   */
  public Optional<Supplier<WriteRequest>> request(
      Selection selection, DatasetWrite.Content content) {
    if (!dataset.isChunked()
        || dataset.ownsHeapContent()
        || ElementTransfer.refersToObjects(datatype)) {
      return Optional.empty();
    }
    ChunkedDataset chunks = dataset.chunked();
    return Optional.of(
        switch (content) {
          case DatasetWrite.Elements(var memory, var values) ->
              () -> WriteRequest.values(chunks, selection, values, toFile(memory));
          case DatasetWrite.Values(var values) -> {
            Supplier<MemorySegment> packed =
                new ElementEncoder(file).packed(path, datatype, values);
            yield () -> WriteRequest.values(chunks, selection, packed.get());
          }
        });
  }

  private void store(Selection selection, Datatype memory, MemorySegment values) {
    Supplier<TypedMemory> typed = () -> new TypedMemory(values, toFile(memory));
    if (!dataset.isChunked()) {
      dataset.requirePresence();
    }
    switch (dataset.opened()) {
      case Storage.Chunked(ChunkedDataset chunks) ->
          new ChunkEditor(file, dataset)
              .change(
                  Operation.WRITE,
                  () ->
                      WriteRequest.values(chunks, selection, values, toFile(memory))
                          .publishing(publication));
      case Storage.Contiguous _ ->
          file.flatLocks()
              .writing(
                  dataset.address(),
                  () ->
                      file.collective()
                          .blocks()
                          .write(
                              contiguous(Optional.empty()),
                              () -> contiguousWrite(selection, typed.get())));
      case Storage.Compact _ ->
          new CompactWriter(file, path, dataset.address(), dataset.shape(), datatype.size())
              .write(selection, typed);
      case Storage.External _ -> throw unsupported("writing to external data files");
      case Storage.Virtual(VirtualContent content) ->
          content.write(dataset, selection, new DatasetWrite.Elements(memory, values));
    }
  }

  private ContiguousDataset contiguous(Optional<Long> block) {
    return new ContiguousDataset(path, dataset.shape(), datatype.size(), dataset.fill(), block);
  }

  /**
   * Prepares a write. Reads the object header if the address of the block is not known yet. Local.
   */
  private ContiguousDataset.Write contiguousWrite(Selection selection, TypedMemory memory) {
    Optional<Long> block =
        dataset.kept() instanceof Storage.Contiguous(Optional<Long> found)
            ? found
            : Optional.empty();
    return new ContiguousDataset.Write(
        block,
        new ContiguousDataset.Part(selection, memory.values(), memory.conversion()),
        this::placing,
        publication);
  }

  private UnsupportedFeatureException unsupported(String feature) {
    return new UnsupportedFeatureException(feature, path).inFile(file.path().toString());
  }

  /**
   * Writes elements that are stored at fixed addresses, without the other ranks. Local.
   *
   * @throws IllegalStateException if the elements have no fixed address in this file, if their type
   *     contains variable-length parts or references, if the write is refused for another reason
   *     that {@link io.skerry.Dataset#independent} lists, if the dataset was deleted, or if the
   *     file is open for reading only; in these cases, nothing is written
   */
  void writeIndependently(Selection selection, Datatype memory, MemorySegment values) {
    try {
      if (dataset.ownsHeapContent() || ElementTransfer.refersToObjects(datatype)) {
        throw refused("of elements that refer to content outside them");
      }
      switch (dataset.kept()) {
        case Storage.Chunked(ChunkedDataset chunks) ->
            file.collective()
                .chunks()
                .writeIndependently(
                    chunks, () -> WriteRequest.values(chunks, selection, values, toFile(memory)));
        case Storage.Contiguous(Optional<Long> block) ->
            file.flatLocks()
                .writing(
                    dataset.address(),
                    () -> {
                      dataset.requirePresence();
                      file.collective()
                          .blocks()
                          .writeIndependently(
                              contiguous(block),
                              () -> new ContiguousDataset.Part(selection, values, toFile(memory)));
                    });
        case Storage.Compact _ -> throw refused("to a compact dataset");
        case Storage.External _, Storage.Virtual _ ->
            throw refused("to a dataset whose elements are in other files");
      }
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  private IllegalStateException refused(String what) {
    return new IllegalStateException(
        "an independent write "
            + what
            + "; use the collective write of the dataset: call=Dataset.write object="
            + path);
  }

  private Runnable placing(Block block) {
    return file.tree()
        .replacing(dataset.address(), new ContiguousLayout(block.address(), block.length()));
  }

  /**
   * Returns the conversion from a memory datatype to the file datatype.
   *
   * @throws UnsupportedFeatureException if there is no such conversion, or if elements with
   *     variable-length content would have to be converted
   */
  private Conversion toFile(Datatype memory) {
    Conversion conversion = Conversion.between(memory, datatype, path);
    if (!conversion.isIdentity() && OwnedContent.isPartOf(memory)) {
      throw new UnsupportedFeatureException(
          "writing descriptors of variable length of type " + memory + "; write values instead",
          path);
    }
    return conversion;
  }

  void writeValues(Selection selection, List<Value> values) {
    try {
      if (dataset.packing().isPresent() && ElementTransfer.refersToObjects(datatype)) {
        // Encoding a reference may store data in the global heap, which requires exclusive access
        // to the file.
        boolean unused = dataset.alone(Operation.WRITE, () -> storeReferences(selection, values));
        return;
      }
      if (dataset.packing().isPresent()) {
        store(selection, new ElementEncoder(file).packed(path, datatype, values), publication);
        return;
      }
      file.gate().collectively(Operation.WRITE, path, () -> storeContent(selection, values));
    } finally {
      Reference.reachabilityFence(dataset);
    }
  }

  private void storeContent(Selection selection, List<Value> values) {
    if (dataset.opened() instanceof Storage.Virtual(VirtualContent content)) {
      dataset.requirePresence();
      content.write(dataset, selection, new DatasetWrite.Values(values));
    } else {
      new ContentWriter(file, dataset).write(selection, values);
    }
  }

  private boolean storeReferences(Selection selection, List<Value> values) {
    ElementEncoder encoder = new ElementEncoder(file);
    Supplier<MemorySegment> packed = encoder.packed(path, datatype, values);
    boolean written = false;
    try {
      store(selection, packed, encoder::keep);
      written = true;
      return true;
    } finally {
      if (!written) {
        encoder.giveUp();
      }
    }
  }

  /** Writes elements that are packed with their content. */
  private void store(
      Selection selection, Supplier<MemorySegment> packed, Runnable beforePublication) {
    new ChunkEditor(file, dataset)
        .change(
            Operation.WRITE,
            () ->
                WriteRequest.values(dataset.chunked(), selection, packed.get())
                    .publishing(beforePublication));
  }
}
