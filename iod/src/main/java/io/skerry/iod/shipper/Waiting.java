package io.skerry.iod.shipper;

import io.skerry.iod.shipper.option.Patience;
import io.skerry.iod.shipper.wire.Failure;
import io.skerry.mpi.MpiException;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Waits for the operations of a client, and gives up those that take too long. */
final class Waiting {
  private final Postbox postbox;
  private final Lanes lanes;
  private final Asks asks;
  private final Patience patience;
  private final BooleanSupplier advance;
  private final Consumer<Failure> onLoss;

  /**
   * Creates an object that has no state of its own.
   *
   * @param advance advances transfers, and returns whether any has advanced
   * @param onLoss ends all operations of the client after the loss of an I/O rank
   */
  Waiting(
      Postbox postbox,
      Lanes lanes,
      Asks asks,
      Patience patience,
      BooleanSupplier advance,
      Consumer<Failure> onLoss) {
    this.postbox = postbox;
    this.lanes = lanes;
    this.asks = asks;
    this.patience = patience;
    this.advance = advance;
    this.onLoss = onLoss;
  }

  /**
   * Waits until a condition on an operation holds. The condition must hold when the operation and
   * its transfers have ended, if not before.
   *
   * @throws ShipperException.HoldsMemory if a transfer does not end after the operation has failed
   */
  void until(Pending<?> pending, BooleanSupplier condition) {
    OptionalLong end = OptionalLong.empty();
    while (!condition.getAsBoolean()) {
      postbox.idle(advanced(pending));
      if (!pending.isDone()) {
        if (!condition.getAsBoolean() && isOverdue(pending)) {
          giveUp(pending);
        }
      } else if (end.isEmpty()) {
        // Other ranks that know of the failure are waiting for this one, so the patience is
        // shorter.
        end = OptionalLong.of(System.nanoTime());
      } else if (!condition.getAsBoolean() && patience.shorter().isExceededSince(end.getAsLong())) {
        throw held(
            pending,
            "has not ended within " + patience.shorter().text(),
            pending.failure().orElseGet(() -> new IllegalStateException("no failure")));
      }
    }
  }

  private boolean advanced(Pending<?> pending) {
    try {
      return advance.getAsBoolean();
    } catch (MpiException e) {
      if (pending.isMemoryFree()) {
        throw e;
      }
      throw held(pending, "is in progress", e);
    }
  }

  private static ShipperException held(Pending<?> pending, String state, RuntimeException cause) {
    return new ShipperException.HoldsMemory(
        pending.rank(),
        "a transfer from or into the memory of "
            + pending.what()
            + " "
            + state
            + ", after the failure: "
            + cause.getMessage(),
        cause);
  }

  private boolean isOverdue(Pending<?> pending) {
    // A busy I/O rank that answers other calls of this client is not lost.
    return patience.isExceededSince(pending.since()) && lanes.isSilent(pending.rank(), patience);
  }

  private void giveUp(Pending<?> pending) {
    ShipperException late =
        new ShipperException(
            pending.rank(), "no result of " + pending.what() + " within " + patience.text());
    if (lanes.contains(pending)) {
      onLoss.accept(Failures.of(postbox.rank(), late));
    } else {
      // A request may wait for other clients, so the I/O rank need not be lost.
      asks.giveUp(pending);
      pending.fail(late);
    }
  }
}
