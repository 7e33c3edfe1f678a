package io.skerry.iod.transaction;

/** The states of a transaction number. {@link Numbers} shows the state transitions. */
public enum TransactionState {
  /** No client has started the transaction. */
  FREE,
  /** At least one client has started the transaction, and not all clients have finished it. */
  STARTED,
  /** All clients have finished the transaction. The processes prepare it. */
  FINISHED,
  /** The transaction is complete and visible to readers. It can no longer be aborted. */
  READABLE,
  /** The transaction is removed, or being removed, from all shards. */
  ABORTED,
  /** The transaction cannot be started: it was skipped, or a higher one is readable. */
  SKIPPED
}
