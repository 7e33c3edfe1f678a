package io.skerry.format.message.group;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
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
 * @param heapAddress the address of the fractal heap of dense links; undefined if links are
 *     messages of the header
 * @param nameIndexAddress the address of the B-tree by name, or undefined
 * @param orderIndexAddress the address of the B-tree by creation order, possibly undefined; empty
 *     if not indexed
 */
public record LinkInfoMessage(
    OptionalLong nextCreationOrder,
    long heapAddress,
    long nameIndexAddress,
    OptionalLong orderIndexAddress)
    implements Message {
  /** Message type. */
  public static final int TYPE = 0x0002;

  /** Returns the message of a group with compact links and untracked creation order. */
  public static LinkInfoMessage compact() {
    return new LinkInfoMessage(
        OptionalLong.empty(), FileAddress.UNDEFINED, FileAddress.UNDEFINED, OptionalLong.empty());
  }

  public static LinkInfoMessage decode(ByteReader in, Widths widths) {
    in.expect("link info version", 0, in.u8());
    int flags = in.u8();
    if (flags > 3) {
      throw in.fault("link info flags", "bits 0-1", "0x" + Integer.toHexString(flags));
    }
    OptionalLong next =
        (flags & 1) != 0 ? OptionalLong.of(in.u63("creation order")) : OptionalLong.empty();
    long heap = widths.readAddress(in, "fractal heap address");
    long names = widths.readAddress(in, "name index address");
    OptionalLong order =
        (flags & 2) != 0
            ? OptionalLong.of(widths.readAddress(in, "creation order index address"))
            : OptionalLong.empty();
    return new LinkInfoMessage(next, heap, names, order);
  }

  /** Returns whether links are stored in a fractal heap instead of the header. */
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
    nextCreationOrder.ifPresent(out::u64);
    widths.writeAddress(out, heapAddress);
    widths.writeAddress(out, nameIndexAddress);
    orderIndexAddress.ifPresent(address -> widths.writeAddress(out, address));
  }
}
