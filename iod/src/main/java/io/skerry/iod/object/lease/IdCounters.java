package io.skerry.iod.object.lease;

import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.object.KeyValue;
import io.skerry.iod.object.KeyValueObject;
import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.ScratchPad;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.Metadata;
import io.skerry.iod.object.model.MetadataKey;
import io.skerry.iod.object.model.MetadataWriter;
import io.skerry.iod.object.model.StoredObject;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;

/**
 * The counters from which one process leases blocks of object numbers while a container is open for
 * writing. A block is leased only once: counters in memory only grow, and the stored state lets the
 * next opening continue above all blocks whose numbers may be in use.
 *
 * <p>Transactions become readable in the order of their numbers, but are changed in any order, and
 * some are aborted. A counter that one transaction stores therefore may be lower than one that a
 * lower transaction stores later. For this reason each lease is also a separate pair, which every
 * transaction stores until one that contains the pair is readable; the next block is the maximum of
 * the counter and of the blocks after all leases. A transaction calls {@link #store} before it is
 * prepared. Local, thread-safe.
 *
 * <p>The pair of a readable lease is removed by a later transaction, which stores counters above
 * the lease. That transaction is higher than all that stored counters earlier, so none of those can
 * lower the counter again when it becomes readable.
 */
public final class IdCounters {
  private static final SegmentAllocator HEAP =
      (bytes, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);

  /** The maximum number of leases that one transaction removes, which limits its size. */
  private static final int MOST_REMOVED = 4096;

  private final ScratchPad pad;
  private final Map<ObjectType, Long> next = new EnumMap<>(ObjectType.class);
  private final List<Outstanding> outstanding = new ArrayList<>();

  /** Leases whose pairs are readable and have not been removed. */
  private final Queue<IdLease> readable = new ArrayDeque<>();

  /** The highest transaction that has stored counters. */
  private long highest;

  /**
   * A lease that is not known to be readable.
   *
   * @param lease the lease
   * @param stored the lowest transaction that stored it; {@link Long#MAX_VALUE} if there is none
   */
  private record Outstanding(IdLease lease, long stored) {}

  private IdCounters(ScratchPad pad) {
    this.pad = pad;
  }

  /** Returns the key of the counter of a type. Local, thread-safe; does not fail. */
  public static MetadataKey key(ObjectType type) {
    return switch (type) {
      case KV -> MetadataKey.KV_IDS_INDEX;
      case ARRAY -> MetadataKey.ARRAY_IDS_INDEX;
      case BLOB -> MetadataKey.BLOB_IDS_INDEX;
    };
  }

  /**
   * Reads the counters.
   *
   * @param values the values at the readable mark, with no transaction above it
   * @throws FormatException if the root group or a lease is damaged, or a counter is missing
   */
  public static IdCounters read(Values values) {
    ScratchPad pad = StoredObject.open(values, ObjectId.ROOT).pad();
    IdCounters counters = new IdCounters(pad);
    counters.readable.addAll(leases(pad, values));
    counters.next.putAll(nextBlocks(pad, values, counters.readable));
    return counters;
  }

  /**
   * Returns the next block of each type.
   *
   * @throws FormatException under the conditions of {@link #read}
   */
  public static Map<ObjectType, Long> nextBlocks(Values values) {
    ScratchPad pad = StoredObject.open(values, ObjectId.ROOT).pad();
    return nextBlocks(pad, values, leases(pad, values));
  }

  private static Map<ObjectType, Long> nextBlocks(
      ScratchPad pad, Values values, Collection<IdLease> leases) {
    Metadata metadata = new Metadata(pad.requireMetadata(), values);
    Map<ObjectType, Long> next = new EnumMap<>(ObjectType.class);
    for (ObjectType type : ObjectType.values()) {
      long block = metadata.u64(key(type)).orElse(-1);
      if (block < 0 || block > IdLease.LARGEST) {
        throw new FormatException(key(type).text(), "0 to " + IdLease.LARGEST, block)
            .inObject(metadata.id().toString())
            .inFile(values.container());
      }
      next.put(type, block);
    }
    for (IdLease lease : leases) {
      next.merge(lease.type(), lease.block() + 1, Math::max);
    }
    return next;
  }

  private static List<IdLease> leases(ScratchPad pad, Values values) {
    ObjectId id = extra(pad);
    KeyValueObject object = new KeyValueObject(id, values);
    List<IdLease> leases = new ArrayList<>();
    try {
      Page<KeyValue> page = object.pairs(Optional.empty(), PageLimit.DEFAULT, HEAP);
      page.items().forEach(pair -> leases.add(LeaseCodec.decode(pair)));
      while (!page.isLast()) {
        Optional<Bytes> last = Optional.of(page.items().getLast().key());
        page = object.pairs(last, PageLimit.DEFAULT, HEAP);
        page.items().forEach(pair -> leases.add(LeaseCodec.decode(pair)));
      }
    } catch (FormatException e) {
      throw e.inObject(id.toString()).inFile(values.container());
    }
    return leases;
  }

  private static ObjectId extra(ScratchPad pad) {
    return pad.extra()
        .orElseThrow(() ->
            new FormatException("scratch pad: extra", "the id leases", "none")
                .inObject(ObjectId.ROOT.toString()));
  }

  /**
   * Leases a block that was never leased before.
   *
   * @param client the number of the client
   * @throws IllegalStateException if all blocks have been leased
   */
  public synchronized IdLease lease(ObjectType type, long client) {
    long block = next.getOrDefault(type, 0L);
    if (block > IdLease.LARGEST) {
      throw new IllegalStateException("all numbers have been leased: type=" + type);
    }
    next.put(type, block + 1);
    IdLease lease = new IdLease(type, block, client);
    outstanding.add(new Outstanding(lease, Long.MAX_VALUE));
    return lease;
  }

  /**
   * Stores the counters, and the leases that are not known to be readable, in a transaction, and
   * removes readable leases. If all leases are known to be readable, nothing is stored.
   */
  public synchronized void store(ValueChanges changes) {
    if (outstanding.isEmpty()) {
      return;
    }
    KeyValueWriter leases = new KeyValueWriter(extra(pad), changes);
    for (int i = 0; i < outstanding.size(); i++) {
      Outstanding entry = outstanding.get(i);
      leases.put(LeaseCodec.key(entry.lease), LeaseCodec.value(entry.lease));
      outstanding.set(
          i, new Outstanding(entry.lease, Math.min(entry.stored, changes.transaction())));
    }
    if (changes.transaction() >= highest) {
      highest = changes.transaction();
      for (int i = 0; i < MOST_REMOVED && !readable.isEmpty(); i++) {
        leases.remove(LeaseCodec.key(readable.remove()));
      }
    }
    MetadataWriter metadata =
        new MetadataWriter(pad.requireMetadata(), changes, new LeasedIds(t -> lease(t, 0)));
    next.forEach((type, block) -> metadata.u64(key(type), block));
  }

  /**
   * Forgets that a transaction stored leases. Each transaction that called {@link #store} and was
   * aborted must be reported before {@link #readable} is called for a mark at or above it.
   */
  public synchronized void aborted(long transaction) {
    outstanding.replaceAll(entry ->
        entry.stored == transaction ? new Outstanding(entry.lease, Long.MAX_VALUE) : entry);
  }

  /**
   * Ends the repeated storage of leases that a transaction up to the readable mark stored, because
   * the next opening finds them.
   */
  public synchronized void readable(long mark) {
    outstanding.removeIf(entry -> entry.stored <= mark && readable.add(entry.lease));
  }
}
