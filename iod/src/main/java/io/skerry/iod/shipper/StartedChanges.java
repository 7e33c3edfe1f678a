package io.skerry.iod.shipper;

import io.skerry.iod.shipper.wire.Position;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.Ticket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The changes of a client in open transactions. A transaction is finished or aborted only after its
 * changes have ended, and cannot be finished if one has failed. Changes that have ended without a
 * failure may be forgotten. Not thread-safe.
 */
final class StartedChanges {
  private final Map<Position, List<Pending<?>>> changes = new HashMap<>();

  /**
   * Adds a change of a transaction, unless it is the last one that was added to the transaction. A
   * change without a transaction is not added.
   *
   * @return the change
   */
  <P extends Pending<?>> P add(Position at, P pending) {
    if (at.isDirect()) {
      return pending;
    }
    if (!changes.containsKey(at)) {
      // Another client may have finished the earlier transactions.
      changes.values().removeIf(list -> list.stream().noneMatch(StartedChanges::matters));
    }
    List<Pending<?>> open = changes.computeIfAbsent(at, _ -> new ArrayList<>());
    if (open.isEmpty() || !open.getLast().equals(pending)) {
      if (Integer.bitCount(open.size()) == 1) {
        open.removeIf(each -> !matters(each));
      }
      open.add(pending);
    }
    return pending;
  }

  /** Returns whether a change may still prevent its transaction from being finished. */
  private static boolean matters(Pending<?> change) {
    return !change.isDone() || change.failure().isPresent();
  }

  /** Removes the changes that must end before a request is sent, and returns them. */
  List<Pending<?>> takeBefore(Request request) {
    Optional<Ticket> ended =
        switch (request) {
          case Request.Finish finish -> Optional.of(finish.ticket());
          case Request.Abort abort -> Optional.of(abort.ticket());
          default -> Optional.empty();
        };
    return ended
        .map(ticket -> new Position(ticket.session(), ticket.number()))
        .flatMap(at -> Optional.ofNullable(changes.remove(at)))
        .map(List::copyOf)
        .orElse(List.of());
  }
}
