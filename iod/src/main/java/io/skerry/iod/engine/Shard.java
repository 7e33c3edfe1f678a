package io.skerry.iod.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A shard of a container: the versions of the values at a subset of the places. The layer above
 * decides which places belong to which shard.
 *
 * <p>A read at transaction t returns the newest version of a place whose transaction is at most t.
 * The engine does not compare t with the readable mark: reads above it see everything that has been
 * written so far. Values are opaque. A read copies a value once, from the memory of the engine to
 * memory from the allocator of the caller: native memory or a byte array on the heap.
 *
 * <p>All methods are local and thread-safe, and throw an {@link IllegalStateException} after the
 * container was closed. They throw an {@link EngineException} if the storage fails, and a {@link
 * io.skerry.exception.FormatException} if it returns bytes that the engine did not write. Methods
 * that change the shard throw an {@link IllegalStateException} if it is open for reading, or, with
 * the exception of {@link #recover}, if it has not been recovered.
 */
public interface Shard {
  /** The layer that checks that the bytes read for a value are those that were stored. */
  enum ValueCheck {
    /** The engine, by its own checksum if it has one. */
    BY_ENGINE,
    /**
     * The caller, who has a checksum of the value. The engine then omits its own check of a large
     * value, which can take half the time of a read.
     */
    BY_CALLER
  }

  /** Returns the number of this shard in its container. Does not fail. */
  int number();

  /**
   * Drops all transactions above the readable mark. This is the second step of an opening for
   * writing: only the process that serves shard 0 knows the readable mark, and must send it to the
   * others.
   *
   * @param mark the readable mark of the container
   * @throws IllegalArgumentException if transactions above the readable mark have been purged, or
   *     if this engine has stored another readable mark
   * @throws IllegalStateException if the shard has been recovered before
   */
  void recover(long mark);

  /**
   * Begins the changes of a transaction.
   *
   * @param transaction the number of the transaction, above the readable mark
   * @throws IllegalArgumentException if the number is known to be readable, or is not positive
   * @throws IllegalStateException if this shard already has changes of the transaction
   */
  Changes change(long transaction);

  /**
   * Makes all changes durable that were prepared with {@link Durability#BUFFERED}, and the removals
   * by {@link #abort} and {@link #recover}. On return, they are on disk.
   */
  void persist();

  /**
   * Removes all changes of a transaction that is not readable, prepared or not. If there are none,
   * the method has no effect. The number may be used again.
   *
   * @throws IllegalArgumentException if the transaction is known to be readable
   */
  void abort(long transaction);

  /**
   * Removes the versions that no read at or above a transaction returns, including removals. From
   * then on, reads below the transaction are rejected. An interrupted call can be repeated. The
   * time is proportional to the number of changes since the last call.
   *
   * @param oldest a transaction, not above the readable mark
   */
  void purge(long oldest);

  /**
   * Executes a part of {@link #purge}, so that the calling thread can do other work between two
   * parts. The default implementation executes the whole purge.
   *
   * @param oldest a transaction, not above the readable mark
   * @return true if the purge is complete; false if the method must be called again
   */
  default boolean purgePart(long oldest) {
    purge(oldest);
    return true;
  }

  /** Returns the argument of the last purge; 0 if there was none. */
  long oldest();

  /**
   * Returns the version that a read at a transaction returns, without its value. Empty if there is
   * none, or if the newest one is a removal.
   *
   * @throws PurgedException if {@code transaction} is below {@link #oldest}
   */
  Optional<Version> find(Place place, long transaction);

  /**
   * Returns the value that a read at a transaction returns.
   *
   * @param memory allocates the memory of the value
   * @return the value, a segment of exactly its size; empty if there is none
   * @throws PurgedException if {@code transaction} is below {@link #oldest}
   */
  Optional<MemorySegment> get(Place place, long transaction, SegmentAllocator memory);

  /**
   * Starts to read a value as {@link #get} does. Reads of several values from other processes
   * overlap if all are started before the first is awaited. The default implementation reads the
   * value immediately.
   *
   * @param check the layer that checks the value; the engine may check it in any case
   * @param memory allocates the memory of the value; used until the result is returned
   * @return a supplier that waits for the value; must be called once, by the thread that called
   *     this method
   */
  default Supplier<Optional<MemorySegment>> getLater(
      Place place, long transaction, ValueCheck check, SegmentAllocator memory) {
    Optional<MemorySegment> value = get(place, transaction, memory);
    return () -> value;
  }

  /**
   * Returns the first page of the versions that reads at a transaction return, in the order of
   * their places, without values. The method does not read large values.
   *
   * @throws PurgedException if {@code transaction} is below {@link #oldest}
   */
  Page<Version> list(Range range, long transaction, PageLimit limit);

  /**
   * Returns the first page of the values that reads at a transaction return, in the order of their
   * places.
   *
   * @param memory allocates the memory of the values
   * @throws PurgedException if {@code transaction} is below {@link #oldest}
   */
  Page<Entry> scan(Range range, long transaction, PageLimit limit, SegmentAllocator memory);

  /**
   * Returns the first page of all versions of all places, removals included, in ascending order: by
   * place, and the newest version of a place first.
   *
   * @param after the version after which the page begins; empty for the first page
   */
  Page<Version> history(Optional<Version> after, PageLimit limit);

  /**
   * Returns the numbers of the transactions that have changes in this shard and were not purged, in
   * ascending order.
   */
  List<Long> transactions();

  /**
   * Reads everything that this shard stores, and reports inconsistencies: damaged bytes, values
   * without a version, versions without a value, and versions that a purge should have removed.
   *
   * @param findings receives a line for each finding; must not close the container
   */
  void verify(Consumer<String> findings);
}
