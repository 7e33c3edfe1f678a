package io.skerry.format.dense;

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
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Creates or changes the dense attributes of an object, then returns the blocks to write. An
 * instance can be used for one commit only; not thread-safe; local. The same calls on identical
 * files, with allocators in the same state, produce identical blocks.
 */
public final class DenseAttributesEditor {
  /**
   * Creation order that the HDF5 library stores if creation order is not tracked. Also the
   * exclusive upper limit for tracked creation orders.
   */
  private static final int UNTRACKED = 0xffff;

  private final Widths widths;
  private final SpaceAllocator allocator;
  private final SharedAttributeHeap shared;
  private final FractalHeapEditor heap;
  private final DenseIndexes indexes;
  private OptionalInt next;

  private DenseAttributesEditor(
      Widths widths,
      SpaceAllocator allocator,
      SharedAttributeHeap shared,
      FractalHeapEditor heap,
      DenseIndexes indexes,
      OptionalInt next) {
    this.widths = widths;
    this.allocator = allocator;
    this.shared = shared;
    this.heap = heap;
    this.indexes = indexes;
    this.next = next;
  }

  /**
   * The result of a commit.
   *
   * @param info the attribute info message for the object header
   * @param images the blocks to write
   */
  public record Commit(AttributeInfoMessage info, List<BlockImage> images) {
    public Commit {
      images = List.copyOf(images);
    }
  }

  /**
   * Creates dense storage without attributes.
   *
   * @param widths the sizes of offsets and lengths in the file
   * @param info the attribute info message of the object before it has dense attributes; determines
   *     whether creation order is tracked and indexed
   * @param allocator the allocator of the file space
   */
  public static DenseAttributesEditor create(
      Widths widths, AttributeInfoMessage info, SpaceAllocator allocator) {
    Optional<BTree2Editor> orders =
        info.orderIndexAddress().isPresent()
            ? Optional.of(DenseIndexes.build(DenseAttributes.BY_ORDER, widths, List.of()))
            : Optional.empty();
    return new DenseAttributesEditor(
        widths,
        allocator,
        SharedAttributeHeap.none(),
        FractalHeapEditor.create(FractalHeapParameters.attributes(), widths, allocator),
        new DenseIndexes(DenseIndexes.build(DenseAttributes.BY_NAME, widths, List.of()), orders),
        info.nextCreationOrder());
  }

  /**
   * Opens the dense attributes of an object for changes. Reads the name index, the indirect blocks
   * and the free-space manager of the heap and, if creation order is indexed, the end of the
   * creation order index.
   *
   * @param source the file
   * @param widths the sizes of offsets and lengths in the file
   * @param info the attribute info message of the object
   * @param shared the reader for attribute messages in the shared message heap; existing messages
   *     remain there, but new ones are never stored there
   * @param allocator the allocator of the file space
   * @throws io.skerry.exception.FormatException if a structure is damaged
   */
  public static DenseAttributesEditor open(
      ByteSource source,
      Widths widths,
      AttributeInfoMessage info,
      SharedAttributeHeap shared,
      SpaceAllocator allocator) {
    DenseStorage attributes = DenseAttributes.open(source, widths, info, shared).stored();
    OptionalInt next = info.nextCreationOrder();
    attributes
        .orders()
        .ifPresent(index -> DenseIndexes.checkOrders(index, at(next.orElse(0)), next));
    List<Bytes> ids =
        DenseIndexes.ids(
            attributes.names(),
            record -> {
              AttributeOrderRecord entry = AttributeNameRecord.decode(record).entry();
              return entry.isShared() ? Optional.empty() : Optional.of(entry.heapId());
            });
    return new DenseAttributesEditor(
        widths,
        allocator,
        shared,
        FractalHeapEditor.open(attributes.heap(), ids, allocator),
        new DenseIndexes(
            BTree2Editor.open(attributes.names()), attributes.orders().map(BTree2Editor::open)),
        next);
  }

  /** Returns the number of attributes. */
  public long size() {
    return indexes.names().size();
  }

  /**
   * Returns the attribute with the given name; empty if there is none. Its body is valid until the
   * next change.
   */
  public Optional<DenseAttribute> find(String name) {
    return indexes
        .names()
        .find(order(name))
        .map(record -> {
          AttributeOrderRecord entry = AttributeNameRecord.decode(record).entry();
          OptionalInt order =
              next.isPresent() ? OptionalInt.of(entry.order()) : OptionalInt.empty();
          return new DenseAttribute(body(entry), entry.flags(), order);
        });
  }

