package io.skerry.iod.rados;

import io.skerry.iod.rados.library.Pool;
import io.skerry.iod.rados.library.Pool.Pair;
import io.skerry.iod.rados.library.Pool.Pairs;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes of objects: their data, and the names and values of their attributes and pairs.
 * The cluster reports only the size of the data, so the pairs are read. Additional storage, such as
 * for replicas and for earlier contents of objects that a snapshot preserves, is not counted.
 * Local.
 *
 * @param pool the pool of the objects
 */
record StoredBytes(Pool pool) {
  private static final byte[] ANY = {};
  private static final int PAGE = 1024;

  /** Returns the bytes of all objects whose names begin with a prefix. */
  long withPrefix(String prefix) {
    AtomicLong sum = new AtomicLong();
    pool.names(name -> {
      if (name.startsWith(prefix)) {
        long unused = sum.addAndGet(of(name));
      }
    });
    return sum.get();
  }

  /** Returns the bytes of an object, which may be removed during the call; 0 if it is missing. */
  long of(String object) {
    return pool.size(object).orElse(0) + ofAttributes(object) + ofPairs(object);
  }

  private long ofAttributes(String object) {
    return pool.attributes(object).stream()
        .flatMap(all -> all.entrySet().stream())
        .mapToLong(each ->
            each.getKey().getBytes(StandardCharsets.UTF_8).length + (long) each.getValue().length)
        .sum();
  }

  private long ofPairs(String object) {
    long sum = 0;
    byte[] after = ANY;
    Pairs found;
    do {
      found = pool.pairs(object, after, ANY, PAGE);
      for (Pair pair : found.pairs()) {
        sum += pair.key().length + (long) pair.value().length;
        after = pair.key();
      }
    } while (found.hasMore() && !found.pairs().isEmpty());
    return sum;
  }
}
