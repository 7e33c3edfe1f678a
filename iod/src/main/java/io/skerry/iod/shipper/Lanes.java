package io.skerry.iod.shipper;

import io.skerry.iod.shipper.option.Patience;
import io.skerry.iod.shipper.option.ShipperOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The lanes of a client, one for each I/O rank that it has called. Not thread-safe. */
final class Lanes {
  private final ShipperClient client;
  private final Postbox postbox;
  private final ShipperOptions options;
  private final Map<Integer, Lane> lanes = new HashMap<>();

  Lanes(ShipperClient client, Postbox postbox, ShipperOptions options) {
    this.client = client;
    this.postbox = postbox;
    this.options = options;
  }

  /** Returns the lane to a rank. */
  Lane to(int rank) {
    return lanes.computeIfAbsent(rank, _ -> new Lane(client, postbox, rank, options));
  }

  /** Queues the batches of small changes. */
  void seal() {
    lanes.values().forEach(Lane::seal);
  }

  /** Sends calls while the windows have room. */
  void pump() {
    lanes.values().forEach(Lane::pump);
  }

  /** Returns any call that has not ended; empty if there is none. */
  Optional<Pending<?>> anyOpen() {
    return lanes.values().stream().flatMap(lane -> lane.open().stream()).findFirst();
  }

  /** Returns whether an operation is a call that has not ended. */
  boolean contains(Pending<?> pending) {
    return Optional.ofNullable(lanes.get(pending.rank()))
        .filter(lane -> lane.open().contains(pending))
        .isPresent();
  }

  /** Returns whether a rank has sent no result for longer than the patience. */
  boolean isSilent(int rank, Patience patience) {
    return Optional.ofNullable(lanes.get(rank))
        .filter(lane -> !patience.isExceededSince(lane.lastResult()))
        .isEmpty();
  }

  /** Removes a call that has not been sent; returns whether there was one. */
  boolean withdraw(Pending<?> pending) {
    return lanes.values().stream().anyMatch(lane -> lane.withdraw(pending));
  }

  /** Ends all calls with a failure. */
  void fail(RuntimeException failure) {
    lanes.values().forEach(lane -> lane.fail(failure));
  }

  /** Returns the largest number of calls to one rank that have been awaiting results at once. */
  int mostSent() {
    return lanes.values().stream().mapToInt(Lane::mostSent).max().orElse(0);
  }

  /**
   * Returns the largest total size, in bytes, of the values of calls to one rank awaiting results.
   */
  long mostBytes() {
    return lanes.values().stream().mapToLong(Lane::mostBytes).max().orElse(0);
  }
}
