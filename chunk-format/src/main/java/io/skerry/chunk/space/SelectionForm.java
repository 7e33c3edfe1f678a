package io.skerry.chunk.space;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.bytes.ByteReader;

/** How an encoded selection writes down its elements, whatever the version of the encoding. */
public enum SelectionForm {
  /** No element. */
  NONE,
  /** Every element, of which none is listed. */
  ALL,
  /** A regular pattern: start, stride, count and block. */
  REGULAR,
  /** A list of blocks. */
  BLOCKS,
  /** A list of points. */
  POINTS;

  /**
   * The form of an encoded dataspace with selection, such as section 0 of a sparse chunk. Looks at
   * the beginning only, no coordinate is checked.
   *
   * @throws FormatException if the bytes are no such thing
   */
  public static SelectionForm of(ByteReader in) {
    var unused = ExtentCodec.decode(in);
    return switch (RawSelection.read(in)) {
      case RawSelection.None _ -> NONE;
      case RawSelection.All _ -> ALL;
      case RawSelection.Regular _ -> REGULAR;
      case RawSelection.Blocks _ -> BLOCKS;
      case RawSelection.Points _ -> POINTS;
    };
  }
}
