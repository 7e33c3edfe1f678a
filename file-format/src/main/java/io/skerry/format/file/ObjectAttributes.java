package io.skerry.format.file;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.dense.DenseAttribute;
import io.skerry.format.dense.DenseAttributes;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import java.util.ArrayList;
import java.util.List;

/** Reads the attributes of objects, from their headers and from dense storage. */
final class ObjectAttributes {
  private final ByteSource source;
  private final Widths widths;
  private final SharedMessageReader shared;

  ObjectAttributes(ByteSource source, Widths widths, SharedMessageReader shared) {
    this.source = source;
    this.widths = widths;
    this.shared = shared;
  }

  /**
   * Returns the attributes of an object as object header entries, in creation order if the object
   * tracks it, otherwise in stored order. For a dense attribute, this is the entry that would
   * represent it in the header.
   *
   * @throws FormatException if they are damaged
   */
  List<HeaderMessage> entries(ObjectHeader object) {
    List<HeaderMessage> entries = new ArrayList<>();
    if (!object.all(AttributeMessage.class).isEmpty()) {
      object.messages().stream()
          .filter(entry -> entry.message() instanceof AttributeMessage)
          .forEach(entries::add);
    }
    object
        .find(AttributeInfoMessage.class)
        .filter(AttributeInfoMessage::isDense)
        .map(info -> DenseAttributes.open(source, widths, info, shared::pooledAttribute))
        .ifPresent(dense ->
            dense
                .all()
                .forEach(found ->
                    entries.add(
                        new HeaderMessage(
                            attribute(found), found.flags(), found.creationOrder()))));
    if (object.prefix().attributeOrder() != AttributeOrder.UNTRACKED) {
      entries.sort(HeaderMessage.byCreation());
    }
    return entries;
  }

  private AttributeMessage attribute(DenseAttribute found) {
    ByteReader body = ByteReader.of(found.body(), "dense attribute");
    if (AttributeMessage.decode(body, widths, shared) instanceof AttributeMessage attribute) {
      return attribute;
    }
    throw new FormatException("dense attribute " + found.name(), "whole", "a part not found")
        .inFile(source.name());
  }
}
