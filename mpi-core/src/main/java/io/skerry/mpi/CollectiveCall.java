package io.skerry.mpi;

/**
 * A collective call, as ranks compare it when they begin it (see {@link CallOrder}). The object is
 * not compared, because a layer above may allow ranks to begin the same operation on different
 * objects; it compares objects by words of its own.
 *
 * @param operation the name of the call, such as {@code WRITE}
 * @param object the path of the object of the call, for messages; empty if the call concerns the
 *     whole group
 * @param group the name of the file or communicator to which the call belongs
 * @param instance distinguishes groups of the same name, such as two openings of one file; not part
 *     of messages
 * @param kind the effect of the call on later calls
 */
public record CollectiveCall(
    String operation, String object, String group, String instance, Kind kind) {

  /** Effect of a call on later calls, ascending. */
  public enum Kind {
    /** Later calls of the group are possible. */
    ORDINARY,
    /** A rank is inside the call, which the other ranks must not leave. */
    INSIDE,
    /** No later call of the group is possible. */
    CLOSING,
    /** No later call of the communicator is possible: the rank ends MPI. */
    LEAVING
  }

  /** Returns a call after which the group can be used. */
  public static CollectiveCall of(String operation, String object, String group) {
    return new CollectiveCall(operation, object, group, "", Kind.ORDINARY);
  }

  /** Returns this call as seen from inside it: for ranks that have all begun it. */
  public CollectiveCall inside() {
    return new CollectiveCall(operation, object, group, instance, Kind.INSIDE);
  }

  /** Returns the call by which a rank ends MPI. */
  static CollectiveCall leaving() {
    return new CollectiveCall("end of MPI", "", "", "", Kind.LEAVING);
  }

  /** Returns the call for messages, such as {@code WRITE /b of m.h5}. */
  @Override
  public String toString() {
    return operation
        + (object.isEmpty() ? "" : " " + object)
        + (group.isEmpty() ? "" : " of " + group);
  }
}
