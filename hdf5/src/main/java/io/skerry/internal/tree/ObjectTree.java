package io.skerry.internal.tree;

import io.skerry.AttributeOrder;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.step.UndoLog;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.FormatBounds;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
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
import io.skerry.format.message.CacheImageMessage;
import io.skerry.format.message.DriverInfoMessage;
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
 * The object headers of one file as this rank knows them. Every rank holds the same ones and
 * changes them in the same way, so that no rank has to tell another; a flush asks for what differs
 * from the file.
 */
public final class ObjectTree implements MetadataSource {
  private final FormatFile format;
  private final UndoLog log;

  /** Those used last; what is not here is read again. */
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
   * @param bounds in which form the file gets new objects
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

  /** The form that a file's age suggests for new objects. */
  public static FormatBounds boundsOf(FormatFile format) {
    return format.superblock().version() < 2 ? FormatBounds.EARLIEST : FormatBounds.V110;
  }

  /** In which form new objects are made. */
  public ObjectForms forms() {
    return forms;
  }

  /** The file as it was when it was opened or last flushed. */
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

  /** All links of a group, in the order stored. */
  public List<LinkMessage> links(long group) {
    return links(group, format::links);
  }

  /** The links in the order in which the HDF5 library comes by them when it looks for an object. */
  List<LinkMessage> linksInIndexOrder(long group) {
    return links(group, format::linksInIndexOrder);
  }

  private List<LinkMessage> links(long group, Function<ObjectHeader, List<LinkMessage>> stored) {
    return tables.has(group)
        ? tables.links(group)
        : denseLinks.over(group, stored.apply(header(group)));
  }

  /** The link of that name. */
  public Optional<LinkMessage> link(long group, String name) {
    if (tables.has(group)) {
      return tables.link(group, name);
    }
    Optional<LinkMessage> change = denseLinks.of(group).get(name);
    return change != null ? change : format.link(header(group), name);
  }

  /** Links of groups that a flush will put into dense storage. */
  DenseChanges<LinkMessage> denseLinks() {
    return denseLinks;
  }

  /** Links of groups of the old style that a flush will write. */
  public SymbolTables tables() {
    return tables;
  }

  /** All attributes of an object, in creation order if it keeps that. */
  public List<AttributeMessage> attributes(long object) {
    return attributeEntries(object).stream()
        .map(entry -> (AttributeMessage) entry.message())
        .toList();
  }

  /** As {@link #attributes}, each as it stands, or would stand, in the header. */
  List<HeaderMessage> attributeEntries(long object) {
    ObjectHeader header = header(object);
    List<HeaderMessage> all = denseAttributes.over(object, format.attributeEntries(header));
    return header.prefix().attributeOrder() == HeaderPrefix.AttributeOrder.UNTRACKED
        ? all
        : all.stream().sorted(FormatFile.byCreation()).toList();
  }

  /** Attributes that a flush will put into dense storage. */
  DenseChanges<HeaderMessage> denseAttributes() {
    return denseAttributes;
  }

  /** The header at an address, read on first use. */
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
   * A header for a new object; links to it may use its address from now on.
   *
   * @param order whether the object is to keep the order of its attributes
   * @param slack bytes of room for messages to come
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

  /** Counts one more, or one less, hard link to an object. */
  public void countReference(long address, int change) {
    ObjectHeader header = header(address);
    add(header.withReferences(header.references() + change));
  }

  /** A link was added or removed. */
  void linksChanged() {
    linkChanges++;
  }

  /** Rises with each link that is added or removed: objects may have other paths then. */
  public long linkChanges() {
    return linkChanges;
  }

  /** Forgets an object and frees its header; the header's content is the caller's to free. */
  public void delete(long address, SpaceAllocator space) {
    HeaderPlacement place = header(address).placement();
    space.freeStored(place.first());
    place.continuations().forEach(space::freeStored);
    forget(address);
    log.remove(chunked, address);
  }

  /** Adds a new object, which may be a group of the old style. */
  public void addNew(ObjectHeader header) {
    header.all(SymbolTableMessage.class).forEach(heads -> tables.begin(header.address(), heads));
    add(header);
  }

  /** Adds a new object. */
  public void add(ObjectHeader header) {
    log.put(headers, header.address(), header);
    log.put(dirty, header.address(), header);
  }

  /** Takes back an object that was added but is linked nowhere. */
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

  /** Replaces the message of a type, of which there is one. */
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

  /** The open chunked dataset with that header. */
  public Optional<ChunkedDataset> openDataset(long address) {
    return Optional.ofNullable(chunked.get(address));
  }

  /** Keeps what is known of a dataset until the file is closed. */
  public void keep(ChunkedDataset.Hold hold) {
    kept.add(hold);
  }

  @Override
  public void released(ChunkedDataset dataset) {
    chunked.remove(dataset.id());
  }

  /** Remembers an open dataset, so that all who open it share its state. */
  public void opened(ChunkedDataset dataset, CollectiveFile file) {
    log.put(chunked, dataset.id(), dataset);
    file.register(dataset);
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
    checkWidth(space.endOfFile());
    return blocks;
  }

  /** Offsets of two or four bytes reach only so far. */
  private void checkWidth(long endOfFile) {
    Superblock superblock = format.superblock();
    int bits = 8 * superblock.widths().offset();
    if (bits < 64 && endOfFile + superblock.baseAddress() >= 1L << bits) {
      throw new UnsupportedFeatureException(
          "a file larger than its offsets reach: offsetBytes="
              + bits / 8
              + " endOfFile="
              + endOfFile,
          source().name());
    }
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

  /** The entry of superblocks 0 and 1: it repeats the symbol table of the root group, if any. */
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

  /** Refuses a file that may only be read by us, with the reason. */
  public void checkWritable() {
    boolean block =
        format
            .superblock()
            .early()
            .filter(early -> FileAddress.isDefined(early.driverAddress()))
            .isPresent();
    if (block
        || format.extension().filter(header -> header.has(DriverInfoMessage.class)).isPresent()) {
      // Its driver may keep more there than we know: what a family's members are, for instance.
      throw new UnsupportedFeatureException(
          "changing a file with driver information", source().name());
    }
    if (format.extension().filter(header -> header.has(CacheImageMessage.class)).isPresent()) {
      // The image would be taken for newer than what is changed beneath it.
      throw new UnsupportedFeatureException(
          "changing a file with a metadata cache image", source().name());
    }
  }
}
