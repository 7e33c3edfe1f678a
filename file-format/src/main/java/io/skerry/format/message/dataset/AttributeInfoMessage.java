package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.message.DenseAddresses;
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
 * @param heapAddress the address of the fractal heap; undefined if the attributes are messages in
 *     the object header
 * @param nameIndexAddress the address of the name index, a B-tree, or undefined
 * @param orderIndexAddress the address of the creation order index, a B-tree, possibly undefined;
 *     empty if creation order is not indexed
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
    int flags = DenseAddresses.readFlags(in, "attribute info");
    OptionalInt next =
        DenseAddresses.isTracked(flags) ? OptionalInt.of(in.u16()) : OptionalInt.empty();
    DenseAddresses at = DenseAddresses.read(in, flags, widths);
    return new AttributeInfoMessage(next, at.heap(), at.names(), at.order());
  }

  /** Returns whether attributes are stored in a fractal heap instead of in the header. */
  public boolean isDense() {
    return FileAddress.isDefined(heapAddress);
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    DenseAddresses at = new DenseAddresses(heapAddress, nameIndexAddress, orderIndexAddress);
    if (nextCreationOrder.isPresent()) {
      at.writeTracked(out);
      out.u16(nextCreationOrder.getAsInt());
    } else {
      at.writeUntracked(out);
    }
    at.write(out, widths);
  }
}
