package io.skerry.internal.tree;

import io.skerry.AttributeOrder;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.step.UndoLog;
import io.skerry.format.FormatBounds;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPlacement;
import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.HeaderUpdate;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.header.ObjectHeaderWriter;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.superblock.EarlyFields;
import io.skerry.format.superblock.Superblock;
import io.skerry.format.superblock.SymbolEntry;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The object headers of one file, in the memory of this rank. Every rank holds the same headers and
 * changes them in the same way, without communication. A flush requests the blocks that differ from
 * those in the file.
 */
public final class ObjectTree implements MetadataSource {
  private final FormatFile format;
  private final UndoLog log;

  /** The most recently used headers; all others are read again when they are needed. */
  private final Map<Long, ObjectHeader> headers = new RecentHeaders();

  private final TreeMap<Long, ObjectHeader> dirty = new TreeMap<>();
  private long linkChanges;
  private final Map<Long, ObjectHeader> rendered = new HashMap<>();
  private final Map<Long, ChunkedDataset> chunked = new HashMap<>();
  private final Set<ChunkedDataset.Hold> kept = new HashSet<>();
  private final DenseChanges<LinkMessage> denseLinks;
  private final DenseChanges<HeaderMessage> denseAttributes;
  private final SymbolTables tables;
  private final ObjectForms forms;

