package io.skerry.iod.encoding;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.selection.Box;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A dataspace with a selection, in the form of {@code H5Sencode}: the extent with its maximum as in
 * {@link ExtentMessage}, then the selection as in {@link SelectionCodec}. Immutable.
 *
 * @param extent the current and the maximum extent; empty for a null dataspace, which has no
 *     elements
 * @param selection the selection
 */
public record EncodedDataspace(Optional<Shape> extent, Selection selection) {
  /**
   * Creates a dataspace. Local, thread-safe.
   *
   * @throws IllegalArgumentException if the selection has a different rank than the extent
   */
  public EncodedDataspace {
    OptionalInt rank = selection.rank();
    if (rank.isPresent() && rank.getAsInt() != rank(extent)) {
      throw new IllegalArgumentException(
          "rank of the selection: extent=" + rank(extent) + " selection=" + rank.getAsInt());
    }
  }

  private static int rank(Optional<Shape> extent) {
    return extent.map(Shape::rank).orElse(0);
  }

  /** Returns a dataspace with all elements selected. Local, thread-safe; does not fail. */
  public static EncodedDataspace of(Shape extent) {
    return new EncodedDataspace(Optional.of(extent), Selection.all());
  }

  /** Returns the null dataspace. Local, thread-safe; does not fail. */
  public static EncodedDataspace withoutElements() {
    return new EncodedDataspace(Optional.empty(), Selection.all());
  }

  /**
   * Encodes the dataspace. Local, thread-safe.
   *
   * @param encoding the version in which the selection is written
   * @throws IllegalArgumentException if the selection is finite and not within the extent
   * @throws io.skerry.exception.UnsupportedFeatureException if the encoding cannot hold the
   *     coordinates or an unlimited hyperslab, or if more than one dimension is unlimited
   */
  public byte[] encode(SelectionEncoding encoding) {
    if (!isUnlimited()) {
      extent.ifPresent(selection::checkWithin);
    }
    ByteWriter out = ByteWriter.create();
    encodePart(encoding, out);
    return out.toArray();
  }

  /**
   * Appends the encoded dataspace; the selection may exceed the extent. Local.
   *
   * @param encoding the version in which the selection is written
   * @param out the buffer to which the bytes are appended
   * @throws io.skerry.exception.UnsupportedFeatureException if the encoding cannot hold the
   *     coordinates or an unlimited hyperslab, or if more than one dimension is unlimited
   */
  public void encodePart(SelectionEncoding encoding, ByteWriter out) {
    ExtentMessage.encode(extent, out);
    SelectionCodec.encodeSelection(selection, encoding, out);
  }

  /**
   * Decodes a dataspace. Local, thread-safe.
   *
   * @param bytes the encoded dataspace and nothing else
   * @throws io.skerry.exception.FormatException if the bytes are not an encoded dataspace, or a
   *     finite selection is not within the extent
   * @throws io.skerry.exception.UnsupportedFeatureException if the dataspace has unknown flags
   */
  public static EncodedDataspace decode(MemorySegment bytes) {
    ByteReader in = ByteReader.of(bytes, "encoded dataspace");
    EncodedDataspace space = decodePart(in);
    in.expect("bytes after the dataspace", 0, in.remaining());
    Optional<Box> bounds =
        space.isUnlimited() ? Optional.empty() : SelectionSets.bounds(space.selection);
    bounds.ifPresent(box -> checkWithin(box, space.extent.orElseThrow(), in));
    return space;
  }

  /**
   * Decodes a dataspace and positions the reader after it; the selection may exceed the extent. In
   * the property lists of existing virtual datasets, the extent of a source is unknown and stored
   * as 0. Local.
   *
   * @throws io.skerry.exception.FormatException if the bytes are not an encoded dataspace
   * @throws io.skerry.exception.UnsupportedFeatureException if the dataspace has unknown flags
   */
  public static EncodedDataspace decodePart(ByteReader in) {
    Optional<Shape> extent = ExtentMessage.decode(in);
    Selection selection = SelectionCodec.decodeSelection(in);
    int rank = selection.rank().orElse(rank(extent));
    in.expect("rank of the selection", rank(extent), rank);
    return new EncodedDataspace(extent, selection);
  }

  private boolean isUnlimited() {
    return selection instanceof Hyperslab slab && slab.isUnlimited();
  }

  private static void checkWithin(Box box, Shape extent, ByteReader in) {
    for (int d = 0; d < extent.rank(); d++) {
      if (box.end(d) > extent.extent(d)) {
        throw in.fault("coordinate of dimension " + d, "below " + extent.extent(d), box.end(d) - 1);
      }
    }
  }
}
