package io.skerry.mpi;

import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Thrown if ranks have begun different collective calls. All ranks of the communicator throw it for
 * the same calls, so all can continue with their next call, unless a rank has ended MPI.
 */
public final class CallMismatchException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final TreeMap<Integer, String> positions;
  private final Extent extent;
  private final CallOrder.Call.Kind gravest;

  /** Common property of the different calls. */
  public enum Extent {
    /** All belong to one group. */
    ONE_GROUP,
    /** They belong to several groups. */
    SEVERAL_GROUPS
  }

  /**
   * Creates the exception of one rank. Local, thread-safe; does not fail.
   *
   * @param positions the calls of some or all ranks, as text, by rank
   * @param extent the groups to which the calls belong
   * @param gravest the kind with the greatest effect among the calls of all ranks
   */
  public CallMismatchException(
      SortedMap<Integer, String> positions, Extent extent, CallOrder.Call.Kind gravest) {
    super("ranks are in different collective operations (" + text(positions) + ")");
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
   * Returns an equal exception, to be thrown at a later call. Local, thread-safe; does not fail.
   */
  public CallMismatchException again() {
    return new CallMismatchException(positions, extent, gravest);
  }

  /** The positions of the ranks, as text. Local, thread-safe; does not fail. */
  public String text() {
    return "ranks are in different collective operations (" + text(positions) + ")";
  }

  /**
   * The ranks whose position differs from that of the lowest rank, ascending; never empty. Local,
   * thread-safe; does not fail.
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
   * Number of groups to which the calls belong: one or several. Local, thread-safe; does not fail.
   */
  public Extent extent() {
    return extent;
  }

  /**
   * The kind with the greatest effect among the calls of all ranks. Local, thread-safe; does not
   * fail.
   */
  public CallOrder.Call.Kind gravest() {
    return gravest;
  }
}
