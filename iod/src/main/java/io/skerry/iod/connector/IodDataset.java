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
import io.skerry.iod.connector.store.Session;
import io.skerry.iod.connector.store.Step;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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

  /**
   * Returns an object that reads on all ranks together, or on this rank alone. Local; does not
   * fail.
   */
  ElementReads reads(ElementReads.Scope scope) {
    return new ElementReads(owner, location, state, scope);
  }

  private ElementReads reads() {
    return reads(ElementReads.Scope.ALL_RANKS);
  }

  private Tiles tiles(Values values) {
    return reads().tiles(values);
  }

  private void change(Operation operation, String arguments, Consumer<Step> change) {
    boolean unused =
        owner
            .session()
            .change(
                operation,
                location.shown(),
                arguments,
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
        "",
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
        "",
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
    reads().read(selection, memory, target);
  }

  @Override
  public StoredElements readElements(Selection selection) {
    return reads().elements(selection);
  }

  @Override
  public List<Value> readValues(Selection selection) {
    return reads().values(selection);
  }

  @Override
  public Selection defined(Selection selection) {
    return reads().defined(selection);
  }

  @Override
  public void erase(Selection selection) {
    change(Operation.ERASE, "", step -> writer(step, selection).erase(selection));
  }

  @Override
  public void extendTo(long... extent) {
    Session session = owner.session();
    session.requireWritable(Operation.EXTEND, location.shown());
    requireChunks("changing the extent of a dataset that is not chunked");
    session.collectively(
        Operation.EXTEND,
        location.shown(),
        () -> {
          Shape after =
              session.change(
                  Operation.EXTEND,
                  location.shown(),
                  Arrays.toString(extent),
                  step -> resized(step, extent));
          // If one rank has the file open, no other thread sees the new tiles with the old extent.
          state.resized(after);
        });
  }

  private Shape resized(Step step, long... extent) {
    Shape after = state.shape().withExtent(extent);
    new TileResize(tiles(step.changes()), step).resize(state.object(), state.shape(), after);
    return after;
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
          return spec()
              .withShape(shape())
              .sharing(
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
    return owner.session().read(Operation.READ, location.shown(), _ -> new IodChunks(this));
  }

  /** Flushes, unless there is nothing to flush or the program delimits its transactions. */
  private void flush() {
    if (!owner.session().isReadOnly() && !owner.session().transactions().isDelimited()) {
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
    return owner
        .session()
        .lookTogether(
            Operation.READ,
            location.shown(),
            values -> TileStatistics.of(tiles(values), state.shape()));
  }

  @Override
  public void writeChunks(Map<List<Long>, ChunkImage> images) {
    owner.session().requireWritable(Operation.WRITE, location.shown());
    requireChunks("chunks of a dataset that has none");
    flush();
    change(Operation.WRITE, "", step -> writer(step, Selection.all()).replace(images));
  }

  @Override
  public StoredDataset independent() {
    return owner.session().isShared() ? new IndependentDataset(this) : this;
  }
}
