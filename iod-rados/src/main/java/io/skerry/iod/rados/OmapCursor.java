package io.skerry.iod.rados;

import io.skerry.iod.rados.library.Pool.Pair;
import io.skerry.iod.rados.library.Pool.Pairs;
import java.util.Arrays;
import java.util.List;

/**
 * A cursor over the pairs of an object whose keys have a prefix, in the order of their keys. Pairs
 * are read in pages, which grow while the access is sequential. A concurrent change of the object
 * may or may not be seen. Not thread-safe.
 */
final class OmapCursor {
  private static final int FIRST_PAGE = 8;
  private static final int LARGEST_PAGE = 1024;

  private final ShardStore store;
  private final String object;
  private final byte[] prefix;
  private List<Pair> page = List.of();
  private boolean hasMore = true;
  private int at;

  /** The number of moves of the cursor within the current page. */
  private int uses;

  private int size = FIRST_PAGE;

  OmapCursor(ShardStore store, String object, byte[] prefix) {
    this.store = store;
    this.object = object;
    this.prefix = prefix;
  }

  /** Moves to the first pair with the prefix. */
  boolean first() {
    return seek(prefix);
  }

  /**
   * Moves to the first pair whose key is not less than a key.
   *
   * @return whether there is such a pair
   */
  boolean seek(byte[] key) {
    if (!isWithinPage(key)) {
      size = uses >= page.size() / 4 ? Math.min(LARGEST_PAGE, 2 * size) : FIRST_PAGE;
      read(OmapKeys.before(key));
    }
    uses++;
    while (at < page.size() || fill()) {
      if (Arrays.compareUnsigned(page.get(at).key(), key) >= 0) {
        return true;
      }
      at++;
    }
    return false;
  }

  private boolean isWithinPage(byte[] key) {
    return at < page.size()
        && Arrays.compareUnsigned(page.get(at).key(), key) <= 0
        && (!hasMore || Arrays.compareUnsigned(page.getLast().key(), key) >= 0);
  }

  /** Moves to the next pair. */
  boolean next() {
    at++;
    uses++;
    return at < page.size() || fill();
  }

  /** Reads the page after the current one. */
  private boolean fill() {
    if (!hasMore || page.isEmpty()) {
      return false;
    }
    size = Math.min(LARGEST_PAGE, 2 * size);
    read(page.getLast().key());
    return !page.isEmpty();
  }

  private void read(byte[] after) {
    Pairs found = store.call(pool -> pool.pairs(object, after, prefix, size));
    page = found.pairs();
    hasMore = found.hasMore();
    at = 0;
    uses = 0;
  }

  byte[] key() {
    return page.get(at).key();
  }

  byte[] value() {
    return page.get(at).value();
  }
}
