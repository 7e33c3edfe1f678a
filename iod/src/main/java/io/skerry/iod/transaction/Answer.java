package io.skerry.iod.transaction;

/**
 * A message from a participant to the leader. The leader ignores answers of earlier sessions,
 * except {@link Join}.
 */
public sealed interface Answer {
  /** Returns the number of the session. */
  long session();

  /** The participant has opened its shards and waits for {@link Order.Recover}. */
  record Join() implements Answer {
    @Override
    public long session() {
      return 0;
    }
  }

  /**
   * The shards have no transaction above the persisted mark.
   *
   * @param session the number of the session
   */
  record Recovered(long session) implements Answer {}

  /**
   * The changes of a transaction are prepared.
   *
   * @param session the number of the session
   * @param transaction the number of the transaction
   */
  record Prepared(long session, long transaction) implements Answer {}

  /**
   * The storage failed to prepare a transaction, which therefore must be aborted.
   *
   * @param session the number of the session
   * @param transaction the number of the transaction
   * @param cause the failure
   */
  record Unprepared(long session, long transaction, String cause) implements Answer {}

  /**
   * The changes of a transaction were removed.
   *
   * @param session the number of the session
   * @param transaction the number of the transaction
   */
  record Aborted(long session, long transaction) implements Answer {}

  /**
   * All transactions that were prepared before the order are durable.
   *
   * @param session the number of the session
   * @param through the transaction of the order
   */
  record Persisted(long session, long through) implements Answer {}

  /**
   * The part of a snapshot is stored.
   *
   * @param session the number of the session
   * @param round the number of the attempt, as in the order
   */
  record SnapshotPrepared(long session, long round) implements Answer {}

  /**
   * The part of a snapshot could not be stored.
   *
   * @param session the number of the session
   * @param round the number of the attempt, as in the order
   * @param cause the failure
   */
  record SnapshotUnprepared(long session, long round, String cause) implements Answer {}

  /**
   * The storage failed and left the shards in an unknown state. The participant executes no more
   * orders until it joins again.
   *
   * @param session the number of the session
   * @param cause the failure
   */
  record StorageFailed(long session, String cause) implements Answer {}
}
