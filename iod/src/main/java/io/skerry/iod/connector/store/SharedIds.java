package io.skerry.iod.connector.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.lease.IdCounters;
import io.skerry.iod.object.lease.IdLease;
import io.skerry.iod.object.lease.LeasedIds;
import io.skerry.mpi.Reduction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * The source of the numbers of new objects of a file. Rank 0 holds the counters, and leases blocks
 * of BLOB numbers to the other ranks. Not thread-safe.
 */
final class SharedIds implements IdSource {
  private final FileRanks ranks;
  private final Queue<IdLease> reserved = new ArrayDeque<>();
  private final LeasedIds ids;
  private Optional<IdCounters> counters = Optional.empty();

  /** The count of leased BLOB numbers that remain, including those of the current lease. */
  private long left;

  SharedIds(FileRanks ranks) {
    this.ranks = ranks;
    this.ids = new LeasedIds(this::lease);
  }

  /**
   * Reads the counters, on rank 0.
   *
   * @param values the values at the persisted mark
   * @throws io.skerry.exception.FormatException if the root group or a lease is damaged
   */
  void read(Values values) {
    counters = Optional.of(IdCounters.read(values));
  }

  private IdLease lease(ObjectType type) {
    if (counters.isPresent()) {
      return counters.get().lease(type, 0);
    }
    if (type != ObjectType.BLOB || reserved.isEmpty()) {
      throw new IllegalStateException(
          "no number of a new object is reserved: type="
              + type
              + " rank="
              + ranks.communicator().rank());
    }
    return reserved.remove();
  }

  @Override
  public long next(ObjectType type) {
    left--;
    return ids.next(type);
  }

  /**
   * Leases BLOB numbers; see {@link ContainerStore#reserve}. Collective.
   *
   * @throws IllegalStateException on all ranks if too few numbers are left
   */
  void reserve(long blobs) {
    if (!ranks.areSeveral()) {
      return;
    }
    long missing = counters.isPresent() ? 0 : Math.max(0, blobs - left);
    long own = Math.ceilDiv(missing, IdLease.BLOCK);
    long total = ranks.communicator().allReduce(own, Reduction.SUM);
    if (total == 0) {
      return;
    }
    long before = ranks.communicator().exclusiveScan(own, Reduction.SUM);
    long first = leased(total);
    if (first < 0) {
      throw new IllegalStateException(
          "too few numbers of new objects are left: type=BLOB expected="
              + total
              + " blocks of "
              + IdLease.BLOCK);
    }
    for (long i = 0; i < own; i++) {
      long block = first + before + i;
      reserved.add(new IdLease(ObjectType.BLOB, block, ranks.communicator().rank()));
      left += IdLease.BLOCK;
    }
  }

  /**
   * Leases consecutive blocks on rank 0, and returns the number of the first one on all ranks; a
   * negative number on all ranks if too few blocks are left.
   */
  private long leased(long blocks) {
    long first = -1;
    if (counters.isPresent()) {
      try {
        first = counters.get().lease(ObjectType.BLOB, 0).block();
        for (long i = 1; i < blocks; i++) {
          var unused = counters.get().lease(ObjectType.BLOB, 0);
        }
      } catch (IllegalStateException e) {
        // Too few numbers are left. The other ranks wait for a message, so no exception is thrown.
        first = -1;
      }
    }
    byte[] mine = ByteWriter.withCapacity(Long.BYTES).u64(first).written().toArray(JAVA_BYTE);
    byte[] known = ranks.communicator().broadcast(mine, 0);
    return ByteBuffer.wrap(known).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /** Stores the counters in the open transaction, on rank 0. */
  void store(ValueChanges changes) {
    counters.orElseThrow().store(changes);
  }

  /** Notes that a transaction and all lower ones that were not aborted are readable. */
  void readable(long transaction) {
    counters.ifPresent(known -> known.readable(transaction));
  }

  /** Notes that a transaction was aborted. */
  void aborted(long transaction) {
    counters.ifPresent(known -> known.aborted(transaction));
  }
}
