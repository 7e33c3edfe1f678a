package io.skerry.iod.object;

import io.skerry.format.Bytes;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A key-value object at a transaction. Methods are local and thread-safe, and throw the exceptions
 * of {@link Values}.
 *
 * @param id the identifier
 * @param values the values of the container at the transaction
 */
public record KeyValueObject(ObjectId id, Values values) {
  /**
   * Checks the type of the identifier.
   *
   * @throws IllegalArgumentException if the object is of another type
   */
  public KeyValueObject {
    requireType(id, ObjectType.KV);
  }

  static void requireType(ObjectId id, ObjectType type) {
    if (id.type() != type) {
      throw new IllegalArgumentException("type of an object: expected=" + type + " actual=" + id);
    }
  }

  private Place place(Bytes key) {
    return new Place.Pair(id.bits(), key);
  }

  /** Returns the value of a key; empty if there is no pair. */
  public Optional<MemorySegment> get(Bytes key, SegmentAllocator memory) {
    return values.get(place(key), memory);
  }

  /** Returns whether there is a pair with the key. */
  public boolean has(Bytes key) {
    return values.size(place(key)).isPresent();
  }

  /**
   * Returns a page of pairs.
   *
   * @param after the key after which the page begins; empty for the first page
   * @param memory allocates the memory of the values
   */
  public Page<KeyValue> pairs(Optional<Bytes> after, PageLimit limit, SegmentAllocator memory) {
    return mapped(
        values.scan(range(after), limit, memory),
        entry -> new KeyValue(key(entry.version().place()), entry.value()));
  }

  /**
   * Returns a page of keys; their values are not read.
   *
   * @param after the key after which the page begins; empty for the first page
   */
  public Page<Bytes> keys(Optional<Bytes> after, PageLimit limit) {
    return mapped(values.list(range(after), limit), version -> key(version.place()));
  }

  /** Returns the number of pairs. The time is proportional to it; values are not read. */
  public long count() {
    long count = 0;
    Page<Bytes> page = keys(Optional.empty(), PageLimit.DEFAULT);
    count += page.items().size();
    while (!page.isLast()) {
      page = keys(Optional.of(page.items().getLast()), PageLimit.DEFAULT);
      count += page.items().size();
    }
    return count;
  }

  private Range range(Optional<Bytes> after) {
    return after
        .map(key -> Range.after(place(key)))
        .orElseGet(() -> Range.all(id.bits(), Part.PAIR));
  }

  private static Bytes key(Place place) {
    return ((Place.Pair) place).key();
  }

  static <T, R> Page<R> mapped(Page<T> page, Function<T, R> change) {
    List<R> items = page.items().stream().map(change).toList();
    return page.isLast() ? Page.last(items) : Page.partial(items);
  }
}