  /**
   * Makes the tree of a file.
   *
   * @param bounds the format version bounds of new objects
   * @param log undoes changes of steps that fail
   */
  public ObjectTree(FormatFile format, FormatBounds bounds, UndoLog log) {
    this.format = format;
    this.log = log;
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

  /** Returns the form of new objects. */
  public ObjectForms forms() {
    return forms;
  }

  /** Returns the file in its state at opening or at the last flush. */
  public FormatFile format() {
    return format;
  }

  @Override
  public Widths widths() {
    return format.widths();
  }

  public ByteSource source() {
    return format.source();
  }

  public long rootAddress() {
    return format.superblock().rootAddress();
  }

  /** Returns all links of a group in stored order. */
  public List<LinkMessage> links(long group) {
    return links(group, format::links);
  }

  /**
   * Returns the links in the order in which the HDF5 library visits them in a search for an object.
   */
  List<LinkMessage> linksInIndexOrder(long group) {
    return links(group, format::linksInIndexOrder);
  }

  private List<LinkMessage> links(long group, Function<ObjectHeader, List<LinkMessage>> stored) {
    return tables.has(group)
        ? tables.links(group)
        : denseLinks.over(group, stored.apply(header(group)));
  }

  /** Returns the link with a name; empty if there is none. */
  public Optional<LinkMessage> link(long group, String name) {
    if (tables.has(group)) {
      return tables.link(group, name);
    }
    Optional<LinkMessage> change = denseLinks.of(group).get(name);
    return change != null ? change : format.link(header(group), name);
  }

  /** Returns the links that a flush will write to dense storage. */
  DenseChanges<LinkMessage> denseLinks() {
    return denseLinks;
  }

  /** Returns the symbol tables of old-style groups that a flush will write. */
  public SymbolTables tables() {
    return tables;
  }

  /** Returns all attributes of an object, in creation order if the object tracks it. */
  public List<AttributeMessage> attributes(long object) {
    return attributeEntries(object).stream()
        .map(entry -> (AttributeMessage) entry.message())
        .toList();
  }

  /** Returns all attributes like {@link #attributes}, but as entries of the header. */
  List<HeaderMessage> attributeEntries(long object) {
    ObjectHeader header = header(object);
    List<HeaderMessage> all = denseAttributes.over(object, format.attributeEntries(header));
    return header.prefix().attributeOrder() == HeaderPrefix.AttributeOrder.UNTRACKED
        ? all
        : all.stream().sorted(FormatFile.byCreation()).toList();
  }

  /** Returns the attributes that a flush will write to dense storage. */
  DenseChanges<HeaderMessage> denseAttributes() {
    return denseAttributes;
  }

  /** Returns the header at an address, which is read on first use. */
  public ObjectHeader header(long address) {
    ObjectHeader changed = dirty.get(address);
    ObjectHeader known = changed != null ? changed : headers.get(address);
    if (known == null) {
      known = format.header(address);
      headers.put(address, known);
    }
    return known;
  }

  /**
   * Makes the header of a new object and allocates its space, so that links can use its address.
   *
   * @param order the tracking of the creation order of attributes
   * @param slack the number of bytes that are reserved for later messages
   */
  static ObjectHeader place(
      List<HeaderMessage> entries,
      AttributeOrder order,
      int slack,
      Widths widths,
      SpaceAllocator space) {
    HeaderPrefix plain =
        HeaderPrefix.plain()
            .withAttributeOrder(
                switch (order) {
                  case UNTRACKED -> HeaderPrefix.AttributeOrder.UNTRACKED;
                  case TRACKED -> HeaderPrefix.AttributeOrder.INDEXED;
                });
    HeaderPrefix prefix = fits(entries, slack, widths) ? plain : plain.withSizeWidth(4);
    HeaderPlacement place = new ObjectHeaderWriter(prefix, widths).reserve(entries, slack, space);
    return new ObjectHeader(prefix, entries, place);
  }

  private static boolean fits(List<HeaderMessage> entries, int slack, Widths widths) {
    long bytes = slack;
    for (HeaderMessage entry : entries) {
      ByteWriter body = ByteWriter.create();
      entry.message().encode(body, widths);
      bytes += 6 + body.position();
    }
    return bytes <= 0xffff;
  }

  /** Changes the number of hard links to an object. */
  public void countReference(long address, int change) {
    ObjectHeader header = header(address);
    add(header.withReferences(header.references() + change));
  }

  /** Records that a link was added or removed. */
  void linksChanged() {
    linkChanges++;
  }

  /**
   * Returns a number that increases whenever a link is added or removed, since objects may then
   * have different paths.
   */
  public long linkChanges() {
    return linkChanges;
  }

  /** Removes an object and frees its header; the caller frees the content. */
  public void delete(long address, SpaceAllocator space) {
    HeaderPlacement place = header(address).placement();
    space.freeStored(place.first());
    place.continuations().forEach(space::freeStored);
    forget(address);
    log.remove(chunked, address);
  }

  /** Adds a new object, which may be an old-style group. */
  public void addNew(ObjectHeader header) {
    header.all(SymbolTableMessage.class).forEach(heads -> tables.begin(header.address(), heads));
    add(header);
  }

  /** Adds a new object. */
  public void add(ObjectHeader header) {
    log.put(headers, header.address(), header);
    log.put(dirty, header.address(), header);
  }

  /** Removes an object that was added but not linked. */
  void forget(long address) {
    log.remove(headers, address);
    log.remove(dirty, address);
    denseLinks.forget(address);
    tables.forget(address);
    denseAttributes.forget(address);
  }

  /** Changes the messages of an object. */
  public void change(long address, UnaryOperator<List<HeaderMessage>> edit) {
    ObjectHeader old = header(address);
    add(new ObjectHeader(old.prefix(), edit.apply(old.messages()), old.placement()));
  }

  /** Replaces the only message of a type. */
  public void replace(long address, Message message) {
    change(
        address,
        entries -> {
          List<HeaderMessage> edited = new ArrayList<>();
          for (HeaderMessage entry : entries) {
            edited.add(entry.message().type() == message.type() ? entry.with(message) : entry);
          }
          return edited;
        });
  }

  /** Returns the open chunked dataset of a header. */
  public Optional<ChunkedDataset> openDataset(long address) {
    return Optional.ofNullable(chunked.get(address));
  }

  /** Keeps the state of a dataset until the file is closed. */
  public void keep(ChunkedDataset.Hold hold) {
    kept.add(hold);
  }

  @Override
  public void released(ChunkedDataset dataset) {
    chunked.remove(dataset.id());
  }

  /** Registers an open dataset, so that all its handles share its state. */
  public void opened(ChunkedDataset dataset, CollectiveFile file) {
    log.put(chunked, dataset.id(), dataset);
    file.chunks().register(dataset);
  }

  @Override
  public boolean isDirty() {
    return !dirty.isEmpty() || tables.isDirty();
  }

  @Override
  public List<BlockImage> changedBlocks(Map<Long, ChunkIndex> indexes, SpaceAllocator space) {
    new TreeMap<>(indexes)
        .forEach((id, index) -> {
          LayoutMessage old = header(id).find(LayoutMessage.class).orElseThrow();
          if (!old.equals(index.layout())) {
            replace(id, index.layout());
          }
        });
    List<BlockImage> blocks = new ArrayList<>();
    DenseRendering dense = new DenseRendering(format, space, blocks);
    for (ObjectHeader changed : dirty.values()) {
      ObjectHeader header = changed;
      if (denseLinks.has(header.address())) {
        long group = header.address();
        header = dense.links(header, denseLinks.of(group), () -> links(group));
      }
      if (denseAttributes.has(header.address())) {
        long object = header.address();
        header =
            dense.attributes(header, denseAttributes.of(object), () -> attributeEntries(object));
      }
      HeaderUpdate update =
          new ObjectHeaderWriter(header.prefix(), widths())
              .write(header.messages(), header.placement(), space);
      blocks.addAll(update.blocks());
      rendered.put(
          header.address(),
          new ObjectHeader(header.prefix(), header.messages(), update.placement()));
    }
    tables.render(space, blocks);
    WriteChecks.checkReach(format, space.endOfFile());
    return blocks;
  }

  @Override
  public BlockImage superblock(long endOfFile) {
    ByteWriter bytes = ByteWriter.create();
    Superblock superblock = format.superblock().withEndOfFile(endOfFile);
    Optional<EarlyFields> early = superblock.early();
    if (early.isPresent()) {
      long name = early.get().root().nameOffset();
      superblock = superblock.withRoot(rootEntry(header(rootAddress()), name));
    }
    superblock.encode(bytes);
    return new BlockImage(0, BlockKind.SUPERBLOCK, bytes.written());
  }

  /**
   * Returns the root entry of superblocks 0 and 1, which repeats the symbol table of the root
   * group.
   */
  static SymbolEntry rootEntry(ObjectHeader root, long nameOffset) {
    SymbolEntry.Cached cached =
        root.all(SymbolTableMessage.class).stream()
            .findFirst()
            .<SymbolEntry.Cached>map(
                table -> new SymbolEntry.OfGroup(table.treeAddress(), table.heapAddress()))
            .orElseGet(SymbolEntry.Nothing::new);
    return new SymbolEntry(nameOffset, root.address(), cached);
  }

  @Override
  public void committed() {
    headers.putAll(rendered);
    rendered.clear();
    dirty.clear();
    denseLinks.clear();
    denseAttributes.clear();
    tables.committed();
  }

  @Override
  public void rolledBack() {
    rendered.clear();
    tables.rolledBack();
  }

  /** Records a new extent of a dataset. */
  public void resized(ChunkedDataset dataset, Shape shape) {
    replace(dataset.id(), DataspaceMessage.of(shape));
  }

  /** Rejects a file that must not be changed; see {@link WriteChecks}. */
  public void checkWritable() {
    WriteChecks.checkWritable(format);
  }
}
