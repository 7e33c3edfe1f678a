package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;

/**
 * The old object modification time message (0x000E): {@code YYYYMMDDhhmmss} in ASCII, in UTC,
 * followed by two zero bytes. Source: HDF5 File Format Specification 3.0, section IV.A.2.o, "The
 * Object Modification Time (Old) Message".
 *
 * @param digits the 14 digits
 */
public record OldModificationTimeMessage(String digits) implements Message {
  /** Message type. */
  public static final int TYPE = 0x000E;

  private static final int DIGITS = 14;

  public static OldModificationTimeMessage decode(ByteReader in) {
    String digits = in.text(DIGITS);
    if (!digits.matches("[0-9]{14}")) {
      throw in.fault("old modification time", DIGITS + " digits", digits);
    }
    in.skip(2);
    return new OldModificationTimeMessage(digits);
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.text(digits).zeros(2);
  }
}
