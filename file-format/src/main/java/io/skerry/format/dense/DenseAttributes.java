package io.skerry.format.dense;

import io.skerry.chunk.FormatException;
import io.skerry.format.Block;
import io.skerry.format.ByteSource;
import io.skerry.format.FileAddress;
import io.skerry.format.Widths;
import io.skerry.format.heap.FractalHeap;
import io.skerry.format.object.AttributeInfoMessage;
import io.skerry.format.tree.BTree2;
import io.skerry.format.tree.RecordOrder;
import io.skerry.format.tree.RecordType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The attributes of an object with dense storage, as they stand in the file. Their messages are
 * handed on unread, for they may refer to committed datatypes and shared messages.
 *
 * <p>Source: format specification, "Attributes: dense storage"; the indexes are of types 8 and 9.
 * Local; any thread may call.
 */
public final class DenseAttributes {
  private final ByteSource source;
  private final FractalHeap heap;
  private final BTree2 names;
  private final Optional<BTree2> orders;
  private final boolean tracked;
  private final SharedMessages shared;

  private DenseAttributes(
      ByteSource source, Widths widths, AttributeInfoMessage info, SharedMessages shared) {
    this.source = source;
    this.heap = FractalHeap.open(source, widths, info.heapAddress());
    this.names =
        BTree2.open(source, widths, info.nameIndexAddress())
            .require(RecordType.ATTRIBUTE_BY_NAME, AttributeNameRecord.SIZE);
    this.orders =
        info.orderIndexAddress().isPresent()
                && FileAddress.isDefined(info.orderIndexAddress().getAsLong())
            ? Optional.of(
                BTree2.open(source, widths, info.orderIndexAddress().getAsLong())
                    .require(RecordType.ATTRIBUTE_BY_ORDER, AttributeOrderRecord.SIZE))
            : Optional.empty();
    this.tracked = info.nextCreationOrder().isPresent();
    this.shared = shared;
  }

  /**
   * Opens heap and indexes; reads their headers only.
   *
   * @param info of an object with dense attributes
   * @param shared where shared attribute messages stand
   * @throws FormatException if one of them is damaged or missing
   */
  public static DenseAttributes open(
      ByteSource source, Widths widths, AttributeInfoMessage info, SharedMessages shared) {
    if (!info.isDense() || !FileAddress.isDefined(info.nameIndexAddress())) {
      throw new FormatException("dense attributes", "a fractal heap and a name index", info)
          .inFile(source.name());
    }
    return new DenseAttributes(source, widths, info, shared);
  }

  BTree2 names() {
    return names;
  }

  Optional<BTree2> orders() {
    return orders;
  }

  FractalHeap heap() {
    return heap;
  }

  /** Number of attributes. */
  public long size() {
    return names.size();
  }

  /**
   * All attributes, in the order of the name index, which is that of hashes.
   *
   * @throws FormatException if a structure is damaged, or the attributes together are longer than
   *     they can be in this file
   */
  public List<DenseAttribute> all() {
    List<DenseAttribute> attributes = new ArrayList<>();
    Budget budget = new Budget(heap.mostBytes(), "attributes of an object", source.name());
    for (MemorySegment record : names) {
      AttributeNameRecord entry = AttributeNameRecord.decode(record);
      DenseAttribute attribute = attribute(entry.entry());
      budget.spend(attribute.body());
      int hash = NameHash.of(attribute.name()).hash();
      if (hash != entry.hash()) {
        throw new FormatException(
                "hash of attribute " + attribute.name(),
                String.format("0x%08x", hash),
                String.format("0x%08x", entry.hash()))
            .inFile(source.name());
      }
      attributes.add(attribute);
    }
    return attributes;
  }

  /**
   * All attributes in creation order, if that is indexed.
   *
   * @throws FormatException as {@link #all}
   */
  public Optional<List<DenseAttribute>> inCreationOrder() {
    return orders.map(index -> {
      List<DenseAttribute> attributes = new ArrayList<>();
      Budget budget = new Budget(heap.mostBytes(), "attributes of an object", source.name());
      for (MemorySegment record : index) {
        DenseAttribute attribute = attribute(AttributeOrderRecord.decode(record));
        budget.spend(attribute.body());
        attributes.add(attribute);
      }
      return attributes;
    });
  }

  /** The attribute of a name; reads one node of each level of the index and the attribute. */
  public Optional<DenseAttribute> find(String name) {
    return names
        .find(order(name))
        .map(record -> attribute(AttributeNameRecord.decode(record).entry()));
  }

  /** Where records stand relative to a name. */
  RecordOrder order(String name) {
    NameHash sought = NameHash.of(name);
    return record -> {
      int byHash = sought.compareHash(AttributeNameRecord.hash(record));
      if (byHash != 0) {
        return byHash;
      }
      AttributeOrderRecord entry = AttributeNameRecord.decode(record).entry();
      return sought.compareName(DenseAttribute.nameBytes(body(entry)));
    };
  }

  private DenseAttribute attribute(AttributeOrderRecord entry) {
    OptionalInt order = tracked ? OptionalInt.of(entry.order()) : OptionalInt.empty();
    return new DenseAttribute(body(entry), entry.flags(), order);
  }

  private MemorySegment body(AttributeOrderRecord entry) {
    MemorySegment id = entry.heapId().segment();
    return entry.isShared() ? shared.attribute(id) : heap.object(id);
  }

  /** All the space of heap and indexes; shared messages are not among it. */
  public List<Block> blocks() {
    List<Block> blocks = new ArrayList<>(heap.blocks());
    blocks.addAll(names.blocks());
    orders.ifPresent(index -> blocks.addAll(index.blocks()));
    return blocks;
  }
}
