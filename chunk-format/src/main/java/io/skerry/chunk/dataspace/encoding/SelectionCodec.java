package io.skerry.chunk.dataspace.encoding;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.AllSelection;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.NoneSelection;
import io.skerry.selection.PointList;
import io.skerry.selection.Region;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.SelectionForm;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.Optional;

/**
 * Encoded selections, alone and with their dataspace, in every version; the body of section 0 of a
 * sparse chunk.
 *
 * <pre>
 *   encoded dataspace with selection:
 *     0  3  01 00 08
 *     3  4  bytes of the dataspace message
 *     7  .  dataspace message: extent
 *     .  .  selection: u32 type, u32 version, then by type and version
 * </pre>
 *
 * <p>Source: HDF5 file format specification, dataspace selections; {@code structured-chunk.md},
 * "Encoded dataspace with selection".
 */
public final class SelectionCodec {
  private SelectionCodec() {}

  /**
   * Appends a dataspace and a selection in it. A list of points keeps its order.
   *
   * @throws IllegalArgumentException if the selection reaches outside the extent
   * @throws UnsupportedFeatureException if the encoding cannot hold the coordinates
   */
  public static void encode(
      Selection selection, Shape extent, SelectionEncoding encoding, ByteWriter out) {
    boolean unlimited = selection instanceof Hyperslab slab && slab.isUnlimited();
    if (!unlimited) {
      selection.checkWithin(extent);
    }
    SelectionSets.checkRank(selection, extent);
    ExtentCodec.encode(extent, out);
    encodeSelection(selection, encoding, out);
  }

  /**
   * Appends a selection without an extent.
   *
   * @throws UnsupportedFeatureException if the encoding cannot hold the coordinates
   */
  public static void encodeSelection(
      Selection selection, SelectionEncoding encoding, ByteWriter out) {
    SelectionEncoder raw = new SelectionEncoder(out);
    switch (SelectionSets.simplest(selection)) {
      case NoneSelection _ -> raw.none();
      case AllSelection _ -> raw.all();
      case PointList points -> EncodingChoice.points(points, encoding, raw);
      case Hyperslab slab -> EncodingChoice.pattern(slab, encoding, raw);
      case Region region -> EncodingChoice.region(SelectionSets.tree(region), encoding, raw);
    }
  }

  /**
   * Appends the elements of a chunk: section 0 without its checksum. All elements of the chunk are
   * written as "all". With {@link SelectionEncoding#SMALLEST} a list of blocks has records of
   * {@link #blockRecordBytes}, and the smallest of pattern, blocks and points is taken; if they
   * will be compressed, points only where they are clearly smaller before that, because after it
   * blocks are never the worse.
   *
   * @param sizes the chunk's shape
   * @param storage how the encoded bytes are stored
   * @throws IllegalArgumentException if there are elements outside the chunk
   * @throws UnsupportedFeatureException if the encoding cannot hold the coordinates
   */
  public static void encodeSet(
      RunSet elements,
      long[] sizes,
      SelectionEncoding encoding,
      SectionStorage storage,
      ByteWriter out) {
    ExtentCodec.encode(Shape.of(sizes), out);
    Selection selection = SelectionSets.of(elements, sizes);
    if (encoding == SelectionEncoding.SMALLEST) {
      EncodingChoice.smallestSet(elements, selection, sizes, storage, new SelectionEncoder(out));
    } else {
      encodeSelection(selection, encoding, out);
    }
  }

  /** How the section of an encoded set of elements is stored. */
  public enum SectionStorage {
    /** As it is. */
    RAW,
    /** Through a filter that compresses it. */
    COMPRESSED
  }

  /**
   * Bytes of one block in a list of blocks, as {@link #encodeSet} writes it for chunks of these
   * sizes: the element size with which shuffle helps section 0 most. (Chunks with more than 65,535
   * blocks have records of twice that, with the same period.)
   */
  public static int blockRecordBytes(long[] sizes, SelectionEncoding encoding) {
    int width =
        switch (encoding) {
          case V1, LIBRARY_EARLIEST, LIBRARY_V110 -> 4;
          case SMALLEST, LIBRARY_V112 -> EncodingChoice.width(sizes);
        };
    return 2 * sizes.length * width;
  }

  /**
   * Reads a dataspace and the selection in it; stops right after them.
   *
   * @throws FormatException if the bytes are no such thing, or the selection reaches outside
   */
  public static SelectedDataspace decode(ByteReader in) {
    Optional<Shape> extent = ExtentCodec.decode(in);
    Selection selection = decodeSelection(in);
    if (extent.isEmpty()) {
      return new SelectedDataspace(extent, selection);
    }
    Shape shape = extent.get();
    if (selection.rank().isPresent() && selection.rank().getAsInt() != shape.rank()) {
      throw in.fault("rank of the selection", shape.rank(), selection.rank().getAsInt());
    }
    try {
      if (!(selection instanceof Hyperslab slab && slab.isUnlimited())) {
        SelectionSets.bounds(selection)
            .ifPresent(box -> new SelectionDecoder(in).checkWithin(box, shape.extent()));
      }
      shape.elements();
    } catch (ArithmeticException e) {
      throw in.fault("elements of the extent", "at most 2^63-1", shape);
    }
    return new SelectedDataspace(extent, selection);
  }

  /**
   * Reads a selection without an extent; stops right after it.
   *
   * @throws FormatException if the bytes are no such thing
   */
  public static Selection decodeSelection(ByteReader in) {
    try {
      return new SelectionDecoder(in).selection(EncodedSelection.read(in));
    } catch (ArithmeticException e) {
      throw in.fault("elements of the selection", "at most 2^63-1", "more");
    }
  }

  /**
   * Reads the elements of a chunk, section 0 without its checksum; stops right after them.
   *
   * @param sizes the chunk's shape
   * @throws FormatException if the bytes are no such thing, the extent is not the chunk's shape, or
   *     a coordinate lies outside
   */
  public static RunSet decodeSet(ByteReader in, long[] sizes) {
    return decodeSet(in, sizes, Shape.of(sizes).elements());
  }

  /**
   * As {@link #decodeSet(ByteReader, long[])}, with a limit that keeps a damaged pattern of a few
   * bytes from growing into millions of runs.
   *
   * @param atMost elements that there can be, as the size of the packed values tells
   * @throws FormatException also if there are more
   */
  public static RunSet decodeSet(ByteReader in, long[] sizes, long atMost) {
    Optional<Shape> extent = ExtentCodec.decode(in);
    if (extent.isEmpty() || !Arrays.equals(extent.get().extent(), sizes)) {
      throw in.fault(
          "extent of the selection", Shape.of(sizes), extent.map(Shape::toString).orElse("null"));
    }
    return new SelectionDecoder(in).set(EncodedSelection.read(in), sizes, atMost);
  }

  /**
   * The form of an encoded dataspace with selection, such as section 0 of a sparse chunk. Looks at
   * the beginning only, no coordinate is checked.
   *
   * @throws FormatException if the bytes are no such thing
   */
  public static SelectionForm form(ByteReader in) {
    var unused = ExtentCodec.decode(in);
    return switch (EncodedSelection.read(in)) {
      case EncodedSelection.None _ -> SelectionForm.NONE;
      case EncodedSelection.All _ -> SelectionForm.ALL;
      case EncodedSelection.Regular _ -> SelectionForm.REGULAR;
      case EncodedSelection.Blocks _ -> SelectionForm.BLOCKS;
      case EncodedSelection.Points _ -> SelectionForm.POINTS;
    };
  }
}
