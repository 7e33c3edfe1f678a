package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The attribute info message (0x0015): the location of dense attributes. Source: HDF5 File Format
 * Specification 3.0, section IV.A.2.v, "The Attribute Info Message".
 *
 * <pre>
 * 00 | flags u8: bit 0 creation order tracked, bit 1 indexed
 * [maximum creation order + 1, u16, if tracked]
 * fractal heap O | name index O [| creation order index O, if indexed]
 * </pre>
 *
 * @param nextCreationOrder the creation order of the next attribute, if tracked
 * @param heapAddress the address of the fractal heap; undefined if attributes are messages of the
 *     header
 * @param nameIndexAddress the address of the B-tree by name, or undefined
 * @param orderIndexAddress the address of the B-tree by creation order, possibly undefined; empty
 *     if not indexed
 */
public record AttributeInfoMessage(
    OptionalInt nextCreationOrder,
    long heapAddress,
    long nameIndexAddress,
    OptionalLong orderIndexAddress)
    implements Message {
  /** Message type. */
  public static final int TYPE = 0x0015;

  public static AttributeInfoMessage decode(ByteReader in, Widths widths) {
    in.expect("attribute info version", 0, in.u8());
    int flags = in.u8();
    if (flags > 3) {
      throw in.fault("attribute info flags", "bits 0-1", "0x" + Integer.toHexString(flags));
    }
    OptionalInt next = (flags & 1) != 0 ? OptionalInt.of(in.u16()) : OptionalInt.empty();
    long heap = widths.readAddress(in, "fractal heap address");
    long names = widths.readAddress(in, "name index address");
    OptionalLong order =
        (flags & 2) != 0
            ? OptionalLong.of(widths.readAddress(in, "creation order index address"))
            : OptionalLong.empty();
    return new AttributeInfoMessage(next, heap, names, order);
  }

  /** Returns whether attributes are stored in a fractal heap instead of the header. */
  public boolean isDense() {
    return FileAddress.isDefined(heapAddress);
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    out.u8(0);
    out.u8((nextCreationOrder.isPresent() ? 1 : 0) | (orderIndexAddress.isPresent() ? 2 : 0));
    nextCreationOrder.ifPresent(out::u16);
    widths.writeAddress(out, heapAddress);
    widths.writeAddress(out, nameIndexAddress);
    orderIndexAddress.ifPresent(address -> widths.writeAddress(out, address));
  }
}
