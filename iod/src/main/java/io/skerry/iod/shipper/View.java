package io.skerry.iod.shipper;

import io.skerry.iod.shipper.wire.Position;
import io.skerry.iod.transaction.ReadContext;
import io.skerry.iod.transaction.Ticket;
import java.util.Optional;

/**
 * The rights of the user of a remote container.
 *
 * @param session the session of reads and changes
 * @param ticket the permission to write; empty if there is none
 * @param readable the transaction of the read context; empty if there is none
 */
record View(long session, Optional<Ticket> ticket, Optional<Long> readable) {
  /** Returns the view of the engine. */
  static View direct() {
    return new View(Position.NO_SESSION, Optional.empty(), Optional.empty());
  }

  static View reading(ReadContext context) {
    return new View(context.session(), Optional.empty(), Optional.of(context.transaction()));
  }

  static View changing(Ticket ticket) {
    return new View(ticket.session(), Optional.of(ticket), Optional.empty());
  }

  boolean isDirect() {
    return session == Position.NO_SESSION;
  }

  Position at(long transaction) {
    return new Position(session, transaction);
  }

  /** Returns the exception for an operation of the engine in the view of a session. */
  IllegalStateException refused(String operation) {
    return new IllegalStateException(
        "the leader of the transactions does this: operation=" + operation);
  }
}
