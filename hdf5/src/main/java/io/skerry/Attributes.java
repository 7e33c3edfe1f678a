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
import java.util.function.UnaryOperator;

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

  /** Removes an attribute. Collective. */
  static void delete(H5File file, String path, long address, String name) {
    edit(
        file,
        path,
        address,
        "delete " + name,
        entries -> {
          List<HeaderMessage> edited = new ArrayList<>(entries);
          if (!edited.removeIf(entry -> isNamed(entry, name))) {
            throw missing(file, path, name);
          }
          return edited;
        });
  }

  /** Gives an attribute another name. Collective. */
  static void rename(H5File file, String path, long address, String from, String to) {
    edit(
        file,
        path,
        address,
        "rename " + from + " to " + to,
        entries -> {
          if (entries.stream().anyMatch(entry -> isNamed(entry, to))) {
            throw new IllegalStateException("the name is taken: attribute=" + to + " of=" + path);
          }
          if (entries.stream().noneMatch(entry -> isNamed(entry, from))) {
            throw missing(file, path, from);
          }
          return entries.stream()
              .map(entry ->
                  isNamed(entry, from) && entry.message() instanceof AttributeMessage old
                      ? entry.with(old.withName(to))
                      : entry)
              .toList();
        });
  }

  private static void edit(
      H5File file,
      String path,
      long address,
      String arguments,
      UnaryOperator<List<HeaderMessage>> edit) {
    boolean unused =
        file.collective()
            .together(
                Operation.WRITE_ATTRIBUTE,
                path,
                arguments,
                () -> {
                  checkCompact(file.tree().header(address));
                  file.tree().change(address, edit);
                  return true;
                });
  }

  private static boolean isNamed(HeaderMessage entry, String name) {
    return entry.message() instanceof AttributeMessage message && message.name().equals(name);
  }

  private static NoSuchObjectException missing(H5File file, String path, String name) {
    return new NoSuchObjectException("no such attribute: " + name, path, file.path().toString());
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
