package io.skerry.internal.copy.header;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.header.ObjectHeaderWriter;
import io.skerry.format.message.CommentMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.ModificationTimeMessage;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.group.LinkMessage;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Creates the parts that the headers of all kinds of objects have in common: the prefix, the
 * comment, the time of the last change, and the space for links and attributes.
 *
 * @param old the header of the source object
 */
record CopiedHeader(ObjectHeader old, CopyTarget target) {
  /**
   * Creates a header with space for links and attributes.
   *
   * @param entries the messages that are specific to this kind of object; the common messages are
   *     added to the list
   */
  ObjectHeader make(List<HeaderMessage> entries, HeaderContent content) {
    addCommon(entries);
    HeaderPrefix prefix = prefix();
    boolean early = target.isEarly();
    if (!early && prefix.attributeOrder() != AttributeOrder.UNTRACKED
        || !early && content.hasDenseAttributes(prefix)) {
      entries.add(HeaderMessage.of(attributeInfo(prefix)));
    }
    int slack = slack(prefix, content);
    long body = slack;
    for (HeaderMessage entry : entries) {
      body += size(entry.message(), prefix);
    }
    HeaderPrefix wide = body > 0xffff && !early ? prefix.withSizeWidth(4) : prefix;
    return new ObjectHeader(
        wide,
        entries,
        new ObjectHeaderWriter(wide, target.widths())
            .reserve(entries, slack, target.file().collective().space()));
  }

  /**
   * Adds the comment and, in the earliest format, whose header prefix has no times, the time of the
   * last change.
   */
  void addCommon(List<HeaderMessage> entries) {
    old.find(CommentMessage.class).ifPresent(comment -> entries.add(HeaderMessage.of(comment)));
    if (target.isEarly()) {
      ModificationTime.of(old)
          .ifPresent(time -> entries.add(HeaderMessage.of(new ModificationTimeMessage(time))));
    }
  }

  /**
   * Returns the prefix of the new header. In the earliest format, the prefix has version 1.
   * Otherwise it is the prefix of the old header or, if that has version 1, a new prefix with the
   * modification time of the old header.
   */
  HeaderPrefix prefix() {
    if (target.isEarly()) {
      return HeaderPrefix.earliest(1);
    }
    HeaderPrefix prefix = old.prefix();
    if (prefix.version() == 2) {
      return prefix.withSizeWidth(2);
    }
    Optional<HeaderPrefix.Times> times =
        ModificationTime.of(old).map(t -> new HeaderPrefix.Times(t, t, t, t));
    return new HeaderPrefix(AttributeOrder.UNTRACKED, Optional.empty(), times, 2);
  }

  /** Creates the attribute info message of an object that has no attributes yet. */
  static AttributeInfoMessage attributeInfo(HeaderPrefix prefix) {
    AttributeOrder order = prefix.attributeOrder();
    return new AttributeInfoMessage(
        order == AttributeOrder.UNTRACKED ? OptionalInt.empty() : OptionalInt.of(0),
        FileAddress.UNDEFINED,
        FileAddress.UNDEFINED,
        order == AttributeOrder.INDEXED
            ? OptionalLong.of(FileAddress.UNDEFINED)
            : OptionalLong.empty());
  }

  /**
   * Returns the number of header bytes to reserve for links, attributes and the reference count.
   */
  private int slack(HeaderPrefix prefix, HeaderContent content) {
    int bytes = old.references() == 1 || target.isEarly() ? 0 : prefix.messageHeaderSize() + 5;
    if (content.hasCompactLinks(old) && !target.isEarly()) {
      for (LinkMessage link : content.links()) {
        bytes += size(link, prefix);
      }
    }
    if (target.isEarly() || !content.hasDenseAttributes(prefix)) {
      for (AttributeMessage attribute : content.attributes()) {
        bytes += size(attribute, prefix);
      }
    }
    return bytes;
  }

  private int size(Message message, HeaderPrefix prefix) {
    ByteWriter body = ByteWriter.create();
    if (prefix.version() == 1) {
      message.encodeEarliest(body, target.widths());
    } else {
      message.encode(body, target.widths());
    }
    int padding = Math.floorMod(-body.position(), prefix.alignment());
    return prefix.messageHeaderSize() + body.position() + padding;
  }
}
