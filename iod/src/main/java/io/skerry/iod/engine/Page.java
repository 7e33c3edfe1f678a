package io.skerry.iod.engine;

import java.util.List;

/**
 * A part of a long result. A page that is not the last one holds at least one item, and the next
 * page begins after its last item.
 *
 * @param <T> the type of the items
 */
public final class Page<T> {
  private final List<T> items;
  private final boolean last;

  private Page(List<T> items, boolean last) {
    this.items = List.copyOf(items);
    this.last = last;
  }

  /** Returns a page after which there are no more items. */
  public static <T> Page<T> last(List<T> items) {
    return new Page<>(items, true);
  }

  /**
   * Returns a page that was ended by its limit.
   *
   * @throws IllegalArgumentException if there are no items
   */
  public static <T> Page<T> partial(List<T> items) {
    if (items.isEmpty()) {
      throw new IllegalArgumentException("a page that is not the last one has no items");
    }
    return new Page<>(items, false);
  }

  /** Returns the items in their order. */
  public List<T> items() {
    return items;
  }

  /** Returns whether there are no items after this page. */
  public boolean isLast() {
    return last;
  }
}
