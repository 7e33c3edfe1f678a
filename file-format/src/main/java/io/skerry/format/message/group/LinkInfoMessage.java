package io.skerry.format.message.group;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.message.DenseAddresses;
import io.skerry.format.message.Message;
import java.util.OptionalLong;

/**
 * The link info message (0x0002), which every new-style group has. Source: HDF5 File Format
 * Specification 3.0, section IV.A.2.c, "The Link Info Message".
 *
 * <pre>
 * 00 | flags u8: bit 0 creation order tracked, bit 1 indexed
 * [maximum creation order + 1, u64, if tracked]
 * fractal heap O | name index O [| creation order index O, if indexed]
 * </pre>
 *
 * @param nextCreationOrder the creation order of the next link, if tracked
 * @param heapAddress the address of the fractal heap of dense links; undefined if the links are
 *     messages in the object header
 * @param nameIndexAddress the address of the name index, a B-tree, or undefined
 * @param orderIndexAddress the address of the creation order index, a B-tree, possibly undefined;
 *     empty if creation order is not indexed
 */
public record LinkInfoMessage(
    OptionalLong nextCreationOrder,
    long heapAddress,
    long nameIndexAddress,
    OptionalLong orderIndexAddress)
    implements Message {
  /** Message type. */
  public static final int TYPE = 0x0002;

  /** Returns the message for a group with compact links and untracked creation order. */
  public static LinkInfoMessage compact() {
    return new LinkInfoMessage(
        OptionalLong.empty(), FileAddress.UNDEFINED, FileAddress.UNDEFINED, OptionalLong.empty());
  }

  public static LinkInfoMessage decode(ByteReader in, Widths widths) {
    int flags = DenseAddresses.readFlags(in, "link info");
    OptionalLong next =
        DenseAddresses.isTracked(flags)
            ? OptionalLong.of(in.u63("creation order"))
            : OptionalLong.empty();
    DenseAddresses at = DenseAddresses.read(in, flags, widths);
    return new LinkInfoMessage(next, at.heap(), at.names(), at.order());
  }

  /** Returns whether links are stored in a fractal heap instead of in the header. */
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
      out.u64(nextCreationOrder.getAsLong());
    } else {
      at.writeUntracked(out);
    }
    at.write(out, widths);
  }
}
