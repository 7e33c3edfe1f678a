package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.share.SharedValues;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.PlacedPieces;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;

/** The values that this rank needs from a chunked source, for one or several parts. */
final class WantedChunks extends WantedSource<WantedChunks.PartOfSource> implements SharedValues {
  private final MemorySegment target;

  /**
   * A part whose elements are in the source.
   *
   * @param level the reader of the virtual dataset of the part
   * @param places the places of the values in the buffer
   * @param conversion the conversion to the memory datatype
   */
  record PartOfSource(
      VirtualReader level, WantedParts.Item item, PlacedPieces places, Conversion conversion) {}

  /**
   * Creates an empty collection.
   *
   * @param search the search that finds the source again
   * @param target the buffer for the values in the memory datatype
   */
  WantedChunks(
      NativeDataset source, ChunkedDataset chunks, SourceSearch search, MemorySegment target) {
    super(source, chunks, search);
    this.target = target;
  }

  /**
   * Adds the elements of a part.
   *
   * @param level the reader of the virtual dataset of the part
   * @param from the source elements of the part
   */
  void add(VirtualReader level, WantedParts.Item item, Selection from) {
    Selection needed = Piece.needed(extent(), from, item.pieces());
    add(
        new PartOfSource(
            level,
            item,
            PlacedPieces.of(item.pieces()),
            Conversion.between(datatype(), level.type(), path())),
        grid().cut(needed, extent()));
  }

  @Override
  public void readAlone() {
    for (PartOfSource part : parts()) {
      part.level.part(part.item.part(), source(), part.item.pieces(), target);
    }
  }

  @Override
  public void read(Selection selection, MemorySegment into) {
    source().local().read(selection, datatype(), _ -> into);
  }

  @Override
  public void take(int slice, MemorySegment values) {
    int from = elementSize();
    PartOfSource part = partOf(slice);
    Conversion conversion = part.conversion;
    int to = conversion.to().size();
    slices()
        .get(slice)
        .forEachPiece((rank, needed, length) ->
            part.places.forEach(
                needed,
                length,
                (value, place, count) ->
                    conversion.convert(
                        values.asSlice((rank + value - needed) * from),
                        target.asSlice(place * to),
                        count)));
  }
}
