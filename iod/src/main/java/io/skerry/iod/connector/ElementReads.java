package io.skerry.iod.connector;

import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.value.PackedContents;
import io.skerry.internal.value.StoredContents;
import io.skerry.internal.value.ValueReader;
import io.skerry.iod.connector.tile.TileReader;
import io.skerry.iod.connector.tile.Tiles;
import io.skerry.iod.object.Values;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredDataset;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;

/**
 * Reads elements of a dataset of a container. The methods are those of {@link StoredDataset}.
 *
 * @param owner the file
 * @param location the path of the dataset, for messages
 * @param state the layout and the extent
 * @param scope the ranks that read together
 */
record ElementReads(IodFile owner, ObjectPath location, OpenDatasets.State state, Scope scope) {
  /** The assumed number of bytes that a value occupies on the heap, including its list entry. */
  private static final long VALUE_BYTES = 48;

  /** The ranks that take part in a read. */
  enum Scope {
    /** All ranks read together. */
    ALL_RANKS,
    /** This rank reads alone. */
    THIS_RANK
  }

  private Datatype datatype() {
    return state.layout().datatype();
  }

  /** Returns whether tiles hold the content of their elements. Does not fail. */
  private boolean isPacked() {
    return state.layout().format().contentPacking().isPresent();
  }

  /** Returns the tiles, after a check that the dataset still exists. */
  Tiles tiles(Values values) {
    state.requirePresent(
        owner.session().changesOfLinks(),
        () -> {
          var unused = owner.present(values, location, state.object().id());
        });
    return new Tiles(state.layout(), state.object().id(), values);
  }

  private <T> T read(Operation operation, Function<TileReader, T> read) {
    Function<Values, T> body =
        values ->
            read.apply(
                TileReader.of(
                    tiles(values),
                    state.shape(),
                    owner.workers(),
                    owner.tileCache(),
                    owner.session().version()));
    return switch (scope) {
      case ALL_RANKS -> owner.session().read(operation, location.shown(), body);
      case THIS_RANK -> owner.session().look(body);
    };
  }

  void read(Selection selection, Datatype memory, StoredDataset.ReadTarget target) {
    if (isPacked()) {
      throw new UnsupportedFeatureException(
              "reading elements without the content that their chunks hold; read values instead",
              location.shown())
          .inFile(owner.name());
    }
    boolean unused =
        read(
            Operation.READ,
            reader -> {
              read(reader, selection, memory, target);
              return true;
            });
  }

  private void read(
      TileReader reader, Selection selection, Datatype memory, StoredDataset.ReadTarget target) {
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

  StoredElements elements(Selection selection) {
    return read(Operation.READ, reader -> elements(reader, selection, 0));
  }

  private StoredElements elements(TileReader reader, Selection selection, long more) {
    StoredContents contents = StoredContents.of(owner.contents());
    if (isPacked()) {
      PackedContent packed = reader.readContent(selection);
      return new StoredElements(packed.elements(), new PackedContents(contents, packed));
    }
    StoredDataset.ArrayTarget<byte[]> target =
        StoredDataset.ArrayTarget.ofBytes(
            location::shown, datatype().size(), datatype().size() + more);
    read(reader, selection, datatype(), target);
    return new StoredElements(MemorySegment.ofArray(target.made()), contents);
  }

  List<Value> values(Selection selection) {
    return read(
        Operation.READ,
        reader -> {
          StoredElements read = elements(reader, selection, VALUE_BYTES);
          long count = read.packed().byteSize() / datatype().size();
          return new ValueReader(read.contents()).readAll(datatype(), read.packed(), count);
        });
  }

  Selection defined(Selection selection) {
    return read(Operation.DEFINED, reader -> reader.defined(selection));
  }
}
