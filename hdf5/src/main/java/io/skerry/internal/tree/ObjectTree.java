package io.skerry.internal.tree;

import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.step.UndoLog;
import io.skerry.format.FormatBounds;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPlacement;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The objects of one file, in the memory of this rank: their headers, links and attributes. Every
 * rank makes the same changes to its copy. {@link FlushedMetadata} passes the changes to a flush.
 */
public final class ObjectTree {
  private final FormatFile format;
  private final HeaderCache headers;
  private final OpenDatasets datasets;
  private long linkChanges;
  private final DenseChanges<LinkMessage> denseLinks;
  private final DenseChanges<HeaderMessage> denseAttributes;
  private final SymbolTables tables;
  private final ObjectForms forms;

  /**
   * Creates the tree of a file.
   *
   * @param bounds the format version bounds of new objects
   * @param log the log that undoes the changes of failed steps
   */
  public ObjectTree(FormatFile format, FormatBounds bounds, UndoLog log) {
    this.format = format;
    this.headers = new HeaderCache(format, log);
    this.datasets = new OpenDatasets(log);
    this.denseLinks = new DenseChanges<>(LinkMessage::name, log);
    this.denseAttributes =
        new DenseChanges<>(entry -> ((AttributeMessage) entry.message()).name(), log);
    this.tables = new SymbolTables(format, log);
    this.forms = new ObjectForms(bounds, format.widths(), format.orders());
  }

  /**
   * Returns the default format version bounds of a file, which follow from its superblock version.
   */
  public static FormatBounds boundsOf(FormatFile format) {
    return format.superblock().version() < 2 ? FormatBounds.EARLIEST : FormatBounds.V110;
  }

  /** Returns the factory for the headers of new objects. */
  public ObjectForms forms() {
    return forms;
  }

  /** Returns access to the metadata in the file, without the changes that are not yet flushed. */
  public FormatFile format() {
    return format;
  }

  public Widths widths() {
    return format.widths();
  }

  public ByteSource source() {
    return format.source();
  }

  public long rootAddress() {
    return format.superblock().rootAddress();
  }

  /** Returns all links of a group: the stored links in stored order, with the unflushed changes. */
  public List<LinkMessage> links(long group) {
    return links(group, format::links);
  }

  /**
   * Returns all links of a group. The stored links are in the order in which the HDF5 library
   * visits them when it searches for an object.
   */
  List<LinkMessage> linksInIndexOrder(long group) {
    return links(group, format::linksInIndexOrder);
  }

  private List<LinkMessage> links(long group, Function<ObjectHeader, List<LinkMessage>> stored) {
    return tables.has(group)
        ? tables.links(group)
        : denseLinks.over(group, stored.apply(header(group)));
  }

  /** Returns the link with the given name; empty if there is none. */
  public Optional<LinkMessage> link(long group, String name) {
    if (tables.has(group)) {
      return tables.link(group, name);
    }
    Optional<LinkMessage> change = denseLinks.of(group).get(name);
    return change != null ? change : format.link(header(group), name);
  }

  /** Returns the changes that a flush will make to dense links. */
  DenseChanges<LinkMessage> denseLinks() {
    return denseLinks;
  }

  /** Returns the symbol tables in memory, which a flush writes if they have changed. */
  SymbolTables tables() {
    return tables;
  }

  /** Returns all attributes of an object, in creation order if the object tracks it. */
  public List<AttributeMessage> attributes(long object) {
    return attributeEntries(object).stream()
        .map(entry -> (AttributeMessage) entry.message())
        .toList();
  }

  /** Returns the attributes like {@link #attributes}, but as header messages. */
  List<HeaderMessage> attributeEntries(long object) {
    ObjectHeader header = header(object);
    List<HeaderMessage> all = denseAttributes.over(object, format.attributeEntries(header));
    return header.prefix().attributeOrder() == HeaderPrefix.AttributeOrder.UNTRACKED
        ? all
        : all.stream().sorted(HeaderMessage.byCreation()).toList();
  }

  /** Returns the changes that a flush will make to dense attributes. */
  DenseChanges<HeaderMessage> denseAttributes() {
    return denseAttributes;
  }

  /** Returns the header at an address; reads it if it is not in memory. */
  public ObjectHeader header(long address) {
    return headers.get(address);
  }

  /** Returns the headers in memory, which a flush writes if they have changed. */
  HeaderCache headers() {
    return headers;
  }

  /** Returns the open chunked datasets. */
  public OpenDatasets datasets() {
    return datasets;
  }

  /**
   * Changes the reference count of an object: the number of its hard links and, for a committed
   * datatype, of the datasets and attributes that share it.
   *
   * @param change the number to add to the count
   */
  public void countReference(long address, int change) {
    ObjectHeader header = header(address);
    add(header.withReferences(header.references() + change));
  }

  /** Records that a link was added or removed. */
  void linksChanged() {
    linkChanges++;
  }

  /**
   * Returns a number that increases whenever a link is added or removed, which may change the paths
   * of objects.
   */
  public long linkChanges() {
    return linkChanges;
  }

  /** Removes an object and frees its header; the caller frees the content. */
  public void delete(long address, SpaceAllocator space) {
    HeaderPlacement place = header(address).placement();
    space.freeStored(place.first());
    place.continuations().forEach(space::freeStored);
    headers.remove(address);
    denseLinks.forget(address);
    tables.forget(address);
    denseAttributes.forget(address);
    datasets.deleted(address);
  }

  /** Adds a new object, which may be an old-style group. */
  public void addNew(ObjectHeader header) {
    header.all(SymbolTableMessage.class).forEach(heads -> tables.begin(header.address(), heads));
    add(header);
  }

  /** Adds the header of an object, or replaces the header at the same address. */
  public void add(ObjectHeader header) {
    headers.put(header);
  }

  /**
   * Changes the header messages of an object.
   *
   * @param edit a function that returns the new messages, given the old ones
   */
  public void change(long address, UnaryOperator<List<HeaderMessage>> edit) {
    add(changed(header(address), edit));
  }

  private static ObjectHeader changed(ObjectHeader old, UnaryOperator<List<HeaderMessage>> edit) {
    return new ObjectHeader(old.prefix(), edit.apply(old.messages()), old.placement());
  }

  /** Replaces the message of the same type in the header of an object. */
  public void replace(long address, Message message) {
    replacing(address, message).run();
  }

  /**
   * Returns the action that replaces the message of the same type in the header of an object. The
   * object header is read now if it is not in memory, so the action reads nothing. Nothing else may
   * change the header before the action runs.
   */
  public Runnable replacing(long address, Message message) {
    ObjectHeader replaced = replaced(header(address), message);
    return () -> add(replaced);
  }

  private static ObjectHeader replaced(ObjectHeader old, Message message) {
    return changed(
        old,
        entries -> {
          List<HeaderMessage> edited = new ArrayList<>();
          for (HeaderMessage entry : entries) {
            edited.add(entry.message().type() == message.type() ? entry.with(message) : entry);
          }
          return edited;
        });
  }

  /** Returns the action that records a new extent of a dataset, like {@link #replacing}. */
  public Runnable resizing(ChunkedDataset dataset, Shape shape) {
    return replacing(dataset.id(), DataspaceMessage.of(shape));
  }

  /** Rejects a file that must not be changed; see {@link WriteChecks}. */
  public void checkWritable() {
    WriteChecks.checkWritable(format);
  }
}
