package io.skerry.iod.shipper;

import io.skerry.iod.shipper.option.Patience;
import io.skerry.iod.shipper.option.Placement;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The clients that have left, as known to I/O rank 0, and the clients that were given up. Not
 * thread-safe.
 */
final class Attendance {
  private final Placement placement;
  private final Patience patience;
  private final Set<Integer> left = new HashSet<>();
  private final Set<Integer> lost = new HashSet<>();
  private long lastLeft;

  Attendance(Placement placement, Patience patience) {
    this.placement = placement;
    this.patience = patience;
  }

  /** Notes that a client has left; returns whether it was the last one. */
  boolean left(int client) {
    lastLeft = System.nanoTime();
    left.add(client);
    return left.size() == placement.clients();
  }

  /** Notes that a client is given up; returns false if it already was. */
  boolean lost(int client) {
    return lost.add(client);
  }

  boolean isLost(int client) {
    return lost.contains(client);
  }

  /**
   * Checks that the remaining clients leave within the patience after the last departure.
   *
   * @throws ShipperException if clients have not left in time
   */
  void requireFollowers() {
    if (left.isEmpty() || !patience.isExceededSince(lastLeft)) {
      return;
    }
    Set<Integer> missing =
        IntStream.range(0, placement.clients())
            .filter(client -> !left.contains(client))
            .mapToObj(placement::rankOfClient)
            .collect(Collectors.toCollection(TreeSet::new));
    throw new ShipperException(
        missing.iterator().next(),
        "other ranks have left the container, but not these within "
            + patience.text()
            + ": ranks="
            + missing);
  }
}
