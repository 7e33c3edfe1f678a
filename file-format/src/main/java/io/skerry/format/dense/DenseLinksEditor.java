package io.skerry.format.dense;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Bytes;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.btree.BTree2Editor;
import io.skerry.format.btree.RecordOrder;
import io.skerry.format.heap.FractalHeapEditor;
import io.skerry.format.heap.FractalHeapParameters;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Creates or changes the dense links of a group, then returns the blocks to write. An instance can
 * be used for one commit only; not thread-safe; local. The same calls on identical files, with
 * allocators in the same state, produce identical blocks.
 */
public final class DenseLinksEditor {
  private final Widths widths;
  private final SpaceAllocator allocator;
  private final FractalHeapEditor heap;
  private final DenseIndexes indexes;
  private OptionalLong next;

  private DenseLinksEditor(
      Widths widths,
      SpaceAllocator allocator,
      FractalHeapEditor heap,
      DenseIndexes indexes,
      OptionalLong next) {
    this.widths = widths;
    this.allocator = allocator;
    this.heap = heap;
    this.indexes = indexes;
    this.next = next;
  }

  /**
   * The result of a commit.
   *
   * @param info the link info message for the object header of the group
   * @param images the blocks to write
   */
  public record Commit(LinkInfoMessage info, List<BlockImage> images) {
    public Commit {
      images = List.copyOf(images);
    }
  }

  /**
   * Creates dense storage for links that are new or that were messages in an object header.
   *
   * @param widths the sizes of offsets and lengths in the file
   * @param info the link info message of the group before it has dense links; determines whether
   *     creation order is tracked and indexed
   * @param links the links, with distinct names; if creation order is tracked, links without a
   *     creation order are assigned the next numbers; otherwise, creation orders are dropped
   * @param allocator the allocator of the file space
   */
  public static DenseLinksEditor create(
      Widths widths, LinkInfoMessage info, List<LinkMessage> links, SpaceAllocator allocator) {
    FractalHeapEditor heap =
        FractalHeapEditor.create(FractalHeapParameters.links(), widths, allocator);
    record Entry(NameHash name, LinkOrderRecord record) {}
    OptionalLong next = info.nextCreationOrder();
    List<Entry> entries = new ArrayList<>(links.size());
    for (LinkMessage link : links) {
      LinkMessage ordered = ordered(link, next);
      next = after(next, ordered);
      Bytes id = heap.add(encode(ordered, widths));
      long order = ordered.creationOrder().orElse(0);
      entries.add(new Entry(NameHash.of(link.name()), new LinkOrderRecord(order, id)));
    }
    entries.sort(Comparator.comparing(Entry::name));
    BTree2Editor names =
        DenseIndexes.build(
            DenseLinks.BY_NAME,
            widths,
            entries.stream()
                .map(e -> new LinkNameRecord(e.name().hash(), e.record().heapId()).encode())
                .toList());
    Optional<BTree2Editor> orders = Optional.empty();
    if (info.orderIndexAddress().isPresent()) {
      entries.sort(Comparator.comparingLong(e -> e.record().order()));
      orders =
          Optional.of(
              DenseIndexes.build(
                  DenseLinks.BY_ORDER,
                  widths,
                  entries.stream().map(e -> e.record().encode()).toList()));
    }
    return new DenseLinksEditor(widths, allocator, heap, new DenseIndexes(names, orders), next);
  }

