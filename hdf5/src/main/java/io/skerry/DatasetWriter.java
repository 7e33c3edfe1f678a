package io.skerry;

import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.type.Conversion;
import io.skerry.chunk.type.Datatype;
import io.skerry.collective.ChunkedDataset;
import io.skerry.collective.ContiguousDataset;
import io.skerry.collective.Operation;
import io.skerry.collective.TypedMemory;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.format.object.ContiguousLayout;
import io.skerry.value.OwnedContent;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Writes into a dataset of an HDF5 file, however it is stored. Collective. */
final class DatasetWriter {
  private final NativeFile file;
  private final NativeDataset dataset;
  private final String path;
  private final Datatype datatype;

  DatasetWriter(NativeFile file, NativeDataset dataset) {
    this.file = file;
    this.dataset = dataset;
    this.path = dataset.path();
    this.datatype = dataset.datatype();
  }

  void write(Selection selection, Datatype memory, MemorySegment values) {
    Supplier<TypedMemory> typed = () -> new TypedMemory(values, toFile(memory));
    switch (dataset.kept()) {
      case Storage.Chunked(ChunkedDataset chunks) ->
          dataset.change(
              Operation.WRITE,
              () -> WriteRequest.values(chunks, selection, values, toFile(memory)));
      case Storage.Contiguous(Optional<Long> block) ->
          file.collective()
              .write(
                  new ContiguousDataset(path, dataset.shape(), dataset.fillElement(), block),
                  () -> new ContiguousDataset.Part(selection, values, toFile(memory)),
                  taken ->
                      file.tree()
                          .replace(
                              dataset.address(),
                              new ContiguousLayout(taken.address(), taken.length())));
      case Storage.Compact _ ->
          new CompactWriter(file, path, dataset.address(), dataset.shape(), datatype.size())
              .write(selection, typed);
      case Storage.External _ ->
          throw new UnsupportedFeatureException("writing to external data files", path);
      case Storage.Virtual _ ->
          throw new UnsupportedFeatureException("writing to a virtual dataset", path);
    }
  }

  /**
   * How values of a memory type get into the file.
   *
   * @throws UnsupportedFeatureException if they do not
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
    if (dataset.packing().isPresent()) {
      ElementEncoder encoder = new ElementEncoder(file);
      Supplier<MemorySegment> packed = encoder.packed(path, datatype, values);
      dataset.change(
          Operation.WRITE, () -> WriteRequest.values(dataset.chunked(), selection, packed.get()));
      return;
    }
    new ContentWriter(file, dataset).write(selection, values);
    if (!(dataset.kept() instanceof Storage.Chunked)) {
      // Values in place change no metadata, but the file has grown by what the heap holds.
      file.tree().change(dataset.address(), entries -> entries);
    }
  }
}
