package io.skerry.internal.copy.header;

import io.skerry.StorageChange;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.symboltable.SymbolTableWriter;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.tree.ObjectForms;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/**
 * Creates the headers of copies, with space for their links and attributes. Every rank creates the
 * same headers.
 *
 * @param types the datatypes of the copies
 */
public record CopiedHeaders(CopyTarget target, CopiedTypes types) {
  public ObjectHeader group(ObjectHeader old, HeaderContent content) {
    List<HeaderMessage> entries = new ArrayList<>();
    Optional<LinkInfoMessage> info = old.find(LinkInfoMessage.class);
    if (target.isEarly() && info.flatMap(CopiedHeaders::order).isEmpty()) {
      ObjectForms forms = target.file().tree().forms();
      entries.add(
          HeaderMessage.of(
              new SymbolTableWriter(
                      forms.orders(), target.widths(), target.file().collective().space())
                  .reserve()));
    } else {
      addLinkMessages(old, entries);
    }
    return new CopiedHeader(old, target).make(entries, content);
  }

  private static Optional<Long> order(LinkInfoMessage info) {
    return info.nextCreationOrder().isPresent()
        ? Optional.of(info.nextCreationOrder().getAsLong())
        : Optional.empty();
  }

  private static void addLinkMessages(ObjectHeader old, List<HeaderMessage> entries) {
    Optional<LinkInfoMessage> info = old.find(LinkInfoMessage.class);
    entries.add(
        HeaderMessage.of(info.map(CopiedHeaders::emptied).orElseGet(LinkInfoMessage::compact)));
    entries.add(
        HeaderMessage.of(old.find(GroupInfoMessage.class).orElseGet(GroupInfoMessage::defaults)));
  }

  /**
   * Returns a new header for an existing root group without links. If the root group has
   * attributes, it keeps them, and they are stored as before.
   *
   * @param old the header of the root group of the source
   * @param root the existing header in the target
   */
  public ObjectHeader root(ObjectHeader old, ObjectHeader root) {
    List<HeaderMessage> entries = new ArrayList<>();
    CopiedHeader common = new CopiedHeader(old, target);
    HeaderPrefix prefix = common.prefix();
    if (target.isEarly()) {
      entries.addAll(root.messages());
      prefix = root.prefix();
    } else {
      addLinkMessages(old, entries);
      List<HeaderMessage> attributes = attributes(root);
      if (!attributes.isEmpty()) {
        entries.addAll(attributes);
        prefix = prefix.withAttributesLike(root.prefix());
      } else if (prefix.attributeOrder() != AttributeOrder.UNTRACKED) {
        entries.add(HeaderMessage.of(CopiedHeader.attributeInfo(prefix)));
      }
      prefix = prefix.withSizeWidth(root.prefix().sizeWidth());
    }
    common.addCommon(entries);
    return new ObjectHeader(prefix, entries, root.placement());
  }

  /** Returns the messages of a header that store attributes, or refer to their dense storage. */
  private static List<HeaderMessage> attributes(ObjectHeader header) {
    return header.messages().stream()
        .filter(entry ->
            entry.message() instanceof AttributeMessage
                || entry.message() instanceof AttributeInfoMessage)
        .toList();
  }

  private static LinkInfoMessage emptied(LinkInfoMessage info) {
    return new LinkInfoMessage(
        info.nextCreationOrder().isPresent() ? OptionalLong.of(0) : OptionalLong.empty(),
        FileAddress.UNDEFINED,
        FileAddress.UNDEFINED,
        info.orderIndexAddress().isPresent()
            ? OptionalLong.of(FileAddress.UNDEFINED)
            : OptionalLong.empty());
  }

  public ObjectHeader datatype(NativeFile from, ObjectHeader old, HeaderContent content) {
    List<HeaderMessage> entries = new ArrayList<>();
    entries.add(HeaderMessage.of(types.type(from, old.require(DatatypeMessage.class))));
    return new CopiedHeader(old, target).make(entries, content);
  }

  /**
   * Creates the header of a dataset.
   *
   * @param shape the extent of the source dataset, which for a virtual dataset follows from its
   *     sources
   * @param fill the transfer that copies the fill value, and the data to which it refers, to the
   *     target file
   */
  public ObjectHeader dataset(
      ObjectLocation from,
      ObjectHeader old,
      Shape shape,
      StorageChange change,
      ElementTransfer fill,
      HeaderContent content) {
    List<HeaderMessage> entries =
        new CopiedDatasetHeader(from, old, shape, change, target, types).messages(fill);
    return new CopiedHeader(old, target).make(entries, content);
  }

  /**
   * Transfers the fill value of a dataset again, and replaces the fill value in the header of the
   * copy.
   *
   * @param copy the address of the object header of the copy
   * @param objects a function from the address of an object to its new address, or to 0 if
   *     references to the object become null
   */
  public void replaceFill(ObjectLocation from, long copy, LongUnaryOperator objects) {
    CopiedFillValue.replace(from, target, copy, objects);
  }
}
