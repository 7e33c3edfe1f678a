package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.share.SharedAnswers;
import io.skerry.exception.FormatException;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.virtual.element.DatasetElements;
import io.skerry.internal.dataset.virtual.element.ElementConversions;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.PlacedPieces;
import io.skerry.internal.value.PackedArrays;
import io.skerry.internal.value.message.MessageWriter;
import io.skerry.selection.Selection;
import io.skerry.value.StoredElements;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The elements that this rank needs from a chunked source, for one or several parts, together with
 * the heap objects and the paths of the HDF5 objects to which they refer.
 */
final class WantedElements extends WantedSource<WantedElements.PartOfSource>
    implements SharedAnswers {
  private final DatasetElements elements;

  /**
   * A part whose elements are in the source.
   *
   * @param needed the needed elements of the source, in the order of the pieces
   * @param places the places of the elements in the buffer
   * @param conversions the conversions of elements of the source
   */
  record PartOfSource(
      Selection needed,
      WantedParts.Item item,
      PlacedPieces places,
      ElementConversions conversions) {}

  /**
   * Creates an empty collection.
   *
   * @param search the search that finds the source again
   */
  WantedElements(NativeDataset source, ChunkedDataset chunks, SourceSearch search) {
    super(source, chunks, search);
    this.elements = DatasetElements.of(source);
  }

  /**
   * Adds the elements of a part.
   *
   * @param from the source elements of the part
   * @param outward the conversions of elements of the virtual dataset of the part
   */
  void add(WantedParts.Item item, Selection from, ElementConversions outward) {
    Selection needed = Piece.needed(extent(), from, item.pieces());
    add(
        new PartOfSource(needed, item, PlacedPieces.of(item.pieces()), outward.from(elements)),
        grid().cut(needed, extent()));
  }

  @Override
  public void readAlone() {
    for (PartOfSource part : parts()) {
      StoredElements read = source().local().readElements(part.needed);
      part.conversions.put(read, part.item.pieces());
    }
  }

  @Override
  public Answers read(Selection selection) {
    StoredElements read = source().local().readElements(selection);
    Map<ChunkCoordinates, ChunkSlice> chunks = new HashMap<>();
    for (ChunkSlice slice : grid().cut(selection, extent())) {
      chunks.put(ChunkCoordinates.of(slice.scaled()), slice);
    }
    MessageWriter writer = elements.writer(read);
    return (scaled, wanted, out) -> {
      ChunkSlice slice =
          Objects.requireNonNull(chunks.get(ChunkCoordinates.of(scaled)), "a chunk that was read");
      encode(writer, values(read.packed(), slice, wanted), out);
    };
  }

  private void encode(MessageWriter writer, MemorySegment values, ByteWriter out) {
    try {
      writer.write(values, out);
    } catch (FormatException e) {
      throw elements.located(e);
    }
  }

  /** Returns the given elements of a slice, in ascending order of position. */
  private MemorySegment values(MemorySegment packed, ChunkSlice slice, RunSet wanted) {
    int size = datatype().size();
    RunSet read = slice.elements();
    MemorySegment all = PackedArrays.buffer(read.count(), datatype());
    slice.gather(packed, size, all);
    if (wanted.equals(read)) {
      return all;
    }
    MemorySegment values = PackedArrays.buffer(wanted.count(), datatype());
    long at = 0;
    int run = 0;
    for (int i = 0; i < wanted.runs(); i++) {
      long start = wanted.start(i);
      run = read.firstEndingAfter(start, run);
      long from = read.before(run) + start - read.start(run);
      MemorySegment.copy(all, from * size, values, at * size, wanted.length(i) * size);
      at += wanted.length(i);
    }
    return values;
  }

  @Override
  public void take(int slice, ByteReader answer) {
    PartOfSource part = partOf(slice);
    ChunkSlice wanted = slices().get(slice);
    MemorySegment values =
        part.conversions.convert(elements.read(answer, wanted.elements().count()));
    wanted.forEachPiece((rank, needed, length) ->
        part.places.forEach(
            needed,
            length,
            (value, place, count) ->
                part.conversions.target().put(values, rank + value - needed, place, count)));
  }
}
