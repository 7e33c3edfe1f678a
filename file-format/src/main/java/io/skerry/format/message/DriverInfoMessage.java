package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * The driver information message (0x0014) of a superblock extension, which describes the
 * distribution of the file over several files: {@code 00 | driver 8 characters | bytes u16 |
 * information}. This class only stores its content; {@link io.skerry.format.superblock.DriverInfo}
 * decodes it. Source: HDF5 File Format Specification 3.0, section IV.A.2.u, "The Driver Info
 * Message".
 *
 * @param driver {@code NCSAmult}, {@code NCSAfami}, or the name of a user-defined driver
 * @param information the bytes that the driver stored
 */
public record DriverInfoMessage(String driver, Bytes information) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0014;

  private static final int NAME = 8;

  public static DriverInfoMessage decode(ByteReader in) {
    in.expect("driver information version", 0, in.u8());
    String driver =
        new String(in.slice(NAME).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    return new DriverInfoMessage(driver, Bytes.of(in.slice(in.u16())));
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    byte[] name = driver.getBytes(StandardCharsets.ISO_8859_1);
    out.u8(0).bytes(name).zeros(NAME - name.length);
    out.u16(information.size()).bytes(information.segment());
  }
}
