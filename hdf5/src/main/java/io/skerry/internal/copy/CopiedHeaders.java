package io.skerry.internal.copy;

import io.skerry.SparsityConversion;
import io.skerry.StorageChange;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.format.FormatBounds;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.header.ObjectHeaderWriter;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.CommentMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.ModificationTimeMessage;
import io.skerry.format.message.OldModificationTimeMessage;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.OldFillValueMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.PhaseChange;
import io.skerry.format.symboltable.SymbolTableWriter;
import io.skerry.internal.dataset.create.DatasetMessages;
import io.skerry.internal.file.ObjectLocation;
import io.skerry.internal.tree.ObjectForms;
import io.skerry.internal.value.ElementTransfer;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * Makes the headers of copies, with exactly the space that their links and attributes will need.
 * Every rank makes the same headers.
 */
final class CopiedHeaders {
  private static final int MOST_COMPACT = 8;

  private final CopyTarget target;
  private final ToLongFunction<ObjectLocation> types;

  /**
   * Makes headers for a target.
   *
   * @param types returns the address of the copy of a committed datatype
   */
  CopiedHeaders(CopyTarget target, ToLongFunction<ObjectLocation> types) {
    this.target = target;
    this.types = types;
  }

  /** The links and attributes that are added to a header later. */
  record Content(List<LinkMessage> links, List<AttributeMessage> attributes) {}

