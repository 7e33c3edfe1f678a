package io.skerry.format.file;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.dense.DenseAttribute;
import io.skerry.format.dense.DenseAttributes;
import io.skerry.format.dense.DenseLinks;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.heap.GlobalHeap;
import io.skerry.format.message.SharedMessageResolver;
import io.skerry.format.message.TreeOrdersMessage;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.shared.SharedMessageTable;
import io.skerry.format.superblock.EarlyFields;
import io.skerry.format.superblock.Superblock;
import io.skerry.format.superblock.SymbolEntry;
import io.skerry.format.superblock.TreeOrders;
import io.skerry.format.symboltable.SymbolTable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One HDF5 file of any age, for reading. Any number of threads may read at once. Local.
 *
 * <p>What headers in memory say wins over the file: links and attributes are those of the header
 * given, and only what it says to be elsewhere is read.
 */
public final class FormatFile {
  private final Superblock superblock;
  private final ByteSource source;
  private final Optional<ObjectHeader> extension;
  private final SharedMessageReader shared;
  private final GlobalHeap globalHeap;

  private FormatFile(Superblock superblock, ByteSource stored) {
    this.superblock = superblock;
    this.extension =
        FileAddress.isDefined(superblock.extensionAddress())
            ? Optional.of(
                ObjectHeader.read(stored, superblock.widths(), superblock.extensionAddress()))
            : Optional.empty();
    this.source = CacheImageSource.over(stored, superblock.widths(), extension);
    this.shared = new SharedMessageReader(source, superblock.widths(), extension);
    this.globalHeap = GlobalHeap.open(source, superblock.widths());
  }

  /**
   * Opens a file.
   *
   * @param raw the file, with addresses that count from its byte 0
   * @throws FormatException if it is no HDF5 file, or its superblock or superblock extension is
   *     damaged
   */
  public static FormatFile open(ByteSource raw) {
    Superblock superblock = Superblock.find(raw);
    return new FormatFile(superblock, raw.from(superblock.baseAddress()));
  }

  /**
   * A file that is being made: it has this superblock, though not on disk.
   *
   * @param source the file, with addresses that count from the base address
   */
  public static FormatFile beginning(ByteSource source, Superblock superblock) {
    return new FormatFile(superblock, source);
  }

  /** The superblock. */
  public Superblock superblock() {
    return superblock;
  }

  /** Sizes of offsets and lengths. */
  public Widths widths() {
    return superblock.widths();
  }

  /**
   * The bytes of the file, with addresses that count from the base address. A metadata cache image
   * lies over what stands in the file.
   */
  public ByteSource source() {
    return source;
  }

  /** The superblock extension. */
  public Optional<ObjectHeader> extension() {
    return extension;
  }

  /** How large nodes of version 1 B-trees are. */
  public TreeOrders orders() {
    return superblock
        .early()
        .map(EarlyFields::orders)
        .or(() ->
            extension.flatMap(e -> e.find(TreeOrdersMessage.class)).map(TreeOrdersMessage::orders))
        .orElse(TreeOrders.DEFAULT);
  }

  /** Fetches messages that stand elsewhere in this file. */
  public SharedMessageResolver shared() {
    return shared;
  }

  /** Which kinds of messages the file pools and where, if it does. */
  public Optional<SharedMessageTable> sharedTable() {
    return shared.table();
  }

  /** The body of an attribute message that dense storage names and the file's pool holds. */
  public MemorySegment pooledAttribute(MemorySegment heapId) {
    return shared.pooledAttribute(heapId);
  }

  /** The root group. */
  public ObjectHeader root() {
    return header(superblock.rootAddress());
  }

  /**
   * The header of an object, with the messages that stand elsewhere in place.
   *
   * @throws FormatException if it, or a message that it shares, is damaged
   */
  public ObjectHeader header(long address) {
    return ObjectHeader.read(source, widths(), address, shared);
  }

  /**
   * The links of a group, in the order stored; none if the object is no group.
   *
   * @throws FormatException if the group is damaged
   */
  public List<LinkMessage> links(ObjectHeader group) {
    return links(group, DenseLinks::asStored);
  }

  /**
   * The same, those in dense storage in the order of their name index, in which the HDF5 library
   * visits them if it is not told otherwise.
   *
   * @throws FormatException if the group is damaged
   */
  public List<LinkMessage> linksInIndexOrder(ObjectHeader group) {
    return links(group, DenseLinks::all);
  }

