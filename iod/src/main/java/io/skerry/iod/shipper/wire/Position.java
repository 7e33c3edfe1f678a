package io.skerry.iod.shipper.wire;

/**
 * The transaction at which a call reads or writes, and the session to which it belongs.
 *
 * @param session the session of a ticket or read context; {@link #NO_SESSION} for calls to the
 *     engine outside the transaction protocol
 * @param transaction the number of the transaction
 */
public record Position(long session, long transaction) {
  /** The session of calls outside the transaction protocol. */
  public static final long NO_SESSION = 0;

  /** Returns whether the call does not belong to a session of the transaction protocol. */
  public boolean isDirect() {
    return session == NO_SESSION;
  }
}
