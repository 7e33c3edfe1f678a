package io.skerry;

import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.collective.Operation;
import io.skerry.format.Bytes;
import io.skerry.format.object.AttributeInfoMessage;
import io.skerry.format.object.AttributeMessage;
import io.skerry.format.object.DataspaceMessage;
import io.skerry.format.object.DatatypeMessage;
import io.skerry.format.object.HeaderMessage;
import io.skerry.format.object.ObjectHeader;
import java.util.ArrayList;
import java.util.List;

/** Attributes in object headers. */
final class Attributes {
  private Attributes() {}

  static List<Attribute> of(H5File file, long address) {
    ObjectTree tree = file.tree();
    return tree.format().attributes(tree.header(address)).stream().map(Attributes::decode).toList();
  }

  /** Sets or replaces an attribute. Collective. */
  static void set(H5File file, String path, long address, Attribute attribute) {
    file.collective()
        .together(
            Operation.WRITE_ATTRIBUTE,
            path,
            attribute.describe(),
            () -> {
              checkCompact(file.tree().header(address));
              file.tree().change(address, entries -> edited(entries, attribute));
              return true;
            });
  }

  private static void checkCompact(ObjectHeader header) {
    if (header.all(AttributeInfoMessage.class).stream().anyMatch(AttributeInfoMessage::isDense)) {
      throw new UnsupportedFeatureException(
          "changing attributes in dense storage",
          "object header at 0x" + Long.toHexString(header.address()));
    }
  }

  private static List<HeaderMessage> edited(List<HeaderMessage> entries, Attribute attribute) {
    HeaderMessage added = HeaderMessage.of(encode(attribute));
    List<HeaderMessage> edited = new ArrayList<>();
    boolean replaced = false;
    for (HeaderMessage entry : entries) {
      boolean same =
          entry.message() instanceof AttributeMessage old && old.name().equals(attribute.name());
      edited.add(same ? added : entry);
      replaced |= same;
    }
    if (!replaced) {
      edited.add(added);
    }
    return edited;
  }

  private static Attribute decode(AttributeMessage message) {
    return Attribute.of(
        message.name(),
        message.datatype().datatype(),
        message.dataspace().shape(),
        message.data().segment());
  }

  private static AttributeMessage encode(Attribute attribute) {
    return AttributeMessage.of(
        attribute.name(),
        DatatypeMessage.of(attribute.datatype()),
        DataspaceMessage.of(attribute.shape()),
        Bytes.of(attribute.segment()));
  }
}