  /**
   * Opens the dense links of a group for changes. Reads the name index, the indirect blocks and the
   * free-space manager of the heap and, if creation order is indexed, the end of the creation order
   * index.
   *
   * @param source the file
   * @param widths the sizes of offsets and lengths in the file
   * @param info the link info message of the group
   * @param allocator the allocator of the file space
   * @throws io.skerry.exception.FormatException if a structure is damaged
   */
  public static DenseLinksEditor open(
      ByteSource source, Widths widths, LinkInfoMessage info, SpaceAllocator allocator) {
    DenseStorage links = DenseLinks.open(source, widths, info).stored();
    OptionalLong next = info.nextCreationOrder();
    links.orders().ifPresent(index -> DenseIndexes.checkOrders(index, at(next.orElse(-1)), next));
    List<Bytes> ids =
        DenseIndexes.ids(
            links.names(), record -> Optional.of(LinkNameRecord.decode(record).heapId()));
    return new DenseLinksEditor(
        widths,
        allocator,
        FractalHeapEditor.open(links.heap(), ids, allocator),
        new DenseIndexes(BTree2Editor.open(links.names()), links.orders().map(BTree2Editor::open)),
        info.nextCreationOrder());
  }

  /** Returns the number of links. */
  public long size() {
    return indexes.names().size();
  }

  /** Returns the link with the given name; empty if there is none. */
  public Optional<LinkMessage> find(String name) {
    return indexes.names().find(order(name)).map(record -> link(id(record)));
  }

  /**
   * Adds a link. If creation order is tracked and the link has no creation order, assigns the next
   * creation order to it.
   *
   * @throws IllegalArgumentException if a link with that name exists, or if creation order is
   *     indexed and another link has the same creation order
   */
  public void add(LinkMessage link) {
    RecordOrder byName = order(link.name());
    if (indexes.names().find(byName).isPresent()) {
      throw new IllegalArgumentException("link exists: name=" + link.name());
    }
    LinkMessage ordered = ordered(link, next);
    next = after(next, ordered);
    Bytes id = heap.add(encode(ordered, widths));
    long position = ordered.creationOrder().orElse(0);
    indexes.insert(
        new LinkNameRecord(NameHash.of(link.name()).hash(), id).encode(),
        byName,
        new LinkOrderRecord(position, id).encode(),
        at(position));
  }

  /** Removes the link with the given name and returns it; empty if there is none. */
  public Optional<LinkMessage> remove(String name) {
    Optional<Bytes> id = indexes.names().find(order(name)).map(DenseLinksEditor::id);
    if (id.isEmpty()) {
      return Optional.empty();
    }
    LinkMessage link = link(id.get());
    indexes.names().delete(order(name));
    indexes.orders().ifPresent(index -> index.delete(at(link.creationOrder().orElse(0))));
    heap.remove(id.get());
    return Optional.of(link);
  }

  /**
   * Allocates and frees file space, then returns the blocks to write. The editor must not be used
   * afterwards.
   */
  public Commit commit() {
    List<BlockImage> images = new ArrayList<>(heap.commit());
    indexes.commit(allocator, images);
    LinkInfoMessage info =
        new LinkInfoMessage(
            next, heap.address(), indexes.names().address(), indexes.orderAddress());
    return new Commit(info, images);
  }

  private static LinkMessage ordered(LinkMessage link, OptionalLong next) {
    if (next.isEmpty() == link.creationOrder().isEmpty()) {
      return link;
    }
    return new LinkMessage(link.name(), next, link.characters(), link.target());
  }

  private static OptionalLong after(OptionalLong next, LinkMessage link) {
    return next.isEmpty()
        ? next
        : OptionalLong.of(Math.max(next.getAsLong(), link.creationOrder().orElseThrow() + 1));
  }

  private static MemorySegment encode(LinkMessage link, Widths widths) {
    ByteWriter out = ByteWriter.create();
    link.encode(out, widths);
    return out.written();
  }

  private LinkMessage link(Bytes id) {
    return LinkMessage.decode(ByteReader.of(heap.object(id), "dense link"), widths);
  }

  private static Bytes id(MemorySegment record) {
    return LinkNameRecord.decode(record).heapId();
  }

  private RecordOrder order(String name) {
    return NameHash.of(name)
        .order(LinkNameRecord::hash, record -> NameHash.of(link(id(record)).name()).name());
  }

  private static RecordOrder at(long position) {
    return record -> Long.compare(LinkOrderRecord.decode(record).order(), position);
  }
}