  private List<LinkMessage> links(
      ObjectHeader group, Function<DenseLinks, List<LinkMessage>> dense) {
    List<LinkMessage> links = new ArrayList<>(group.all(LinkMessage.class));
    Optional<SymbolTableMessage> table = group.find(SymbolTableMessage.class);
    if (table.isPresent()) {
      links.addAll(symbolTable(group, table.get()).links());
    }
    denseLinks(group).map(dense).ifPresent(links::addAll);
    return links;
  }

  private Optional<DenseLinks> denseLinks(ObjectHeader group) {
    return group
        .find(LinkInfoMessage.class)
        .filter(LinkInfoMessage::isDense)
        .map(info -> DenseLinks.open(source, widths(), info));
  }

  /**
   * The link of that name, without reading all.
   *
   * @throws FormatException if the group is damaged
   */
  public Optional<LinkMessage> link(ObjectHeader group, String name) {
    for (LinkMessage link : group.all(LinkMessage.class)) {
      if (link.name().equals(name)) {
        return Optional.of(link);
      }
    }
    Optional<SymbolTableMessage> table = group.find(SymbolTableMessage.class);
    return table.isPresent()
        ? symbolTable(group, table.get()).link(name)
        : denseLinks(group).flatMap(links -> links.find(name));
  }

  /** The table of a group of the old style. */
  private SymbolTable symbolTable(ObjectHeader group, SymbolTableMessage message) {
    try {
      return SymbolTable.open(source, widths(), message);
    } catch (FormatException damaged) {
      return cachedRootTable(group, message).orElseThrow(() -> damaged);
    }
  }

  /** Superblocks 0 and 1 repeat the message of the root group, for the case that it is damaged. */
  private Optional<SymbolTable> cachedRootTable(ObjectHeader group, SymbolTableMessage message) {
    Optional<SymbolEntry.OfGroup> copy =
        superblock.early().map(EarlyFields::root).flatMap(SymbolEntry::group);
    if (copy.isEmpty() || group.address() != superblock.rootAddress()) {
      return Optional.empty();
    }
    SymbolTableMessage other =
        new SymbolTableMessage(copy.get().treeAddress(), copy.get().heapAddress());
    return other.equals(message)
        ? Optional.empty()
        : Optional.of(SymbolTable.open(source, widths(), other));
  }

  /**
   * The attributes of an object, in creation order if the object keeps it, else in the order
   * stored.
   *
   * @throws FormatException if they are damaged
   */
  public List<AttributeMessage> attributes(ObjectHeader object) {
    return attributeEntries(object).stream()
        .map(entry -> (AttributeMessage) entry.message())
        .toList();
  }

  /**
   * As {@link #attributes}, each as it stands, or would stand, in the object header.
   *
   * @throws FormatException if they are damaged
   */
  public List<HeaderMessage> attributeEntries(ObjectHeader object) {
    List<HeaderMessage> entries = new ArrayList<>();
    if (!object.all(AttributeMessage.class).isEmpty()) {
      object.messages().stream()
          .filter(entry -> entry.message() instanceof AttributeMessage)
          .forEach(entries::add);
    }
    object
        .find(AttributeInfoMessage.class)
        .filter(AttributeInfoMessage::isDense)
        .map(info -> DenseAttributes.open(source, widths(), info, shared::pooledAttribute))
        .ifPresent(dense ->
            dense
                .all()
                .forEach(found ->
                    entries.add(
                        new HeaderMessage(
                            attribute(found), found.flags(), found.creationOrder()))));
    if (object.prefix().attributeOrder() != AttributeOrder.UNTRACKED) {
      entries.sort(byCreation());
    }
    return entries;
  }

  /** By creation order. */
  public static Comparator<HeaderMessage> byCreation() {
    return Comparator.comparingInt(entry -> entry.creationOrder().orElse(Integer.MAX_VALUE));
  }

  private AttributeMessage attribute(DenseAttribute found) {
    ByteReader body = ByteReader.of(found.body(), "dense attribute");
    if (AttributeMessage.decode(body, widths(), shared) instanceof AttributeMessage attribute) {
      return attribute;
    }
    throw new FormatException("dense attribute " + found.name(), "whole", "a part not found")
        .inFile(source.name());
  }

  /**
   * An object of the global heap: values of variable length, and references to regions.
   *
   * @param collection address of the collection
   * @param index its number in the collection
   * @throws FormatException if there is none
   */
  public MemorySegment globalHeapObject(long collection, int index) {
    return globalHeap.object(collection, index);
  }
}
