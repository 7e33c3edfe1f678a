package io.skerry.iod.transaction;

/**
 * A message from a client to the leader. Each request receives exactly one {@link Reply}, unless
 * the client or the leader is lost.
 */
public sealed interface Request {
  /** Returns the number of the client. */
  int client();

  /** Returns the identifier of the request, which the client chooses and the reply repeats. */
  long id();

  /**
   * Starts a transaction. The reply is {@link Reply.Started}.
   *
   * @param client the number of the client
   * @param id the identifier of the request
   * @param number the number of the transaction
   * @param clients the number of clients that start and finish the transaction: 1 if one client
   *     does so for all, otherwise the same number in the request of each client
   */
  record Start(int client, long id, long number, int clients) implements Request {}

  /**
   * Starts the transaction above all numbers in use, in leader mode. The reply is {@link
   * Reply.Started}.
   *
   * @param client the number of the client
   * @param id the identifier of the request
   */
  record StartNext(int client, long id) implements Request {}

  /**
   * Finishes the part of a client in a transaction. The participants must have acknowledged all
   * changes of the client. The reply is {@link Reply.Done} as soon as the leader has recorded the
   * finish.
   *
   * @param client the number of the client
   * @param id the identifier of the request
   * @param ticket the transaction
   */
  record Finish(int client, long id, Ticket ticket) implements Request {}

  /**
   * Aborts transactions that are not readable. The reply is {@link Reply.Done} at once.
   *
   * @param client the number of the client
   * @param id the identifier of the request
   * @param ticket the transaction
   * @param extent the transactions to abort
   */
  record Abort(int client, long id, Ticket ticket, AbortExtent extent) implements Request {}

  /**
   * Forbids the start of free numbers. The reply is {@link Reply.Done} at once.
   *
   * @param client the number of the client
   * @param id the identifier of the request
   * @param first the first number
   * @param last the last number
   */
  record Skip(int client, long id, long first, long last) implements Request {}

  /**
   * Waits until a transaction is readable. The reply is then {@link Reply.Done}.
   *
   * @param client the number of the client
   * @param id the identifier of the request
   * @param ticket the transaction
   */
  record AwaitReadable(int client, long id, Ticket ticket) implements Request {}

  /**
   * Makes a transaction and all lower ones durable as soon as it is readable. The reply is {@link
   * Reply.Done} once no crash can lose them.
   *
   * @param client the number of the client
   * @param id the identifier of the request
   * @param ticket the transaction
   */
  record Persist(int client, long id, Ticket ticket) implements Request {}

  /**
   * Acquires a read context. The reply is {@link Reply.Acquired}.
   *
   * @param client the number of the client
   * @param id the identifier of the request
   * @param choice how the transaction is chosen from the number
   * @param number the number of a transaction, 0 or more
   */
  record Acquire(int client, long id, VersionChoice choice, long number) implements Request {}

  /**
   * Releases a read context. The reply is {@link Reply.Done}, even if a lost process has ended the
   * context.
   *
   * @param client the number of the client
   * @param id the identifier of the request
   * @param context the context
   */
  record Release(int client, long id, ReadContext context) implements Request {}

  /**
   * Persists the newest readable transaction, and stores a snapshot of it. The reply is {@link
   * Reply.SnapshotTaken} when the snapshot is durable.
   *
   * @param client the number of the client
   * @param id the identifier of the request
   * @param name the name of the snapshot
   */
  record Snapshot(int client, long id, String name) implements Request {}
}
