package io.skerry.iod.connector.tile;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.dataspace.grid.SliceConversion;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.iod.connector.store.Step;
import io.skerry.iod.connector.value.EncodedCells;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Writes and erases selected elements of a dataset within a step. A single rank writes one tile
 * after the other; several ranks send their pieces of tiles to the owners of the tiles; see {@link
 * TileExchange}. If a change of elements without cells fails after a rank has encoded more than
 * {@link TileMerger#LIMIT} bytes of tiles, some of these tiles have changed; otherwise none has,
 * unless the storage has failed. Methods are collective and throw the exceptions of {@link Tiles},
 * and an {@link IllegalArgumentException} if the selection is not within the extent or the values
 * do not fit it.
 *
 * @param tiles the tiles, with the changes of the step
 * @param extent the extent of the dataset
 * @param step the step
 */
public record TileWriter(Tiles tiles, Shape extent, Step step) {
  private TileLayout layout() {
    return tiles.layout();
  }

  private Shape flat() {
    return TileLayout.flat(extent);
  }

  private void change(Selection selection, Function<ChunkSlice, TilePiece> maker) {
    List<ChunkSlice> slices = layout().grid().cut(TileLayout.flat(selection, extent), flat());
    TileMerger merger = new TileMerger(tiles, flat(), step);
    if (step.ranks().areSeveral()) {
      TileExchange.run(tiles, step, slices, maker, merger);
    } else {
      for (ChunkSlice slice : slices) {
        merger.storeIfMany();
        merger.merge(List.of(maker.apply(slice)));
      }
      merger.store();
    }
  }

  private static TilePiece piece(ChunkSlice slice, TilePiece.Content content) {
    return new TilePiece(slice.scaled(), slice.elements(), content);
  }

  private void requireSize(Selection selection, int elementSize, long actual) {
    long expected = Math.multiplyExact(selection.count(extent), elementSize);
    if (actual != expected) {
      throw new IllegalArgumentException(
          "values do not fit the selection: expectedBytes="
              + expected
              + " actualBytes="
              + actual
              + " dataset="
              + tiles.array());
    }
  }

  /**
   * Writes elements without cells.
   *
   * @param conversion the conversion from the memory datatype to the file datatype; parts of
   *     elements that it does not write keep their values
   * @param values one value for each selected element, in selection order
   */
  public void write(Selection selection, Conversion conversion, MemorySegment values) {
    selection.checkWithin(extent);
    requireSize(selection, conversion.from().size(), values.byteSize());
    SliceConversion gather = new SliceConversion(conversion);
    int size = layout().datatype().size();
    change(
        selection,
        slice -> {
          MemorySegment packed = packed(slice, gather, values, size);
          return piece(
              slice,
              conversion.keepsBackground()
                  ? new TilePiece.Content.Parts(conversion.written(), packed)
                  : new TilePiece.Content.Whole(packed));
        });
  }

  /** Returns the values of a slice, as a view of {@code values} if no copy is needed. */
  private static MemorySegment packed(
      ChunkSlice slice, SliceConversion gather, MemorySegment values, int size) {
    long bytes = slice.elements().count() * size;
    OptionalLong place = slice.contiguousPlace();
    if (gather.conversion().isIdentity() && place.isPresent()) {
      return values.asSlice(place.getAsLong() * size, bytes);
    }
    MemorySegment packed = HeapBytes.allocate(bytes);
    gather.gather(slice, values, packed);
    return packed;
  }

  /**
   * Writes elements with cells, and stores their content in BLOBs. If this fails, nothing has
   * changed.
   *
   * @param values one value for each selected element, in selection order
   */
  public void write(Selection selection, EncodedCells values) {
    selection.checkWithin(extent);
    requireSize(selection, layout().datatype().size(), values.elements().byteSize());
    change(selection, slice -> piece(slice, new TilePiece.Content.Cells(values.of(slice))));
  }

  /**
   * Writes elements to tiles that hold their content.
   *
   * @param values the selected elements in selection order, with their content
   */
  public void write(Selection selection, PackedContent values) {
    selection.checkWithin(extent);
    requireSize(selection, layout().datatype().size(), values.elements().byteSize());
    ContentPacking packing = layout().format().contentPacking().orElseThrow();
    change(
        selection,
        slice -> piece(slice, new TilePiece.Content.Whole(packing.gather(slice, values))));
  }

  /**
   * Makes elements undefined.
   *
   * @throws UnsupportedFeatureException if all elements of the dataset have values
   */
  public void erase(Selection selection) {
    if (layout().format().definedness() == ChunkFormat.Definedness.ALL) {
      throw new UnsupportedFeatureException(
          "erasing elements of a dense dataset", tiles.array().toString());
    }
    change(selection, slice -> piece(slice, new TilePiece.Content.Erasure()));
  }

  /**
   * Replaces tiles by encoded ones. If this fails, nothing has changed.
   *
   * @param images the images, keyed by the coordinates of the first element of each tile
   * @throws IllegalArgumentException if no tile within the extent begins at the coordinates
   * @throws UnsupportedFeatureException if elements have cells, whose content is not in the images
   * @throws io.skerry.exception.FormatException if an image is damaged
   */
  public void replace(Map<List<Long>, ChunkImage> images) {
    if (!layout().cells().isEmpty()) {
      throw new UnsupportedFeatureException(
          "writing chunks whose values of variable length or regions are stored outside them",
          tiles.array().toString());
    }
    images.forEach((offset, image) -> {
      long[] scaled = scaled(offset);
      TileImages.Filtering filtering = layout().filtering(scaled, flat());
      var unused = layout().format(filtering).decode(image);
      tiles.put(step.changes(), scaled, flat(), Optional.of(image));
    });
  }

  private long[] scaled(List<Long> offset) {
    int rank = extent.rank();
    long[] scaled = new long[rank];
    boolean begins = offset.size() == rank;
    for (int d = 0; begins && d < rank; d++) {
      long size = layout().grid().size(d);
      long first = offset.get(d);
      begins = first >= 0 && first % size == 0 && first < extent.extent(d);
      scaled[d] = first / size;
    }
    if (!begins) {
      throw new IllegalArgumentException(
          "no chunk begins there: offset="
              + offset
              + " chunk="
              + Arrays.toString(layout().grid().sizes())
              + " extent="
              + extent);
    }
    return scaled;
  }
}
