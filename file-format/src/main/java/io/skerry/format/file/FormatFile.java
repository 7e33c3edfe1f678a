package io.skerry.format.file;

import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.dense.DenseLinks;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.heap.GlobalHeap;
import io.skerry.format.message.SharedMessageResolver;
import io.skerry.format.message.TreeOrdersMessage;
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
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the structures of one HDF5 file with a superblock of any version. Local, thread-safe.
 *
 * <p>An object header passed by the caller takes precedence over the file: links and attributes
 * stored in the header are taken from it, and only those in dense storage or in a symbol table to
 * which the header refers are read from the file.
 */
public final class FormatFile {
  private final Superblock superblock;
  private final ByteSource source;
  private final Optional<ObjectHeader> extension;
  private final SharedMessageReader shared;
  private final GlobalHeap globalHeap;
  private final ObjectAttributes attributes;

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
    this.attributes = new ObjectAttributes(source, superblock.widths(), shared);
  }

  /**
   * Opens a file.
   *
   * @param raw the file, with addresses relative to its byte 0
   * @throws FormatException if the file is not an HDF5 file, if it is truncated, if a flush was
   *     interrupted or is still replacing blocks, or if the superblock, superblock extension,
   *     metadata cache image or table of shared messages is damaged
   * @throws io.skerry.exception.UnsupportedFeatureException if the superblock extension has an
   *     unknown message that must not be ignored
   */
  public static FormatFile open(ByteSource raw) {
    Superblock superblock = Superblock.find(raw);
    return new FormatFile(superblock, raw.from(superblock.baseAddress()));
  }

  /**
   * Returns a file that is being created. Uses the given superblock, which need not be on disk.
   *
   * @param source the file, with addresses relative to the base address
   * @param superblock the superblock of the new file
   */
  public static FormatFile beginning(ByteSource source, Superblock superblock) {
    return new FormatFile(superblock, source);
  }

  public Superblock superblock() {
    return superblock;
  }

  /** Returns the sizes of offsets and lengths. */
  public Widths widths() {
    return superblock.widths();
  }

  /**
   * Returns the bytes of the file, with addresses relative to the base address. Blocks of a
   * metadata cache image replace the bytes stored at their addresses.
   */
  public ByteSource source() {
    return source;
  }

  /** Returns the superblock extension, if the file has one. */
  public Optional<ObjectHeader> extension() {
    return extension;
  }

  /** Returns the node sizes of version 1 B-trees. */
  public TreeOrders orders() {
    return superblock
        .early()
        .map(EarlyFields::orders)
        .or(() ->
            extension.flatMap(e -> e.find(TreeOrdersMessage.class)).map(TreeOrdersMessage::orders))
        .orElse(TreeOrders.DEFAULT);
  }

  /** Returns the resolver for messages that are stored elsewhere in this file. */
  public SharedMessageResolver shared() {
    return shared;
  }

  /** Returns the table of shared messages, if the file has one. */
  public Optional<SharedMessageTable> sharedTable() {
    return shared.table();
  }

  /**
   * Returns the body of an attribute message that is stored in the shared message heap.
   *
   * @param heapId the heap ID of the message, from a record of dense attribute storage
   */
  public MemorySegment pooledAttribute(MemorySegment heapId) {
    return shared.pooledAttribute(heapId);
  }

  /** Returns the header of the root group. */
  public ObjectHeader root() {
    return header(superblock.rootAddress());
  }

  /**
   * Reads an object header and replaces references to shared messages with the messages themselves.
   *
   * @throws FormatException if the structure of the header is damaged; a damaged message causes an
   *     exception only when it is requested
   * @throws io.skerry.exception.UnsupportedFeatureException if the header has an unknown message
   *     that must not be ignored
   */
  public ObjectHeader header(long address) {
    return ObjectHeader.read(source, widths(), address, shared);
  }

  /**
   * Returns the links of a group in stored order; an empty list if the object is not a group.
   *
   * @throws FormatException if the group is damaged
   */
  public List<LinkMessage> links(ObjectHeader group) {
    return links(group, DenseLinks::asStored);
  }

  /**
   * Like {@link #links}, but returns the links in dense storage in the order of the name index. The
   * HDF5 library visits them in this order when it iterates by name in native order.
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
   * Returns the link with the given name; empty if there is none. If the links are not stored in
   * the header, uses the index of the group and does not read all links.
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

  /** Opens the symbol table of an old-style group. */
  private SymbolTable symbolTable(ObjectHeader group, SymbolTableMessage message) {
    try {
      return SymbolTable.open(source, widths(), message);
    } catch (FormatException damaged) {
      return cachedRootTable(group, message).orElseThrow(() -> damaged);
    }
  }

  /**
   * Opens the root group's symbol table at the addresses in a superblock of version 0 or 1. Empty
   * if the group is not the root group, if the superblock does not contain the addresses, or if
   * they equal those in the message.
   */
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
   * Returns the attributes of an object, in creation order if the object tracks it. Otherwise,
   * attributes in the object header come first, in header order, followed by dense attributes in
   * the order of the name index.
   *
   * @throws FormatException if they are damaged
   */
  public List<AttributeMessage> attributes(ObjectHeader object) {
    return attributeEntries(object).stream()
        .map(entry -> (AttributeMessage) entry.message())
        .toList();
  }

  /**
   * Like {@link #attributes}, but returns each attribute as an object header entry; for a dense
   * attribute, this is the entry that would represent it in the header.
   *
   * @throws FormatException if they are damaged
   */
  public List<HeaderMessage> attributeEntries(ObjectHeader object) {
    return attributes.entries(object);
  }

  /**
   * Returns an object of the global heap, such as a variable-length value or a region reference.
   *
   * @param collection the address of the collection
   * @param index the index of the object in the collection, 1 to 65535
   * @throws FormatException if there is no such object or the collection is damaged
   */
  public MemorySegment globalHeapObject(long collection, int index) {
    return globalHeap.object(collection, index);
  }
}
