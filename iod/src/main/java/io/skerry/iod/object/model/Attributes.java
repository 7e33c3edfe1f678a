package io.skerry.iod.object.model;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.object.KeyValue;
import io.skerry.iod.object.KeyValueObject;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.PlaceNames;
import io.skerry.iod.object.Values;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The attributes of an object at a transaction: a key-value object whose keys are names and whose
 * values are identifiers (u64) of array objects. Methods are local and thread-safe, and throw the
 * exceptions of {@link Values}.
 *
 * @param id the identifier of the key-value object
 * @param values the values of the container at the transaction
 */
public record Attributes(ObjectId id, Values values) {
  /** The tile that holds all cells of an attribute. */
  public static final long TILE = 0;

  /**
   * An attribute.
   *
   * @param name the name
   * @param id the identifier of the array object
   */
  public record Named(String name, ObjectId id) {}

  /** Returns the attributes of an object, which is not an attribute itself. */
  public static Attributes of(StoredObject owner, Values values) {
    return new Attributes(owner.pad().requireAttributes(), values);
  }

  private KeyValueObject object() {
    return new KeyValueObject(id, values);
  }

  /**
   * Returns an attribute; empty if there is none with the name.
   *
   * @throws FormatException if its identifier is damaged
   * @throws IllegalArgumentException if the name is empty or contains a NUL
   */
  public Optional<ObjectId> find(String name) {
    Bytes key = NameKeys.encode(name);
    return object().get(key, Metadata.HEAP).map(bytes -> decode(key, bytes));
  }

  /**
   * Returns a page of the attributes in the order of the bytes of their names.
   *
   * @param after the name after which the page begins; empty for the first page
   * @throws FormatException if a name or an identifier is damaged
   */
  public Page<Named> page(Optional<String> after, PageLimit limit) {
    Page<KeyValue> page = object().pairs(after.map(NameKeys::encode), limit, Metadata.HEAP);
    List<Named> items = page.items().stream().map(this::named).toList();
    return page.isLast() ? Page.last(items) : Page.partial(items);
  }

  /** Returns all attributes in the order of the bytes of their names. */
  public List<Named> all() {
    Page<Named> page = page(Optional.empty(), PageLimit.DEFAULT);
    List<Named> all = new ArrayList<>(page.items());
    while (!page.isLast()) {
      page = page(Optional.of(page.items().getLast().name()), PageLimit.DEFAULT);
      all.addAll(page.items());
    }
    return all;
  }

  private Named named(KeyValue pair) {
    try {
      return new Named(NameKeys.decode(pair.key()), decode(pair.key(), pair.value()));
    } catch (FormatException e) {
      throw e.inObject(id.toString()).inFile(values.container());
    }
  }

  private ObjectId decode(Bytes key, MemorySegment bytes) {
    try {
      ByteReader in = ByteReader.of(bytes, "attribute");
      in.expect("size", Long.BYTES, in.remaining());
      return ObjectId.decode(in.i64(), ObjectKind.ATTRIBUTE.type(), "attribute");
    } catch (FormatException e) {
      throw e.inObject(id + " pair " + PlaceNames.key(key)).inFile(values.container());
    }
  }

  static MemorySegment encode(ObjectId attribute) {
    return ByteWriter.withCapacity(Long.BYTES).u64(attribute.bits()).written();
  }
}
