package io.skerry.iod.connector.store;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ObjectType;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.lease.IdCounters;
import io.skerry.iod.object.lease.IdLease;
import io.skerry.iod.object.lease.LeasedIds;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * The numbers of new objects of a file. Rank 0 has the counters, and
 * leases blocks of numbers of BLOBs to the other ranks. Not thread-safe.
 */
final class SharedIds implements IdSource {
  private final FileRanks ranks;
  private final Queue<IdLease> reserved = new ArrayDeque<>();
  private final LeasedIds ids;
  private Optional<IdCounters> counters = Optional.empty();

  /** The numbers that remain, those of the current lease included. */
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

  /** Leases numbers of BLOBs; see {@link ContainerStore#reserve}. Collective. */
  void reserve(long blobs) {
    if (!ranks.areSeveral()) {
      return;
    }
    long missing = counters.isPresent() ? 0 : Math.max(0, blobs - left);
    long[] blocks = ranks.communicator().allGather(Math.ceilDiv(missing, IdLease.BLOCK));
    long total = 0;
    long before = 0;
    for (int rank = 0; rank < blocks.length; rank++) {
      before += rank < ranks.communicator().rank() ? blocks[rank] : 0;
      total += blocks[rank];
    }
    if (total == 0) {
      return;
    }
    ByteReader numbers = leased(blocks);
    numbers.expect("leased blocks of numbers", Long.BYTES * total, numbers.remaining());
    numbers.skip(Long.BYTES * before);
    for (long i = 0; i < blocks[ranks.communicator().rank()]; i++) {
      reserved.add(new IdLease(ObjectType.BLOB, numbers.u63("block"), ranks.communicator().rank()));
      left += IdLease.BLOCK;
    }
  }

  /** Returns the numbers of the blocks for all ranks, which rank 0 leases; none if it fails. */
  private ByteReader leased(long[] blocks) {
    ByteWriter numbers = ByteWriter.create();
    if (counters.isPresent()) {
      try {
        for (int rank = 0; rank < blocks.length; rank++) {
          for (long i = 0; i < blocks[rank]; i++) {
            numbers.u64(counters.get().lease(ObjectType.BLOB, rank).block());
          }
        }
      } catch (IllegalStateException e) {
        // All numbers are leased. The other ranks wait for a message, and find it too short.
        numbers = ByteWriter.create();
      }
    }
    byte[] known = ranks.communicator().broadcast(numbers.toArray(), 0);
    return ByteReader.of(MemorySegment.ofArray(known), "leases");
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
