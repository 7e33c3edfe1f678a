package io.skerry.iod.transaction;

/** The reasons why a request is not executed. */
public enum Refusal {
  /** The arguments are invalid: a number, a count or a name is out of range. */
  INVALID,
  /** The number is in a state that does not permit the request. */
  STATE,
  /** The transaction was aborted. */
  ABORTED,
  /** No readable transaction fits the request. */
  NO_VERSION,
  /** The version was purged. */
  PURGED,
  /** Another client has changed the place in this transaction. */
  WRITTEN_TWICE,
  /** There is already a snapshot with this name. */
  EXISTS,
  /** A process or client was lost, and with it the transaction, context or snapshot. */
  LOST,
  /** Not all processes are present, or some are being recovered. The request can be repeated. */
  NOT_OPEN,
  /** The storage failed. */
  STORAGE
}
