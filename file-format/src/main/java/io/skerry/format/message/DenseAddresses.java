package io.skerry.format.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;
import java.util.OptionalLong;

/**
 * The part that the link info and attribute info messages have in common: the flags at the
 * beginning and the addresses of dense storage at the end.
 *
 * <pre>
 * 00 | flags u8: bit 0 creation order tracked, bit 1 indexed | ...
 * ... | fractal heap O | name index O [| creation order index O, if indexed]
 * </pre>
 *
 * @param heap the address of the fractal heap, or undefined
 * @param names the address of the name index, or undefined
 * @param order the address of the creation order index, possibly undefined; empty if creation order
 *     is not indexed
 */
public record DenseAddresses(long heap, long names, OptionalLong order) {
  private static final int TRACKED = 1;
  private static final int INDEXED = 2;

  /**
   * Reads the version and the flags.
   *
   * @param message the name of the message, for error messages
   * @return the flags
   * @throws io.skerry.exception.FormatException if the version or a reserved bit is not 0
   */
  public static int readFlags(ByteReader in, String message) {
    in.expect(message + " version", 0, in.u8());
    int flags = in.u8();
    if (flags > (TRACKED | INDEXED)) {
      throw in.fault(message + " flags", "bits 0-1", "0x" + Integer.toHexString(flags));
    }
    return flags;
  }

  /** Returns whether the flags indicate that creation order is tracked. */
  public static boolean isTracked(int flags) {
    return (flags & TRACKED) != 0;
  }

  /**
   * Reads the addresses.
   *
   * @throws io.skerry.exception.FormatException if the message is too short or an address is out of
   *     range
   */
  public static DenseAddresses read(ByteReader in, int flags, Widths widths) {
    long heap = widths.readAddress(in, "fractal heap address");
    long names = widths.readAddress(in, "name index address");
    return new DenseAddresses(
        heap,
        names,
        (flags & INDEXED) != 0
            ? OptionalLong.of(widths.readAddress(in, "creation order index address"))
            : OptionalLong.empty());
  }

  /** Writes the version and the flags of a message that does not track creation order. */
  public void writeUntracked(ByteWriter out) {
    writeFlags(out, 0);
  }

  /** Writes the version and the flags of a message that tracks creation order. */
  public void writeTracked(ByteWriter out) {
    writeFlags(out, TRACKED);
  }

  private void writeFlags(ByteWriter out, int tracked) {
    out.u8(0).u8(tracked | (order.isPresent() ? INDEXED : 0));
  }

  /** Writes the addresses. */
  public void write(ByteWriter out, Widths widths) {
    widths.writeAddress(out, heap);
    widths.writeAddress(out, names);
    order.ifPresent(address -> widths.writeAddress(out, address));
  }
}
