package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.collective.share.SharedSource;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.virtual.place.Piece;
import io.skerry.internal.dataset.virtual.place.PlacedPieces;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The elements of a chunked source that one rank needs, for one or several parts. */
final class WantedChunks implements SharedSource {
  private final String key;
  private final Shape extent;
  private final ChunkGrid grid;
  private final SourceSearch search;
  private final MemorySegment target;
  private final Datatype datatype;
  private final String path;
  private final List<PartOfSource> parts = new ArrayList<>();
  private final List<ChunkSlice> slices = new ArrayList<>();

  /** For each slice, the index of its part. */
  private final List<Integer> partOf = new ArrayList<>();

  /**
   * A part whose elements are in the source.
   *
   * @param level reads the virtual dataset of the part
   * @param places the places of the values in the buffer
   * @param conversion the conversion to the memory datatype
   */
  private record PartOfSource(
      VirtualReader level, WantedParts.Item item, PlacedPieces places, Conversion conversion) {}

  /**
   * Creates an empty collection.
   *
   * @param search finds the source again
   * @param target the buffer for the values in the memory datatype
   */
  WantedChunks(
      String key, NativeDataset source, ChunkGrid grid, SourceSearch search, MemorySegment target) {
    this.key = key;
    this.extent = source.shape();
    this.grid = grid;
    this.search = search;
    this.target = target;
    this.datatype = source.datatype();
    this.path = source.path();
  }

  /** Returns a text that identifies a source: its file, its path and its datatype. */
  static String key(NativeDataset source) {
    return source.file().path().toAbsolutePath().normalize()
        + "\n"
        + source.path()
        + "\n"
        + source.datatype();
  }

  /**
   * Adds the elements of a part.
   *
   * @param level reads the virtual dataset of the part
   * @param from the source elements of the part
   */
  void add(VirtualReader level, WantedParts.Item item, Selection from) {
    Selection needed = Piece.needed(extent, from, item.pieces());
    for (ChunkSlice slice : grid.cut(needed, extent)) {
      slices.add(slice);
      partOf.add(parts.size());
    }
    parts.add(
        new PartOfSource(
            level,
            item,
            PlacedPieces.of(item.pieces()),
            Conversion.between(datatype, level.type(), path)));
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public ChunkGrid grid() {
    return grid;
  }

  @Override
  public Shape extent() {
    return extent;
  }

  @Override
  public int elementSize() {
    return datatype.size();
  }

  @Override
  public List<ChunkSlice> slices() {
    return slices;
  }

  /** Finds the source again; fails if it no longer exists. */
  private NativeDataset source() {
    return search
        .find()
        .orElseThrow(
            () -> new FormatException("source " + path + " of a virtual dataset", "found", "gone"));
  }

  @Override
  public void readAlone() {
    for (PartOfSource part : parts) {
      part.level.part(part.item.part(), source(), part.item.pieces(), target);
    }
  }

  @Override
  public void read(Selection selection, MemorySegment into) {
    source().local().read(selection, datatype, _ -> into);
  }

  @Override
  public void take(int slice, MemorySegment values) {
    int from = datatype.size();
    PartOfSource part = parts.get(partOf.get(slice));
    Conversion conversion = part.conversion;
    int to = conversion.to().size();
    slices
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
