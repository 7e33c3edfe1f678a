package io.skerry;

import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.format.FileAddress;
import io.skerry.format.object.AttributeInfoMessage;
import io.skerry.format.object.AttributeMessage;
import io.skerry.format.object.HeaderMessage;
import io.skerry.format.object.HeaderPrefix.AttributeOrder;
import io.skerry.format.object.ObjectHeader;
import io.skerry.format.object.PhaseChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The attributes of one object, to be changed: in its header as long as they are few and short, in
 * dense storage from then on.
 */
final class AttributeEditor {
  /** Attributes that a header holds before they move to dense storage, where it says nothing. */
  private static final int MOST_COMPACT = 8;

  /** Bytes of an attribute that surely fit a message: 65535 less what is before the value. */
  private static final int MOST_BYTES = 0xffff - 128;

  /** Attributes of a header of version 1, which counts all its messages in 16 bits. */
  private static final int MOST_EARLY = 65_000;

  private final ObjectTree tree;
  private final long object;

  AttributeEditor(ObjectTree tree, long object) {
    this.tree = tree;
    this.object = object;
  }

  /** Adds an attribute, or replaces the one of its name. */
  void put(AttributeMessage attribute) {
    if (isDense()) {
      tree.denseAttributes().put(object, attribute);
      tree.change(object, entries -> entries);
      return;
    }
    List<AttributeMessage> compact = tree.header(object).all(AttributeMessage.class);
    boolean replaces = compact.stream().anyMatch(old -> old.name().equals(attribute.name()));
    if (tree.header(object).prefix().version() != 1) {
      // Without it HDF5 finds each attribute, but counts none.
      withInfo();
    }
    if (fits(attribute) && (replaces || compact.size() < mostCompact())) {
      tree.change(object, entries -> replaces ? replaced(entries, attribute) : entries);
      if (!replaces) {
        append(attribute);
      }
      return;
    }
    if (isEarly()) {
      throw new UnsupportedFeatureException(
          "an attribute too large for an object header of version 1: attribute="
              + attribute.name()
              + " bytes="
              + attribute.data().size()
              + " limit="
              + MOST_BYTES,
          tree.source().name());
    }
    withInfo();
    compact.forEach(old -> tree.denseAttributes().put(object, old));
    tree.denseAttributes().put(object, attribute);
    tree.change(
        object,
        entries ->
            entries.stream().filter(e -> !(e.message() instanceof AttributeMessage)).toList());
  }

  /** Removes the attribute of that name. */
  void remove(String name) {
    if (isDense()) {
      tree.denseAttributes().remove(object, name);
    }
    tree.change(
        object, entries -> entries.stream().filter(entry -> !isNamed(entry, name)).toList());
  }

  private boolean isDense() {
    return tree.denseAttributes().has(object) || info().filter(i -> i.isDense()).isPresent();
  }

  /** Headers of version 1 have no dense storage. */
  private boolean isEarly() {
    return tree.header(object).prefix().version() == 1;
  }

  private Optional<AttributeInfoMessage> info() {
    return tree.header(object).find(AttributeInfoMessage.class);
  }

  private int mostCompact() {
    ObjectHeader header = tree.header(object);
    return isEarly()
        ? MOST_EARLY
        : header.prefix().phaseChange().map(PhaseChange::mostCompact).orElse(MOST_COMPACT);
  }

  private static boolean fits(AttributeMessage attribute) {
    return 3L * attribute.name().length()
            + attribute.datatype().body().size()
            + 16L * attribute.dataspace().shape().rank()
            + attribute.data().size()
        <= MOST_BYTES;
  }

  private void append(AttributeMessage attribute) {
    HeaderMessage plain = HeaderMessage.of(attribute);
    OptionalInt order =
        info().map(AttributeInfoMessage::nextCreationOrder).orElse(OptionalInt.empty());
    if (order.isPresent()) {
      AttributeInfoMessage old = info().orElseThrow();
      tree.replace(
          object,
          new AttributeInfoMessage(
              OptionalInt.of(order.getAsInt() + 1),
              old.heapAddress(),
              old.nameIndexAddress(),
              old.orderIndexAddress()));
    }
    HeaderMessage entry = order.isPresent() ? plain.withCreationOrder(order.getAsInt()) : plain;
    tree.change(
        object,
        entries -> {
          List<HeaderMessage> edited = new ArrayList<>(entries);
          edited.add(entry);
          return edited;
        });
  }

  private static List<HeaderMessage> replaced(
      List<HeaderMessage> entries, AttributeMessage attribute) {
    return entries.stream()
        .map(entry -> isNamed(entry, attribute.name()) ? entry.with(attribute) : entry)
        .toList();
  }

  private static boolean isNamed(HeaderMessage entry, String name) {
    return entry.message() instanceof AttributeMessage message && message.name().equals(name);
  }

  /** The message that says where dense attributes are, or that there are none. */
  private void withInfo() {
    if (info().isPresent()) {
      return;
    }
    AttributeOrder order = tree.header(object).prefix().attributeOrder();
    AttributeInfoMessage info =
        new AttributeInfoMessage(
            order == AttributeOrder.UNTRACKED ? OptionalInt.empty() : OptionalInt.of(0),
            FileAddress.UNDEFINED,
            FileAddress.UNDEFINED,
            order == AttributeOrder.INDEXED
                ? OptionalLong.of(FileAddress.UNDEFINED)
                : OptionalLong.empty());
    tree.change(
        object,
        entries -> {
          List<HeaderMessage> edited = new ArrayList<>(entries);
          edited.add(HeaderMessage.of(info));
          return edited;
        });
  }
}
