package io.skerry.iod.connector;

import io.skerry.ChunkTable;
import io.skerry.DatasetSpec;
import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.value.FillValue;
import io.skerry.internal.value.PackedContents;
import io.skerry.internal.value.StoredContents;
import io.skerry.internal.value.ValueReader;
import io.skerry.iod.connector.store.Step;
import io.skerry.iod.connector.tile.TileReader;
import io.skerry.iod.connector.tile.TileResize;
import io.skerry.iod.connector.tile.TileStatistics;
import io.skerry.iod.connector.tile.TileWriter;
import io.skerry.iod.connector.tile.Tiles;
import io.skerry.iod.connector.value.EncodedCells;
import io.skerry.iod.connector.value.EncodedContent;
import io.skerry.iod.connector.value.ObjectAddress;
import io.skerry.iod.object.Values;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.spi.StoredDataset;
import io.skerry.spi.StoredFile;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * A dataset of a container.
 *
 * @param owner the file
 * @param location the path with which the dataset was opened
 * @param state the layout and the extent
 */
record IodDataset(IodFile owner, ObjectPath location, OpenDatasets.State state)
    implements StoredDataset {
  /** The assumed number of bytes that a value occupies on the heap, including its list entry. */
  private static final long VALUE_BYTES = 48;

  @Override
  public StoredFile file() {
    return owner;
  }

  @Override
  public String path() {
    return location.toString();
  }

  @Override
  public StoredAttributes attributes() {
    return new IodAttributes(owner, location, state.object().id());
  }

  private DatasetSpec spec() {
    return state.layout().metadata().spec();
  }

  @Override
  public Shape shape() {
    return state.shape();
  }

  @Override
  public boolean isNull() {
    return state.layout().metadata().extent().isEmpty();
  }

  @Override
  public Datatype datatype() {
    return spec().datatype();
  }

  @Override
  public byte[] fillValue() {
    return new FillValue(datatype(), spec().fill().map(MemorySegment::ofArray))
        .bytes(() -> "the fill value of " + location.shown() + " of " + owner.name());
  }

  @Override
  public boolean isSparse() {
    return state.layout().format().definedness() == ChunkFormat.Definedness.WRITTEN;
  }

  private boolean isChunked() {
    return switch (spec().resolvedStorage()) {
      case DENSE, SPARSE, STRUCTURED -> true;
      default -> false;
    };
  }

  private boolean isPacked() {
    return state.layout().format().contentPacking().isPresent();
  }

  private void requireChunks(String what) {
    if (!isChunked()) {
      throw new UnsupportedFeatureException(what, location.shown()).inFile(owner.name());
    }
  }

  /** Returns the tiles, after a check that the dataset still exists. */
  private Tiles tiles(Values values) {
    var unused = owner.present(values, location, state.object().id());
    return new Tiles(state.layout(), state.object().id(), values);
  }

  private <T> T read(Operation operation, BiFunction<Tiles, TileReader, T> read) {
    return owner
        .session()
        .read(
            operation,
            location.shown(),
            values -> {
              Tiles tiles = tiles(values);
              return read.apply(tiles, new TileReader(tiles, state.shape()));
            });
  }

  private void change(Operation operation, Consumer<Step> change) {
    boolean unused =
        owner
            .session()
            .change(
                operation,
                location.shown(),
                step -> {
                  change.accept(step);
                  return true;
                });
  }

  private TileWriter writer(Step step, Selection selection) {
    TileWriter writer = new TileWriter(tiles(step.changes()), state.shape(), step);
    if (isNull() && !selection.isEmpty()) {
      throw new IllegalArgumentException(
          "a dataset with a null dataspace has no elements: dataset=" + location.shown());
    }
    return writer;
  }

  @Override
  public void write(Selection selection, Datatype memory, MemorySegment values) {
    change(
        Operation.WRITE,
        step -> {
          TileWriter writer = writer(step, selection);
          Conversion conversion = Conversion.between(memory, datatype(), location.shown());
          if (isPacked() && conversion.isIdentity()) {
            long bytes = Math.multiplyExact(selection.count(state.shape()), datatype().size());
            writer.write(selection, PackedContent.split(values, bytes));
          } else if (isPacked() || !state.layout().cells().isEmpty()) {
            throw new UnsupportedFeatureException(
                "writing descriptors of variable length or regions of type "
                    + memory
                    + "; write values instead",
                location.shown());
          } else {
            writer.write(selection, conversion, values);
          }
        });
  }

  @Override
  public void writeValues(Selection selection, List<Value> values) {
    change(
        Operation.WRITE,
        step -> {
          TileWriter writer = writer(step, selection);
          if (!state.layout().cells().isEmpty()) {
            writer.write(selection, EncodedCells.of(datatype(), values));
          } else if (isPacked()) {
            writer.write(selection, EncodedContent.packed(datatype(), values));
          } else {
            writer.write(
                selection, Conversion.none(datatype()), EncodedContent.fixed(datatype(), values));
          }
        });
  }

  @Override
  public void read(Selection selection, Datatype memory, ReadTarget target) {
    if (isPacked()) {
      throw new UnsupportedFeatureException(
              "reading elements without the content that their chunks hold; read values instead",
              location.shown())
          .inFile(owner.name());
    }
    boolean unused =
        read(
            Operation.READ,
            (_, reader) -> {
              read(reader, selection, memory, target);
              return true;
            });
  }

  private void read(TileReader reader, Selection selection, Datatype memory, ReadTarget target) {
    Conversion conversion = Conversion.between(datatype(), memory, location.shown());
    selection.checkWithin(reader.extent());
    long count = selection.count(reader.extent());
    MemorySegment values = target.make(count);
    long expected = Math.multiplyExact(count, memory.size());
    if (values.byteSize() < expected) {
      throw new IllegalArgumentException(
          "the buffer is too small: expectedBytes="
              + expected
              + " actualBytes="
              + values.byteSize());
    }
    reader.read(selection, conversion, values.asSlice(0, expected));
  }

  @Override
  public StoredElements readElements(Selection selection) {
    return read(Operation.READ, (_, reader) -> elements(reader, selection, 0));
  }

  private StoredElements elements(TileReader reader, Selection selection, long more) {
    StoredContents contents = StoredContents.of(owner.contents());
    if (isPacked()) {
      PackedContent packed = reader.readContent(selection);
      return new StoredElements(packed.elements(), new PackedContents(contents, packed));
    }
    ArrayTarget<byte[]> target =
        new ArrayTarget<>(
            location::shown,
            datatype().size(),
            datatype().size() + more,
            byte[]::new,
            MemorySegment::ofArray);
    read(reader, selection, datatype(), target);
    return new StoredElements(MemorySegment.ofArray(target.made()), contents);
  }

  @Override
  public List<Value> readValues(Selection selection) {
    return read(
        Operation.READ,
        (_, reader) -> {
          StoredElements read = elements(reader, selection, VALUE_BYTES);
          long count = read.packed().byteSize() / datatype().size();
          return new ValueReader(read.contents()).readAll(datatype(), read.packed(), count);
        });
  }

  @Override
  public Selection defined(Selection selection) {
    return read(Operation.DEFINED, (_, reader) -> reader.defined(selection));
  }

  @Override
  public void erase(Selection selection) {
    change(Operation.ERASE, step -> writer(step, selection).erase(selection));
  }

  @Override
  public void extendTo(long... extent) {
    owner.session().requireWritable(Operation.EXTEND, location.shown());
    requireChunks("changing the extent of a dataset that is not chunked");
    change(
        Operation.EXTEND,
        step -> {
          Shape after = state.shape().withExtent(extent);
          new TileResize(tiles(step.changes()), step).resize(state.object(), state.shape(), after);
          state.resized(after);
        });
  }

  @Override
  public StorageInfo storage() {
    return owner
        .session()
        .look(values -> {
          var unused = tiles(values);
          return DatasetStorage.info(spec(), state.layout());
        });
  }

  @Override
  public DatasetSpec specification() {
    return owner
        .session()
        .look(values -> {
          var object = owner.present(values, location, state.object().id());
          return DatasetStorage.specification(
              spec(),
              shape(),
              object
                  .metadata(values)
                  .committedType()
                  .flatMap(type -> owner.contents().pathOf(ObjectAddress.of(type))));
        });
  }

  @Override
  public StorageInfo.Usage usage() {
    return owner.session().look(values -> DatasetStorage.usage(tiles(values)));
  }

  @Override
  public ChunkTable chunks() {
    requireChunks("chunks of a dataset that has none");
    flush();
    return read(Operation.READ, (_, _) -> new IodChunks(this));
  }

  private void flush() {
    if (!owner.session().isReadOnly()) {
      owner.flush();
    }
  }

  /** Returns the tiles of the dataset, for {@link IodChunks}. Local. */
  Tiles present(Values values) {
    return tiles(values);
  }

  @Override
  public StorageStatistics statistics() {
    if (!isChunked()) {
      return StorageStatistics.flat(usage(), isNull() ? 0 : shape().elements());
    }
    flush();
    return owner.session().look(values -> TileStatistics.of(tiles(values), state.shape()));
  }

  @Override
  public void writeChunks(Map<List<Long>, ChunkImage> images) {
    owner.session().requireWritable(Operation.WRITE, location.shown());
    requireChunks("chunks of a dataset that has none");
    flush();
    change(Operation.WRITE, step -> writer(step, Selection.all()).replace(images));
  }

  @Override
  public StoredDataset independent() {
    return this;
  }
}
