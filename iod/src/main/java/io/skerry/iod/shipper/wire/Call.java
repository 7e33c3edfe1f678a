package io.skerry.iod.shipper.wire;

import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Version;
import java.util.Optional;

/**
 * A call of a client that one I/O rank executes on its storage. Each call has one {@link Result} or
 * {@link Failure}. Calls of one client to one I/O rank are executed in the order in which they were
 * sent.
 */
public sealed interface Call {
  /**
   * Stores or removes small values. The payload holds the changes, see {@link EditList}.
   *
   * @param shard the number of the shard
   * @param at the transaction
   */
  record Edit(int shard, Position at) implements Call {}

  /**
   * Stores the payload as a value.
   *
   * @param shard the number of the shard
   * @param at the transaction
   * @param place the place of the value
   */
  record Put(int shard, Position at, Place place) implements Call {}

  /**
   * Makes earlier changes of a transaction visible to reads at this transaction.
   *
   * @param shard the number of the shard
   * @param at the transaction
   */
  record Flush(int shard, Position at) implements Call {}

  /**
   * Reads a version without its value. The result is {@link Result.Found}.
   *
   * @param shard the number of the shard
   * @param at the transaction
   * @param place the place of the value
   */
  record Find(int shard, Position at, Place place) implements Call {}

  /**
   * Reads a value. The result is {@link Result.Value} or {@link Result.Absent}.
   *
   * @param shard the number of the shard
   * @param at the transaction
   * @param place the place of the value
   */
  record Get(int shard, Position at, Place place) implements Call {}

  /**
   * Reads a page of versions. The result is {@link Result.Versions}.
   *
   * @param shard the number of the shard
   * @param at the transaction
   * @param range the places
   * @param limit the limit of the page
   */
  record ListPage(int shard, Position at, Range range, PageLimit limit) implements Call {}

  /**
   * Reads a page of values. The result is {@link Result.Entries}.
   *
   * @param shard the number of the shard
   * @param at the transaction
   * @param range the places
   * @param limit the limit of the page
   */
  record Scan(int shard, Position at, Range range, PageLimit limit) implements Call {}

  /**
   * Reads a page of all versions. The result is {@link Result.Versions}.
   *
   * @param shard the number of the shard
   * @param after the version after which the page begins; empty for the first page
   * @param limit the limit of the page
   */
  record History(int shard, Optional<Version> after, PageLimit limit) implements Call {}

  /** The properties of a shard. Their order is the order of their codes. */
  enum Property {
    /** The oldest version that can be read, a {@link Result.Number}. */
    OLDEST,
    /** The numbers of the transactions, as {@link Result.Numbers}. */
    TRANSACTIONS,
    /** The findings of a verification, as {@link Result.Lines}. */
    FINDINGS
  }

  /**
   * Reads a property of a shard.
   *
   * @param shard the number of the shard
   * @param property the property
   */
  record Inspect(int shard, Property property) implements Call {}

  /**
   * Begins changes outside the transaction protocol.
   *
   * @param shard the number of the shard
   * @param transaction the number of the transaction
   */
  record Begin(int shard, long transaction) implements Call {}

  /**
   * Prepares changes that {@link Begin} began.
   *
   * @param shard the number of the shard
   * @param transaction the number of the transaction
   * @param durability the durability that the changes have when the call ends
   */
  record Prepare(int shard, long transaction, Durability durability) implements Call {}

  /**
   * Closes changes that {@link Begin} began.
   *
   * @param shard the number of the shard
   * @param transaction the number of the transaction
   */
  record Discard(int shard, long transaction) implements Call {}

  /** The operations on a whole shard. Their order is the order of their codes. */
  enum Maintenance {
    /** Drops the transactions above the readable mark, which is the argument. */
    RECOVER,
    /** Makes prepared changes durable; the argument is 0. */
    PERSIST,
    /** Removes the changes of the transaction that is the argument. */
    ABORT,
    /** Removes the versions below the transaction that is the argument. */
    PURGE
  }

  /**
   * Changes a whole shard outside the transaction protocol.
   *
   * @param shard the number of the shard
   * @param operation the operation
   * @param argument the argument of the operation
   */
  record Maintain(int shard, Maintenance operation, long argument) implements Call {}

  /** Reads the readable mark, which I/O rank 0 stores. The result is {@link Result.Number}. */
  record ReadMark() implements Call {}

  /**
   * Advances the readable mark outside the transaction protocol. The result is {@link
   * Result.Number}: 1 if the mark was advanced, 0 if it had another value.
   *
   * @param expected the current readable mark
   * @param next the new readable mark
   */
  record Advance(long expected, long next) implements Call {}

  /** The operations on snapshots. Their order is the order of their codes. */
  enum SnapshotStep {
    /** Lists the names, as {@link Result.Lines}. */
    NAMES,
    /** Stores the part of one I/O rank. */
    PREPARE,
    /** Makes a snapshot available. */
    COMPLETE,
    /** Deletes a snapshot. */
    DELETE
  }

  /**
   * Executes an operation on snapshots.
   *
   * @param step the operation
   * @param name the name of the snapshot; empty for {@link SnapshotStep#NAMES}
   * @param transaction the transaction of the snapshot; 0 if not applicable
   */
  record Snapshot(SnapshotStep step, String name, long transaction) implements Call {}
}
