package io.skerry.internal.tree;

import io.skerry.AttributeOrder;
import io.skerry.LinkOrder;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.FormatBounds;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Widths;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPlacement;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.header.ObjectHeaderWriter;
import io.skerry.format.message.Message;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.superblock.TreeOrders;
import io.skerry.format.symboltable.SymbolTableWriter;
import java.util.List;

/**
 * Creates the headers of new objects within the format version bounds of a file.
 *
 * @param bounds the format version bounds
 * @param widths the widths of addresses and lengths in the file
 * @param orders the B-tree orders of the file
 */
public record ObjectForms(FormatBounds bounds, Widths widths, TreeOrders orders) {
  /**
   * The number of bytes that are reserved for later links and attributes in the header of a group
   * without a symbol table.
   */
  static final int GROUP_SLACK = 512;

  /**
   * The number of bytes that are reserved for later attributes in the header of a dataset, a
   * committed datatype or a group with a symbol table.
   */
  public static final int DATASET_SLACK = 256;

  /**
   * Creates the header of a new object and allocates its space, so that links can use its address.
   *
   * @param order the creation-order tracking for attributes; a header that tracks the order has
   *     version 2
   * @param slack the number of bytes that are reserved for later messages
   */
  public ObjectHeader header(
      List<HeaderMessage> entries, AttributeOrder order, int slack, SpaceAllocator space) {
    HeaderPrefix prefix = prefix(entries, order, slack);
    HeaderPlacement place = new ObjectHeaderWriter(prefix, widths).reserve(entries, slack, space);
    return new ObjectHeader(prefix, entries, place);
  }

  private HeaderPrefix prefix(List<HeaderMessage> entries, AttributeOrder order, int slack) {
    if (bounds == FormatBounds.EARLIEST && order != AttributeOrder.TRACKED) {
      return HeaderPrefix.earliest(1);
    }
    HeaderPrefix plain =
        HeaderPrefix.plain()
            .withAttributeOrder(
                switch (order) {
                  case UNTRACKED -> HeaderPrefix.AttributeOrder.UNTRACKED;
                  case TRACKED -> HeaderPrefix.AttributeOrder.INDEXED;
                });
    return fits(entries, slack) ? plain : plain.withSizeWidth(4);
  }

  /** Returns whether a two-byte field can represent the size of the messages and the slack. */
  private boolean fits(List<HeaderMessage> entries, int slack) {
    long bytes = slack;
    for (HeaderMessage entry : entries) {
      ByteWriter body = ByteWriter.create();
      entry.message().encode(body, widths);
      bytes += 6 + body.position();
    }
    return bytes <= 0xffff;
  }

  /** Creates a header like {@link #header}, but from messages that are not shared. */
  public ObjectHeader plain(
      List<Message> messages, AttributeOrder order, int slack, SpaceAllocator space) {
    return header(messages.stream().map(HeaderMessage::of).toList(), order, slack, space);
  }

  /**
   * Creates the header of a new group. In the earliest format, a group that does not track any
   * creation order has a symbol table; any other group has link messages.
   */
  public ObjectHeader group(LinkOrder order, AttributeOrder attributes, SpaceAllocator space) {
    if (bounds == FormatBounds.EARLIEST
        && order == LinkOrder.UNTRACKED
        && attributes == AttributeOrder.UNTRACKED) {
      SymbolTableMessage table = new SymbolTableWriter(orders, widths, space).reserve();
      return plain(List.of(table), attributes, DATASET_SLACK, space);
    }
    return plain(
        List.of(GroupLinks.info(order), GroupInfoMessage.defaults()),
        attributes,
        GROUP_SLACK,
        space);
  }
}
