package io.skerry;

import io.skerry.format.FileAddress;
import io.skerry.format.object.HeaderMessage;
import io.skerry.format.object.LinkInfoMessage;
import io.skerry.format.object.LinkMessage;
import io.skerry.format.object.LinkTarget;
import io.skerry.format.object.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The links of a group, to be changed. Knows nothing of what they lead to: who adds or removes a
 * hard link counts it. Every rank does the same on its own copy of the metadata.
 */
final class GroupLinks {
  private final ObjectTree tree;
  private final long group;

  GroupLinks(ObjectTree tree, long group) {
    this.tree = tree;
    this.group = group;
  }

  /** The message of a new group without links. */
  static LinkInfoMessage info(LinkOrder order) {
    return switch (order) {
      case UNTRACKED -> LinkInfoMessage.compact();
      case TRACKED ->
          new LinkInfoMessage(
              OptionalLong.of(0),
              FileAddress.UNDEFINED,
              FileAddress.UNDEFINED,
              OptionalLong.of(FileAddress.UNDEFINED));
    };
  }

  /** Adds a link; the name must be free. */
  void add(String name, LinkTarget target) {
    tree.checkLinksCompact(group);
    tree.change(group, entries -> added(entries, LinkMessage.of(name, target)));
  }

  /** Removes the link of that name, which must be there. */
  void remove(String name) {
    tree.checkLinksCompact(group);
    tree.change(
        group,
        entries ->
            entries.stream()
                .filter(entry ->
                    !(entry.message() instanceof LinkMessage link && link.name().equals(name)))
                .toList());
  }

  private static List<HeaderMessage> added(List<HeaderMessage> entries, LinkMessage link) {
    Optional<LinkInfoMessage> info =
        entries.stream()
            .map(HeaderMessage::message)
            .filter(LinkInfoMessage.class::isInstance)
            .map(LinkInfoMessage.class::cast)
            .findFirst();
    OptionalLong order = info.map(LinkInfoMessage::nextCreationOrder).orElse(OptionalLong.empty());
    List<HeaderMessage> edited = new ArrayList<>();
    for (HeaderMessage entry : entries) {
      Message message = entry.message();
      edited.add(
          message instanceof LinkInfoMessage old && order.isPresent()
              ? entry.with(
                  new LinkInfoMessage(
                      OptionalLong.of(order.getAsLong() + 1),
                      old.heapAddress(),
                      old.nameIndexAddress(),
                      old.orderIndexAddress()))
              : entry);
    }
    edited.add(
        HeaderMessage.of(new LinkMessage(link.name(), order, link.characters(), link.target())));
    return edited;
  }
}
