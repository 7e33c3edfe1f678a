package io.skerry.iod.engine.shard;

import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Collects the items of a page. Not thread-safe.
 *
 * @param <F> a version in the representation of the engine
 * @param <T> an item of the page
 */
public final class PageCollector<F, T> {
  private final PageLimit limit;
  private final Function<F, Optional<T>> item;
  private final ToLongFunction<F> keyBytes;
  private final ToLongFunction<T> valueBytes;
  private final List<T> items = new ArrayList<>();
  private long bytes;

  /**
   * Creates a collector without items.
   *
   * @param item returns the item of a version; empty if it has none
   * @param keyBytes returns the size of the key of a version in bytes
   * @param valueBytes returns the size of the value of an item in bytes
   */
  public PageCollector(
      PageLimit limit,
      Function<F, Optional<T>> item,
      ToLongFunction<F> keyBytes,
      ToLongFunction<T> valueBytes) {
    this.limit = limit;
    this.item = item;
    this.keyBytes = keyBytes;
    this.valueBytes = valueBytes;
  }

  /** Returns whether the page has reached its limit. Does not fail. */
  public boolean isFull() {
    return items.size() >= limit.items() || bytes >= limit.bytes();
  }

  /** Adds the item of a version. */
  public void add(F found) {
    Optional<T> added = item.apply(found);
    if (added.isPresent()) {
      items.add(added.get());
      bytes += keyBytes.applyAsLong(found) + valueBytes.applyAsLong(added.get());
    }
  }

  /** Returns the collected items as a page that others follow. Does not fail. */
  public Page<T> partial() {
    return Page.partial(items);
  }

  /** Returns the collected items as the last page. Does not fail. */
  public Page<T> last() {
    return Page.last(items);
  }
}
