package io.skerry.iod.rados;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import io.skerry.iod.engine.PurgedException;
import io.skerry.iod.engine.Snapshots;
import io.skerry.iod.rados.library.Pool;
import io.skerry.iod.rados.library.Pool.Pair;
import io.skerry.iod.rados.library.Pool.Pairs;
import io.skerry.iod.rados.library.RadosException;
import io.skerry.iod.rados.library.WriteOperation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The snapshots of a container. Each shard of a snapshot is a snapshot of RADOS: the cluster keeps
 * copies of the objects that change later. A snapshot also holds transactions above its own, which
 * its readers do not see. The pairs of the object {@code ID/snapshots} describe them:
 *
 * <pre>
 * sNAME        transaction 8                 a complete snapshot
 * pNAME/SHARD  snapshot 8                    the snapshot of RADOS of a shard
 * </pre>
 *
 * <p>Integers are big-endian.
 */
final class RadosSnapshots implements Snapshots {
  private static final byte[] ALL = {};
  private static final int PAGE = 512;

  private final RadosContainer container;

  RadosSnapshots(RadosContainer container) {
    this.container = container;
  }

  private static byte[] key(String name) {
    return Pool.ascii("s" + name);
  }

  private static byte[] key(String name, int shard) {
    return Pool.ascii("p" + name + "/" + shard);
  }

  /** Reads all pairs of an object whose keys begin with a prefix; the first letter is removed. */
  private static Map<String, Long> numbers(Pool pool, String object, String prefix) {
    Map<String, Long> all = new HashMap<>();
    byte[] after = ALL;
    while (true) {
      Pairs page = pool.pairs(object, after, Pool.ascii(prefix), PAGE);
      for (Pair pair : page.pairs()) {
        if (pair.value().length != Long.BYTES) {
          throw new FormatException(
              "description of a snapshot: length", Long.BYTES, pair.value().length);
        }
        all.put(
            new String(pair.key(), StandardCharsets.US_ASCII).substring(1),
            ByteBuffer.wrap(pair.value()).getLong());
      }
      if (!page.hasMore() || page.pairs().isEmpty()) {
        return all;
      }
      after = page.pairs().getLast().key();
    }
  }

  /** Returns the snapshots of RADOS that the changes of a shard must preserve. */
  static List<Long> kept(Pool pool, String object, int shard) {
    return numbers(pool, object, "p").entrySet().stream()
        .filter(entry -> entry.getKey().endsWith("/" + shard))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Returns all snapshots of RADOS of a container. */
  static List<Long> all(Pool pool, String object) {
    return List.copyOf(numbers(pool, object, "p").values());
  }

  /** Returns the transaction of a complete snapshot; empty if there is none. */
  static Optional<Long> transaction(Pool pool, String object, String name) {
    return Optional.ofNullable(numbers(pool, object, "s" + name).get(name));
  }

  /** Returns the snapshot of RADOS of a shard; empty if the shard has not been prepared. */
  static Optional<Long> ofShard(Pool pool, String object, String name, int shard) {
    return Optional.ofNullable(numbers(pool, object, "p" + name + "/").get(name + "/" + shard));
  }

  private static void checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name of a snapshot: expected=" + NAME + " actual=" + name);
    }
  }

  static ContainerException missing(String path, Object known, String name) {
    return new ContainerException(Reason.NO_SNAPSHOT, path, known, name);
  }

  @Override
  public List<String> names() {
    return container.call(
        pool -> numbers(pool, container.snapshotObject(), "s").keySet().stream().sorted().toList());
  }

  private void requireIncomplete(String name) {
    checkName(name);
    container.requireWriting();
    if (container.call(pool -> transaction(pool, container.snapshotObject(), name)).isPresent()) {
      throw new ContainerException(
          Reason.EXISTS, container.path() + " snapshot=" + name, "no snapshot", "a complete one");
    }
  }

  @Override
  public synchronized void prepare(String name, long transaction) {
    requireIncomplete(name);
    for (RadosShard shard : container.shards()) {
      Optional<Long> earlier =
          container.call(pool -> ofShard(pool, container.snapshotObject(), name, shard.number()));
      long snapshot = container.call(Pool::createSnapshot);
      add(key(name, shard.number()), snapshot);
      container.preserve(shard);
      earlier.ifPresent(this::removeSnapshot);
      // A later purge does not change the copy; an earlier one is detected here.
      if (shard.oldest() > transaction) {
        throw new PurgedException(container.path(), shard.number(), transaction, shard.oldest());
      }
    }
  }

  private void add(byte[] key, long number) {
    change(operation -> operation.pairs(List.of(new Pair(key, ShardStore.encode(number)))));
  }

  private void remove(List<byte[]> keys) {
    if (!keys.isEmpty()) {
      change(operation -> operation.removePairs(keys));
    }
  }

  private void change(UnaryOperator<WriteOperation> step) {
    int unused =
        container.call(pool -> {
          try (WriteOperation operation = pool.change()) {
            pool.write(container.snapshotObject(), step.apply(operation));
          }
          return 0;
        });
  }

  private void removeSnapshot(long snapshot) {
    int unused =
        container.call(pool -> {
          remove(pool, snapshot);
          return 0;
        });
  }

  /** Removes a snapshot of RADOS, unless an interrupted call has already removed it. */
  static void remove(Pool pool, long snapshot) {
    try {
      pool.removeSnapshot(snapshot);
    } catch (RadosException e) {
      if (e.number() != RadosException.NO_ENTRY) {
        throw e;
      }
    }
  }

  @Override
  public synchronized void complete(String name, long transaction) {
    requireIncomplete(name);
    Map<String, Long> prepared =
        container.call(pool -> numbers(pool, container.snapshotObject(), "p" + name + "/"));
    for (int number = 0; number < container.info().shards(); number++) {
      if (!prepared.containsKey(name + "/" + number)) {
        throw missing(
            container.path() + " snapshot=" + name, "a snapshot of shard " + number, "none");
      }
    }
    add(key(name), transaction);
  }

  @Override
  public synchronized void delete(String name) {
    checkName(name);
    container.requireWriting();
    boolean isComplete =
        container.call(pool -> transaction(pool, container.snapshotObject(), name)).isPresent();
    Map<String, Long> prepared =
        container.call(pool -> numbers(pool, container.snapshotObject(), "p" + name + "/"));
    if (!isComplete && prepared.isEmpty()) {
      throw missing(container.path(), names(), name);
    }
    remove(List.of(key(name)));
    prepared.values().forEach(this::removeSnapshot);
    List<byte[]> keys = new ArrayList<>();
    prepared.keySet().forEach(each -> keys.add(Pool.ascii("p" + each)));
    remove(keys);
    container.shards().forEach(container::preserve);
  }
}
