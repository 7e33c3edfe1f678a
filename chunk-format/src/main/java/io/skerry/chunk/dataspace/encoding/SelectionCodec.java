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
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.Optional;

/**
 * Encodes and decodes selections, alone or with their dataspace, in every version of the format. A
 * selection with its dataspace is the body of section 0 of a sparse chunk.
 *
 * <pre>
 *   encoded dataspace with selection:
 *     0  3  01 00 08
 *     3  4  bytes of the dataspace message
 *     7  .  dataspace message: extent
 *     .  .  selection: u32 type, u32 version, then by type and version
 * </pre>
 *
 * <p>Sources: HDF5 File Format Specification 3.0, dataspace selections; The HDF Group's RFC on the
 * file format of structured chunks, version 28 (2025-10-09), "Encoded dataspace with selection".
 */
public final class SelectionCodec {
  private SelectionCodec() {}

  /**
   * Appends a dataspace and a selection in it. A list of points keeps its order.
   *
   * @param selection the selection to encode; an unlimited hyperslab may exceed the extent
   * @param extent extent of the dataspace
   * @param encoding version of the encoding
   * @param out the buffer to which the bytes are appended
   * @throws IllegalArgumentException if the selection is finite and not within the extent, or if
   *     their ranks differ
   * @throws UnsupportedFeatureException if the encoding cannot hold the coordinates or unlimited
   *     hyperslabs, or if more than one dimension is unlimited
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
   * @throws UnsupportedFeatureException if the encoding cannot hold the coordinates or unlimited
   *     hyperslabs, or if more than one dimension is unlimited
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
   * Appends the set of elements of a chunk, encoded as section 0 without its checksum. The set of
   * all elements is written as "all". With {@link SelectionEncoding#SMALLEST}, any other set is
   * written in the form that is expected to take the least space in the given storage.
   *
   * @param elements row-major indices of the elements
   * @param sizes shape of the chunk
   * @param encoding version of the encoding
   * @param storage the storage of the encoded bytes: compressed or not
   * @param out the buffer to which the bytes are appended
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

  /** Storage of the section that contains an encoded set of elements. */
  public enum SectionStorage {
    /** Stored without compression. */
    RAW,
    /** Compressed by a filter. */
    COMPRESSED
  }

  /**
   * Returns the expected size in bytes of one block in the lists of blocks that {@link #encodeSet}
   * writes for chunks of the given sizes. Intended as the element size of the shuffle filter of
   * section 0. The blocks of a particular list may have a different integer width.
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
   * Decodes a dataspace and the selection in it, and positions the reader after them. An unlimited
   * hyperslab may exceed the extent.
   *
   * @throws FormatException if the bytes are not an encoded dataspace with a selection, or if a
   *     finite selection is not within the extent
   * @throws UnsupportedFeatureException if the dataspace has unknown flags
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
   * Decodes a selection without an extent, and positions the reader after it.
   *
   * @throws FormatException if the bytes are not an encoded selection
   */
  public static Selection decodeSelection(ByteReader in) {
    try {
      return new SelectionDecoder(in).selection(EncodedSelection.read(in));
    } catch (ArithmeticException e) {
      throw in.fault("elements of the selection", "at most 2^63-1", "more");
    }
  }

  /**
   * Decodes the elements of a chunk from section 0 without its checksum, and positions the reader
   * after them.
   *
   * @param sizes shape of the chunk
   * @throws FormatException if the bytes are not an encoded set, the extent differs from the shape
   *     of the chunk, or a coordinate is outside the chunk
   * @throws UnsupportedFeatureException if the dataspace has unknown flags
   */
  public static RunSet decodeSet(ByteReader in, long[] sizes) {
    return decodeSet(in, sizes, Shape.of(sizes).elements());
  }

  /**
   * Decodes the elements of a chunk like {@link #decodeSet(ByteReader, long[])}, but with a limit.
   * Without a limit, a damaged pattern of a few bytes could expand to millions of runs.
   *
   * @param atMost maximum number of elements
   * @throws FormatException under the same conditions, or if there are more than {@code atMost}
   *     elements
   * @throws UnsupportedFeatureException if the dataspace has unknown flags
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
   * Returns the form of a selection that is encoded with its dataspace, as in section 0 of a sparse
   * chunk. Does not check the coordinates in a list, or whether the selection is within the extent.
   *
   * @throws FormatException if the header, or the pattern of a regular selection, is damaged
   * @throws UnsupportedFeatureException if the dataspace has unknown flags
   */
  public static Selection.Form form(ByteReader in) {
    var unused = ExtentCodec.decode(in);
    return switch (EncodedSelection.read(in)) {
      case EncodedSelection.None _ -> Selection.Form.NONE;
      case EncodedSelection.All _ -> Selection.Form.ALL;
      case EncodedSelection.Regular _ -> Selection.Form.REGULAR;
      case EncodedSelection.Blocks _ -> Selection.Form.BLOCKS;
      case EncodedSelection.Points _ -> Selection.Form.POINTS;
    };
  }
}
