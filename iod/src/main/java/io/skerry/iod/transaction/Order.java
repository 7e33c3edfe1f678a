package io.skerry.iod.transaction;

import io.skerry.iod.engine.Durability;

/**
 * A message from the leader to a participant. A participant executes the orders of its session in
 * the order in which they were sent, and ignores those of other sessions, except {@link Recover}.
 */
public sealed interface Order {
  /** Returns the number of the session. */
  long session();

  /**
   * Begins a session: drops all transactions above the persisted mark. The answer is {@link
   * Answer.Recovered}.
   *
   * @param session the number of the new session
   * @param mark the persisted mark
   * @param oldest the oldest version that is kept, at most {@code mark}
   */
  record Recover(long session, long mark, long oldest) implements Order {}

  /**
   * Ends the changes of a transaction. The answer is {@link Answer.Prepared} or {@link
   * Answer.Unprepared}.
   *
   * @param session the number of the session
   * @param transaction the number of the transaction
   * @param readable the readable mark: no transaction up to it accepts changes
   * @param durability the durability that the changes have when the participant answers
   */
  record Prepare(long session, long transaction, long readable, Durability durability)
      implements Order {}

  /**
   * Removes all changes of a transaction. The answer is {@link Answer.Aborted}.
   *
   * @param session the number of the session
   * @param transaction the number of the transaction
   */
  record Abort(long session, long transaction) implements Order {}

  /**
   * Makes all prepared changes durable. The answer is {@link Answer.Persisted}.
   *
   * @param session the number of the session
   * @param through the transaction to which the persisted mark will advance
   */
  record Persist(long session, long through) implements Order {}

  /**
   * Removes versions that no reader needs. There is no answer.
   *
   * @param session the number of the session
   * @param oldest the oldest version that is kept
   */
  record Purge(long session, long oldest) implements Order {}

  /**
   * Stores the part of a snapshot for the shards that the participant serves. The answer is {@link
   * Answer.SnapshotPrepared} or {@link Answer.SnapshotUnprepared}.
   *
   * @param session the number of the session
   * @param round the number of the attempt, which the answer repeats; unique in the session
   * @param name the name of the snapshot
   * @param transaction the transaction whose state the snapshot contains
   */
  record Snapshot(long session, long round, String name, long transaction) implements Order {}
}
