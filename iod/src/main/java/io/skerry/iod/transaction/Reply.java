package io.skerry.iod.transaction;

/** A message from the leader to a client: the outcome of one request. */
public sealed interface Reply {
  /** Returns the identifier of the request. */
  long id();

  /**
   * The request was executed.
   *
   * @param id the identifier of the request
   */
  record Done(long id) implements Reply {}

  /**
   * A transaction was started.
   *
   * @param id the identifier of the request
   * @param ticket the permission to write
   */
  record Started(long id, Ticket ticket) implements Reply {}

  /**
   * A read context was acquired.
   *
   * @param id the identifier of the request
   * @param context the context
   */
  record Acquired(long id, ReadContext context) implements Reply {}

  /**
   * A snapshot was stored.
   *
   * @param id the identifier of the request
   * @param transaction the transaction whose state the snapshot contains
   */
  record SnapshotTaken(long id, long transaction) implements Reply {}

  /**
   * The request was not executed.
   *
   * @param id the identifier of the request
   * @param refusal the reason
   * @param message a description of the refused request, with the transaction and the lost process,
   *     if any
   */
  record Refused(long id, Refusal refusal, String message) implements Reply {}
}