  /**
   * Adds an attribute. If creation order is tracked, assigns the next creation order to it.
   *
   * @throws IllegalArgumentException if an attribute with that name exists, or if the next creation
   *     order exceeds 65534
   */
  public void add(AttributeMessage attribute) {
    add(attribute, next);
  }

  /**
   * Adds an attribute that already has a creation order, such as one that moves out of an object
   * header.
   *
   * @throws IllegalArgumentException if an attribute with that name exists, if creation order is
   *     not tracked, if the creation order is not from 0 to 65534, or if creation order is indexed
   *     and another attribute has the same creation order
   */
  public void add(AttributeMessage attribute, int creationOrder) {
    if (next.isEmpty()) {
      throw new IllegalArgumentException("creation order is not tracked: name=" + attribute.name());
    }
    add(attribute, OptionalInt.of(creationOrder));
  }

  private void add(AttributeMessage attribute, OptionalInt order) {
    RecordOrder byName = order(attribute.name());
    if (indexes.names().find(byName).isPresent()) {
      throw new IllegalArgumentException("attribute exists: name=" + attribute.name());
    }
    int position = order.orElse(UNTRACKED);
    if (order.isPresent()) {
      if (position < 0 || position >= UNTRACKED) {
        throw new IllegalArgumentException(
            "creation order of an attribute: name="
                + attribute.name()
                + " order="
                + position
                + " limit="
                + (UNTRACKED - 1));
      }
      next = OptionalInt.of(Math.max(next.orElseThrow(), position + 1));
    }
    AttributeOrderRecord entry = new AttributeOrderRecord(heap.add(encode(attribute)), 0, position);
    int hash = NameHash.of(attribute.name()).hash();
    indexes.insert(
        new AttributeNameRecord(entry, hash).encode(), byName, entry.encode(), at(position));
  }

  /**
   * Replaces the attribute with the same name and keeps its creation order.
   *
   * @throws IllegalArgumentException if no attribute with that name exists
   */
  public void replace(AttributeMessage attribute) {
    RecordOrder byName = order(attribute.name());
    AttributeNameRecord old =
        indexes
            .names()
            .find(byName)
            .map(AttributeNameRecord::decode)
            .orElseThrow(
                () -> new IllegalArgumentException("no such attribute: name=" + attribute.name()));
    Bytes id = heap.add(encode(attribute));
    AttributeOrderRecord entry = new AttributeOrderRecord(id, 0, old.entry().order());
    indexes.names().replace(new AttributeNameRecord(entry, old.hash()).encode(), byName);
    indexes.orders().ifPresent(index -> index.replace(entry.encode(), at(entry.order())));
    drop(old.entry());
  }

  /** Removes the attribute with the given name; returns false if there is none. */
  public boolean remove(String name) {
    RecordOrder byName = order(name);
    Optional<AttributeOrderRecord> found =
        indexes.names().find(byName).map(record -> AttributeNameRecord.decode(record).entry());
    if (found.isEmpty()) {
      return false;
    }
    indexes.names().delete(byName);
    indexes.orders().ifPresent(index -> index.delete(at(found.get().order())));
    drop(found.get());
    return true;
  }

  private void drop(AttributeOrderRecord entry) {
    if (!entry.isShared()) {
      heap.remove(entry.heapId());
    }
  }

  /**
   * Allocates and frees file space, then returns the blocks to write. The editor must not be used
   * afterwards.
   */
  public Commit commit() {
    List<BlockImage> images = new ArrayList<>(heap.commit());
    indexes.commit(allocator, images);
    AttributeInfoMessage info =
        new AttributeInfoMessage(
            next, heap.address(), indexes.names().address(), indexes.orderAddress());
    return new Commit(info, images);
  }

  private MemorySegment encode(AttributeMessage attribute) {
    ByteWriter out = ByteWriter.create();
    attribute.encodeDense(out, widths);
    return out.written();
  }

  private MemorySegment body(AttributeOrderRecord entry) {
    return entry.isShared()
        ? shared.attributeBody(entry.heapId().segment())
        : heap.object(entry.heapId());
  }

  private RecordOrder order(String name) {
    return NameHash.of(name)
        .order(
            AttributeNameRecord::hash,
            record -> DenseAttribute.nameBytes(body(AttributeNameRecord.decode(record).entry())));
  }

  private static RecordOrder at(int position) {
    return record -> Integer.compareUnsigned(AttributeOrderRecord.decode(record).order(), position);
  }
}
