package io.skerry.internal.copy.header;

import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.PhaseChange;
import java.util.List;

/** The links and attributes that will later be added to the header of a copy. */
public record HeaderContent(List<LinkMessage> links, List<AttributeMessage> attributes) {
  private static final int MOST_COMPACT = 8;

  /** Returns whether the attributes need dense storage. */
  boolean hasDenseAttributes(HeaderPrefix prefix) {
    return attributes.size()
            > prefix.phaseChange().map(PhaseChange::mostCompact).orElse(MOST_COMPACT)
        || attributes.stream().anyMatch(a -> a.data().size() > 0xf000);
  }

  /**
   * Returns whether the links are stored in the header.
   *
   * @param group the object header of the source group
   */
  boolean hasCompactLinks(ObjectHeader group) {
    int most =
        group
            .find(GroupInfoMessage.class)
            .flatMap(GroupInfoMessage::phaseChange)
            .map(PhaseChange::mostCompact)
            .orElse(MOST_COMPACT);
    return links.size() <= most;
  }
}
