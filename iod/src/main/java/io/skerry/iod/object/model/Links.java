package io.skerry.iod.object.model;

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
import java.util.List;
import java.util.Optional;

/**
 * The links of a group at a transaction. Methods are local and thread-safe, and throw the
 * exceptions of {@link Values}.
 *
 * @param group the identifier of the group
 * @param values the values of the container at the transaction
 */
public record Links(ObjectId group, Values values) {
  /**
   * A link with its name.
   *
   * @param name the name
   * @param link the target
   */
  public record Named(String name, Link link) {}

  private KeyValueObject object() {
    return new KeyValueObject(group, values);
  }

  /**
   * Returns a link; empty if there is none with the name.
   *
   * @throws FormatException if the link is damaged
   * @throws IllegalArgumentException if the name is empty or contains a NUL
   */
  public Optional<Link> find(String name) {
    Bytes key = NameKeys.encode(name);
    return object().get(key, Metadata.HEAP).map(bytes -> decode(key, bytes));
  }

  /**
   * Returns a page of the links in the order of the bytes of their names.
   *
   * @param after the name after which the page begins; empty for the first page
   * @throws FormatException if a name or a link is damaged
   */
  public Page<Named> page(Optional<String> after, PageLimit limit) {
    Page<KeyValue> page = object().pairs(after.map(NameKeys::encode), limit, Metadata.HEAP);
    List<Named> items = page.items().stream().map(this::named).toList();
    return page.isLast() ? Page.last(items) : Page.partial(items);
  }

  /** Returns the number of links. The time is proportional to it. */
  public long count() {
    return object().count();
  }

  private Named named(KeyValue pair) {
    try {
      return new Named(NameKeys.decode(pair.key()), decode(pair.key(), pair.value()));
    } catch (FormatException e) {
      throw e.inObject(group.toString()).inFile(values.container());
    }
  }

  private Link decode(Bytes key, MemorySegment bytes) {
    try {
      return Link.decode(bytes);
    } catch (FormatException e) {
      throw e.inObject(group + " pair " + PlaceNames.key(key)).inFile(values.container());
    }
  }
}
