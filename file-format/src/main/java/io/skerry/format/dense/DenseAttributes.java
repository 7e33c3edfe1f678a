package io.skerry.format.dense;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.btree.RecordOrder;
import io.skerry.format.btree.RecordType;
import io.skerry.format.message.dataset.AttributeInfoMessage;
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
  static final DenseIndexes.Kind BY_NAME =
      new DenseIndexes.Kind(RecordType.ATTRIBUTE_BY_NAME, AttributeNameRecord.SIZE);
  static final DenseIndexes.Kind BY_ORDER =
      new DenseIndexes.Kind(RecordType.ATTRIBUTE_BY_ORDER, AttributeOrderRecord.SIZE);

  private final DenseStorage stored;
  private final boolean tracked;
  private final SharedAttributeHeap shared;

  private DenseAttributes(DenseStorage stored, boolean tracked, SharedAttributeHeap shared) {
    this.stored = stored;
    this.tracked = tracked;
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
      ByteSource source, Widths widths, AttributeInfoMessage info, SharedAttributeHeap shared) {
    DenseStorage.Places at =
        new DenseStorage.Places(
            "dense attributes",
            info.heapAddress(),
            info.nameIndexAddress(),
            info.orderIndexAddress());
    return new DenseAttributes(
        DenseStorage.open(source, widths, at, BY_NAME, BY_ORDER),
        info.nextCreationOrder().isPresent(),
        shared);
  }

  DenseStorage stored() {
    return stored;
  }

  /** Number of attributes. */
  public long size() {
    return stored.names().size();
  }

  /**
   * All attributes, in the order of the name index, which is that of hashes.
   *
   * @throws FormatException if a structure is damaged, or the attributes together are longer than
   *     they can be in this file
   */
  public List<DenseAttribute> all() {
    List<DenseAttribute> attributes = new ArrayList<>();
    ReadBudget budget = stored.budget("attributes of an object");
    for (MemorySegment record : stored.names()) {
      AttributeNameRecord entry = AttributeNameRecord.decode(record);
      DenseAttribute attribute = attribute(entry.entry());
      budget.charge(attribute.body());
      stored.checkHash("attribute", attribute.name(), entry.hash());
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
    return stored
        .orders()
        .map(index -> {
          List<DenseAttribute> attributes = new ArrayList<>();
          ReadBudget budget = stored.budget("attributes of an object");
          for (MemorySegment record : index) {
            DenseAttribute attribute = attribute(AttributeOrderRecord.decode(record));
            budget.charge(attribute.body());
            attributes.add(attribute);
          }
          return attributes;
        });
  }

  /** The attribute of a name; reads one node of each level of the index and the attribute. */
  public Optional<DenseAttribute> find(String name) {
    return stored
        .names()
        .find(order(name))
        .map(record -> attribute(AttributeNameRecord.decode(record).entry()));
  }

  /** Where records stand relative to a name. */
  private RecordOrder order(String name) {
    return NameHash.of(name)
        .order(
            AttributeNameRecord::hash,
            record -> DenseAttribute.nameBytes(body(AttributeNameRecord.decode(record).entry())));
  }

  private DenseAttribute attribute(AttributeOrderRecord entry) {
    OptionalInt order = tracked ? OptionalInt.of(entry.order()) : OptionalInt.empty();
    return new DenseAttribute(body(entry), entry.flags(), order);
  }

  private MemorySegment body(AttributeOrderRecord entry) {
    MemorySegment id = entry.heapId().segment();
    return entry.isShared() ? shared.attributeBody(id) : stored.heap().object(id);
  }

  /** All the space of heap and indexes; shared messages are not among it. */
  public List<Block> blocks() {
    return stored.blocks();
  }
}
