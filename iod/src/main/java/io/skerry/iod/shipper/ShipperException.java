package io.skerry.iod.shipper;

import io.skerry.chunk.text.PrintableText;
import io.skerry.iod.engine.Changes;

/**
 * Thrown if a rank has failed, is lost, or does not answer. After the failure of an I/O rank, every
 * later request of every client of the container throws this exception; the container can only be
 * closed.
 */
public class ShipperException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int rank;
  private final String reason;

  /**
   * Creates an exception.
   *
   * @param rank the rank that has failed, in the communicator of the container
   * @param reason the cause
   */
  public ShipperException(int rank, String reason) {
    super(
        PrintableText.message("a rank of the container failed: rank=" + rank + " cause=" + reason));
    this.rank = rank;
    this.reason = reason;
  }

  /**
   * Thrown if the transfer of a value has not ended within the patience after its operation has
   * failed. The transport may still read or write the memory of the value.
   */
  public static final class HoldsMemory extends ShipperException implements Changes.HoldsMemory {
    private static final long serialVersionUID = 1L;

    HoldsMemory(int rank, String reason, RuntimeException cause) {
      super(rank, reason);
      initCause(cause);
    }
  }

  /** Returns the rank that has failed, in the communicator of the container. */
  public int rank() {
    return rank;
  }

  /** Returns the cause. */
  public String reason() {
    return reason;
  }
}
