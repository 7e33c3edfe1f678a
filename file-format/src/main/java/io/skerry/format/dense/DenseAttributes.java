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
 * Reads the attributes of an object with dense attribute storage. Returns their messages undecoded,
 * because they may refer to committed datatypes and shared messages.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section IV.A.2.v, "The Attribute Info Message";
 * the indexes have record types 8 and 9. Local, thread-safe.
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
   * Opens the heap and the indexes; reads only their headers.
   *
   * @param source the file
   * @param widths the sizes of offsets and lengths in the file
   * @param info the attribute info message of an object with dense attributes
   * @param shared the reader for attribute messages in the shared message heap
   * @throws FormatException if the heap or an index is damaged or missing
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

  /** Returns the number of attributes. */
  public long size() {
    return stored.names().size();
  }

  /**
   * Returns all attributes in the order of the name index, which is sorted by the hash of the name.
   *
   * @throws FormatException if a structure is damaged, or the total size of the attributes exceeds
   *     the maximum for a file of this size
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
   * Returns all attributes in creation order; empty if creation order is not indexed.
   *
   * @throws FormatException in the same cases as {@link #all}
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

  /**
   * Returns the attribute with the given name; empty if there is none. Reads at most one node per
   * index level, and only attributes with the same hash.
   *
   * @throws FormatException if a structure on the path to the attribute is damaged
   */
  public Optional<DenseAttribute> find(String name) {
    return stored
        .names()
        .find(order(name))
        .map(record -> attribute(AttributeNameRecord.decode(record).entry()));
  }

  /** Returns the search key of a name. */
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

  /** Returns all file space that the heap and the indexes occupy, excluding shared messages. */
  public List<Block> blocks() {
    return stored.blocks();
  }
}
