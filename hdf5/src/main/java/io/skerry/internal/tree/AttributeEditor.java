package io.skerry.internal.tree;

import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.group.PhaseChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Edits the attributes of one object. A header of version 1 stores all of them. Any other header
 * stores them as long as they are few and short; otherwise, all of them are in dense storage.
 */
public final class AttributeEditor {
  /** The default maximum number of attributes in a header that supports dense storage. */
  private static final int MOST_COMPACT = 8;

  /**
   * The maximum total size, in bytes, of name, datatype, dataspace and value at which an attribute
   * is certain to fit into a message: 65,535 minus an allowance for the other fields.
   */
  private static final int MOST_BYTES = 0xffff - 128;

  /**
   * The maximum number of attributes in a header of version 1, which has a 16-bit count of all its
   * messages.
   */
  private static final int MOST_EARLY = 65_000;

  /** The exclusive upper bound on creation orders. */
  private static final int MOST_ORDERS = 0xffff;

  private final ObjectTree tree;
  private final long object;

  public AttributeEditor(ObjectTree tree, long object) {
    this.tree = tree;
    this.object = object;
  }

  /** Returns the attribute with the given name; empty if there is none. */
  public Optional<AttributeMessage> find(String name) {
    return entry(name).map(entry -> (AttributeMessage) entry.message());
  }

  private Optional<HeaderMessage> entry(String name) {
    return tree.attributeEntries(object).stream().filter(entry -> isNamed(entry, name)).findFirst();
  }

  /** Adds an attribute, or replaces the attribute with the same name. */
  public void put(AttributeMessage attribute) {
    StorableForm.check(attribute);
    Optional<HeaderMessage> old = entry(attribute.name());
    place(
        old.isPresent()
            ? old.get().with(attribute)
            : new HeaderMessage(attribute, 0, nextOrder(attribute.name())));
  }

  /** Renames an existing attribute; its creation order does not change. */
  public void rename(String from, String to) {
    HeaderMessage old = entry(from).orElseThrow();
    AttributeMessage renamed = ((AttributeMessage) old.message()).withName(to);
    StorableForm.check(renamed);
    remove(from);
    place(old.with(renamed));
  }

  /** Removes the attribute with the given name. */
  public void remove(String name) {
    if (isDense()) {
      tree.denseAttributes().remove(object, name);
    }
    tree.change(
        object, entries -> entries.stream().filter(entry -> !isNamed(entry, name)).toList());
  }

  private void place(HeaderMessage entry) {
    AttributeMessage attribute = (AttributeMessage) entry.message();
    if (isDense()) {
      tree.denseAttributes().put(object, entry);
      tree.change(object, entries -> entries);
      return;
    }
    if (!isEarly()) {
      // Without the attribute info message, HDF5 finds each attribute, but reports a count of 0.
      withInfo();
    }
    List<HeaderMessage> compact = tree.attributeEntries(object);
    boolean replaces = compact.stream().anyMatch(old -> isNamed(old, attribute.name()));
    if (fits(attribute) && (replaces || compact.size() < mostCompact())) {
      tree.change(
          object, entries -> replaces ? replaced(entries, entry) : appended(entries, entry));
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
    tree.denseAttributes().put(object, entry);
    tree.change(
        object,
        entries ->
            entries.stream().filter(e -> !(e.message() instanceof AttributeMessage)).toList());
  }

  private boolean isDense() {
    return tree.denseAttributes().has(object) || info().filter(i -> i.isDense()).isPresent();
  }

  /** Returns whether the header has version 1, which does not support dense storage. */
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

  /** Returns whether an attribute is certain to fit into a header message. */
  static boolean fits(AttributeMessage attribute) {
    return 3L * attribute.name().length()
            + attribute.datatype().body().size()
            + 16L * attribute.dataspace().shape().rank()
            + attribute.data().size()
        <= MOST_BYTES;
  }

  /**
   * Returns the creation order of a new attribute if the object tracks it, and advances the
   * counter.
   */
  private OptionalInt nextOrder(String name) {
    if (tree.header(object).prefix().attributeOrder() == AttributeOrder.UNTRACKED) {
      return OptionalInt.empty();
    }
    withInfo();
    AttributeInfoMessage info = info().orElseThrow();
    int order = info.nextCreationOrder().orElse(0);
    if (order >= MOST_ORDERS) {
      throw new IllegalStateException(
          "an object that keeps the order of attributes has had too many: attribute="
              + name
              + " limit="
              + MOST_ORDERS);
    }
    tree.replace(
        object,
        new AttributeInfoMessage(
            OptionalInt.of(order + 1),
            info.heapAddress(),
            info.nameIndexAddress(),
            info.orderIndexAddress()));
    return OptionalInt.of(order);
  }

  private static List<HeaderMessage> appended(List<HeaderMessage> entries, HeaderMessage added) {
    List<HeaderMessage> edited = new ArrayList<>(entries);
    edited.add(added);
    return edited;
  }

  private static List<HeaderMessage> replaced(List<HeaderMessage> entries, HeaderMessage entry) {
    String name = ((AttributeMessage) entry.message()).name();
    return entries.stream().map(old -> isNamed(old, name) ? entry : old).toList();
  }

  private static boolean isNamed(HeaderMessage entry, String name) {
    return entry.message() instanceof AttributeMessage message && message.name().equals(name);
  }

  /** Adds an attribute info message if the header has none. */
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
    tree.change(object, entries -> appended(entries, HeaderMessage.of(info)));
  }
}
