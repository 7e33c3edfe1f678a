package io.skerry.mpi;

import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Thrown if ranks have begun different collective calls. Each rank of the communicator throws this
 * exception in the call that it has begun, and can continue with its next call, unless a rank has
 * ended MPI. {@link Communicator#barrier} wraps the exception in an {@link MpiException}.
 */
public final class CallMismatchException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final TreeMap<Integer, String> positions;
  private final Extent extent;
  private final CallOrder.Call.Kind gravest;

  /** The number of groups (files or communicators) to which the different calls belong. */
  public enum Extent {
    /** All calls belong to the same file or communicator. */
    ONE_GROUP,
    /** The calls belong to several files or communicators, or a rank has ended MPI. */
    SEVERAL_GROUPS
  }

  /**
   * Creates the exception that one rank throws. Local, thread-safe.
   *
   * @param positions the descriptions of the calls of some or all ranks, keyed by rank; not empty
   * @param extent the number of groups (files or communicators) to which the calls belong
   * @param gravest the most severe kind among the calls of all ranks
   * @throws IllegalArgumentException if there is no description
   */
  public CallMismatchException(
      SortedMap<Integer, String> positions, Extent extent, CallOrder.Call.Kind gravest) {
    super("ranks are in different collective operations (" + text(positions) + ")");
    if (positions.isEmpty()) {
      throw new IllegalArgumentException("a mismatch needs the call of at least one rank");
    }
    this.positions = new TreeMap<>(positions);
    this.extent = extent;
    this.gravest = gravest;
  }

  private static String text(SortedMap<Integer, String> positions) {
    return positions.entrySet().stream()
        .map(each -> "rank " + each.getKey() + " " + each.getValue())
        .collect(Collectors.joining(", "));
  }

  /**
   * Returns a new exception with the same content, to be thrown by a later call. Local,
   * thread-safe; does not fail.
   */
  public CallMismatchException again() {
    return new CallMismatchException(positions, extent, gravest);
  }

  /**
   * Returns the message, which lists the calls of some or all ranks. Local, thread-safe; does not
   * fail.
   */
  public String text() {
    return "ranks are in different collective operations (" + text(positions) + ")";
  }

  /**
   * Returns, in ascending order, the listed ranks whose description differs from that of the lowest
   * listed rank. If all descriptions are equal, returns the lowest listed rank. Local, thread-safe;
   * does not fail.
   */
  public List<Integer> odd() {
    String first = positions.firstEntry().getValue();
    List<Integer> odd =
        positions.entrySet().stream()
            .filter(each -> !each.getValue().equals(first))
            .map(Map.Entry::getKey)
            .toList();
    return odd.isEmpty() ? List.of(positions.firstKey()) : odd;
  }

  /**
   * Returns the number of groups (files or communicators) to which the calls belong: one or
   * several. Local, thread-safe; does not fail.
   */
  public Extent extent() {
    return extent;
  }

  /**
   * Returns the most severe kind among the calls of all ranks. Local, thread-safe; does not fail.
   */
  public CallOrder.Call.Kind gravest() {
    return gravest;
  }
}