  ObjectHeader group(ObjectHeader old, Content content) {
    List<HeaderMessage> entries = new ArrayList<>();
    Optional<LinkInfoMessage> info = old.find(LinkInfoMessage.class);
    if (isEarly() && info.flatMap(CopiedHeaders::order).isEmpty()) {
      ObjectForms forms = target.file().tree().forms();
      entries.add(
          HeaderMessage.of(
              new SymbolTableWriter(
                      forms.orders(), target.widths(), target.file().collective().space())
                  .reserve()));
    } else {
      addLinkMessages(old, entries);
    }
    return header(old, entries, content);
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

  /** Returns a new header for an existing root group without links. */
  ObjectHeader root(ObjectHeader old, ObjectHeader root) {
    List<HeaderMessage> entries = new ArrayList<>();
    HeaderPrefix prefix = prefix(old);
    if (isEarly()) {
      entries.addAll(root.messages());
      prefix = root.prefix();
    } else {
      addLinkMessages(old, entries);
      if (prefix.attributeOrder() != AttributeOrder.UNTRACKED) {
        entries.add(HeaderMessage.of(attributeInfo(prefix)));
      }
      prefix = prefix.withSizeWidth(root.prefix().sizeWidth());
    }
    addCommon(old, entries);
    return new ObjectHeader(prefix, entries, root.placement());
  }

  private boolean isEarly() {
    return target.bounds() == FormatBounds.EARLIEST;
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

  ObjectHeader datatype(ObjectLocation from, ObjectHeader old, Content content) {
    List<HeaderMessage> entries = new ArrayList<>();
    entries.add(HeaderMessage.of(type(from, old.require(DatatypeMessage.class))));
    return header(old, entries, content);
  }

  /** Returns the datatype of the copy, which differs only if addresses have another width. */
  DatatypeMessage type(ObjectLocation from, DatatypeMessage message) {
    if (from.file().tree().widths().offset() == target.widths().offset()) {
      return message;
    }
    Datatype old = message.datatype();
    Datatype here = ElementTransfer.type(old, from.file().tree().widths(), target.widths());
    return here.equals(old) ? message : DatatypeMessage.of(here);
  }

  /**
   * Makes the header of a dataset.
   *
   * @param fill transfers the fill value
   */
  ObjectHeader dataset(
      ObjectLocation from,
      ObjectHeader old,
      StorageChange change,
      ElementTransfer fill,
      Content content) {
    DatatypeMessage type = type(from, old.require(DatatypeMessage.class));
    CopiedLayout layout = new CopiedLayout(from, old, type.datatype(), target);
    FillValueMessage value =
        change
            .redefinition()
            .flatMap(SparsityConversion::undefined)
            .map(FillValueMessage::of)
            .orElseGet(() -> fill(old, fill));
    Optional<byte[]> bytes =
        value.userValue().map(v -> v.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
    List<Message> planned = planned(layout, change, bytes);
    List<HeaderMessage> entries = new ArrayList<>();
    DataspaceMessage space = old.require(DataspaceMessage.class);
    List<Message> stored = planned.isEmpty() ? layout.same() : new ArrayList<>();
    for (Message message : planned) {
      switch (message) {
        case DataspaceMessage other -> space = other;
        case DatatypeMessage _, OldFillValueMessage _ -> {}
        case FillValueMessage other -> value = planned(other, value, change);
        default -> stored.add(message);
      }
    }
    entries.add(HeaderMessage.of(space));
    entries.add(
        old.sharedReference(DatatypeMessage.class)
            .flatMap(reference -> committed(from, reference))
            .map(reference -> HeaderMessage.shared(type, reference))
            .orElseGet(() -> HeaderMessage.of(type)));
    entries.add(HeaderMessage.of(value));
    if (isEarly()) {
      value.userValue().ifPresent(v -> entries.add(HeaderMessage.of(new OldFillValueMessage(v))));
    }
    stored.forEach(message -> entries.add(HeaderMessage.of(message)));
    return header(old, entries, content);
  }

  /**
   * Merges the planned fill value message with the old one. The time of writing distinguishes
   * sparse from dense storage, so a conversion between them uses the planned time.
   */
  private static FillValueMessage planned(
      FillValueMessage planned, FillValueMessage old, StorageChange change) {
    return new FillValueMessage(
        planned.allocation(),
        change.redefinition().isPresent() ? planned.writing() : old.writing(),
        old.state(),
        old.value());
  }

  private List<Message> planned(CopiedLayout layout, StorageChange change, Optional<byte[]> fill) {
    if (change.fit() == StorageChange.Fit.WHERE_POSSIBLE && layout.namesOthers()) {
      return List.of();
    }
    try {
      return layout
          .changed(change, fill)
          .map(spec -> DatasetMessages.messages(spec, target.bounds()))
          .orElse(List.of());
    } catch (IllegalArgumentException | UnsupportedFeatureException e) {
      if (change.fit() == StorageChange.Fit.WHERE_POSSIBLE) {
        return List.of();
      }
      throw e;
    }
  }

  /** Returns the reference to a committed datatype in the copy. */
  Optional<SharedReference> committed(ObjectLocation from, SharedReference reference) {
    return reference instanceof SharedReference.Committed(long address)
        ? Optional.of(
            new SharedReference.Committed(
                types.applyAsLong(new ObjectLocation(from.file(), address))))
        : Optional.empty();
  }

  private FillValueMessage fill(ObjectHeader old, ElementTransfer transfer) {
    FillValueMessage message = old.find(FillValueMessage.class).orElseGet(() -> olderFill(old));
    if (message.userValue().isEmpty()) {
      return message;
    }
    Datatype type = old.require(DatatypeMessage.class).datatype();
    Bytes value = message.value();
    if (!ElementTransfer.holdsAddresses(type) || value.size() != type.size()) {
      return message;
    }
    return new FillValueMessage(
        message.allocation(),
        message.writing(),
        message.state(),
        Bytes.of(transfer.transfer(type, value.segment(), 1)));
  }

  private static FillValueMessage olderFill(ObjectHeader old) {
    FillValueMessage.Allocation allocation =
        switch (old.require(LayoutMessage.class)) {
          case io.skerry.format.layout.CompactLayout _ -> FillValueMessage.Allocation.EARLY;
          case io.skerry.format.layout.ContiguousLayout _ -> FillValueMessage.Allocation.LATE;
          default -> FillValueMessage.Allocation.INCREMENTAL;
        };
    FillValueMessage plain =
        old.find(OldFillValueMessage.class)
            .map(OldFillValueMessage::value)
            .filter(value -> value.size() > 0)
            .map(FillValueMessage::of)
            .orElseGet(FillValueMessage::zeros);
    return new FillValueMessage(allocation, plain.writing(), plain.state(), plain.value());
  }

  /** Adds the comment, and, if the header itself has no times, the time of the last change. */
  private void addCommon(ObjectHeader old, List<HeaderMessage> entries) {
    old.find(CommentMessage.class).ifPresent(comment -> entries.add(HeaderMessage.of(comment)));
    if (isEarly()) {
      modified(old)
          .ifPresent(time -> entries.add(HeaderMessage.of(new ModificationTimeMessage(time))));
    }
  }

  private static Optional<Long> modified(ObjectHeader old) {
    return old.prefix()
        .times()
        .map(HeaderPrefix.Times::modification)
        .or(() -> old.find(ModificationTimeMessage.class).map(ModificationTimeMessage::seconds))
        .or(() -> old.find(OldModificationTimeMessage.class).flatMap(CopiedHeaders::seconds));
  }

  /** Returns the prefix of the header: that of the old header, with the times of old versions. */
  private HeaderPrefix prefix(ObjectHeader old) {
    if (isEarly()) {
      return HeaderPrefix.earliest(1);
    }
    HeaderPrefix prefix = old.prefix();
    if (prefix.version() == 2) {
      return prefix.withSizeWidth(2);
    }
    Optional<HeaderPrefix.Times> times = modified(old).map(t -> new HeaderPrefix.Times(t, t, t, t));
    return new HeaderPrefix(AttributeOrder.UNTRACKED, Optional.empty(), times, 2);
  }

  private static Optional<Long> seconds(OldModificationTimeMessage time) {
    try {
      LocalDateTime at =
          LocalDateTime.parse(time.digits(), DateTimeFormatter.ofPattern("uuuuMMddHHmmss"));
      return Optional.of(at.toEpochSecond(ZoneOffset.UTC)).filter(t -> t >= 0 && t >> 32 == 0);
    } catch (java.time.DateTimeException e) {
      return Optional.empty();
    }
  }

  private ObjectHeader header(ObjectHeader old, List<HeaderMessage> entries, Content content) {
    addCommon(old, entries);
    HeaderPrefix prefix = prefix(old);
    boolean early = isEarly();
    if (!early && prefix.attributeOrder() != AttributeOrder.UNTRACKED
        || !early && isDense(prefix, content)) {
      entries.add(HeaderMessage.of(attributeInfo(prefix)));
    }
    int slack = slack(old, prefix, content);
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

  /** Makes the message with the locations of attributes, for an object without attributes. */
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

  private static boolean isDense(HeaderPrefix prefix, Content content) {
    return content.attributes().size()
            > prefix.phaseChange().map(PhaseChange::mostCompact).orElse(MOST_COMPACT)
        || content.attributes().stream().anyMatch(a -> a.data().size() > 0xf000);
  }

  /** Returns the number of bytes that links, attributes and the reference count will take. */
  private int slack(ObjectHeader old, HeaderPrefix prefix, Content content) {
    int most =
        old.find(GroupInfoMessage.class)
            .flatMap(GroupInfoMessage::phaseChange)
            .map(PhaseChange::mostCompact)
            .orElse(MOST_COMPACT);
    int bytes = old.references() == 1 || isEarly() ? 0 : prefix.messageHeaderSize() + 5;
    if (content.links().size() <= most && !isEarly()) {
      for (LinkMessage link : content.links()) {
        bytes += size(link, prefix);
      }
    }
    if (isEarly() || !isDense(prefix, content)) {
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
