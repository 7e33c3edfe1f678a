package io.skerry.internal.tree;

import io.skerry.AttributeOrder;
import io.skerry.LinkOrder;
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
 * In which form a file gets new objects.
 *
 * @param bounds for whom they are
 * @param widths of the file
 * @param orders of the file
 */
public record ObjectForms(FormatBounds bounds, Widths widths, TreeOrders orders) {
  /** Room left in a group's header for links and attributes to come. */
  static final int GROUP_SLACK = 512;

  /** Room left in a dataset's header for attributes to come. */
  public static final int DATASET_SLACK = 256;

  /**
   * A header for a new object; links to it may use its address from now on.
   *
   * @param order whether the object is to keep the order of its attributes, which headers of
   *     version 1 cannot
   * @param slack bytes of room for messages to come
   */
  public ObjectHeader header(
      List<HeaderMessage> entries, AttributeOrder order, int slack, SpaceAllocator space) {
    if (bounds != FormatBounds.EARLIEST || order == AttributeOrder.TRACKED) {
      return ObjectTree.place(entries, order, slack, widths, space);
    }
    HeaderPrefix prefix = HeaderPrefix.earliest(1);
    HeaderPlacement place = new ObjectHeaderWriter(prefix, widths).reserve(entries, slack, space);
    return new ObjectHeader(prefix, entries, place);
  }

  /** As {@link #header}, with messages that stand there. */
  public ObjectHeader plain(
      List<Message> messages, AttributeOrder order, int slack, SpaceAllocator space) {
    return header(messages.stream().map(HeaderMessage::of).toList(), order, slack, space);
  }

  /** A new group; a symbol table is not able to keep the order of links. */
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
