package io.skerry.mpi;

/**
 * The order of the collective calls of one communicator. Ranks compare the identity of a call when
 * they begin it, in one all-reduce of a vector of fixed length, before any of them does something
 * that only the same call of the other ranks can complete. All files that a program opens on a
 * communicator use the order of that communicator, so that calls on different files are compared
 * too.
 *
 * <p>A rank that waits for the others longer than {@code -Dskerry.patience} seconds (300 by
 * default, 0 without limit) ends the job with the positions of the ranks on standard error. Ranks
 * that are threads get an {@link MpiException} of class {@link MpiErrorClass#TIMEOUT} instead.
 */
public interface CallOrder extends AutoCloseable {
  /** The greatest number of words of a call. */
  int MOST_WORDS = 8;

  /**
   * Begins a call and returns when all ranks have begun the same call. Collective.
   *
   * @param call the call of this rank
   * @param words at most {@link #MOST_WORDS} numbers, the same count on all ranks that begin the
   *     same call
   * @return the maximum of each word over the ranks
   * @throws CallMismatchException on every rank if the ranks have begun different calls, or a rank
   *     has ended MPI; nothing but the comparison was sent
   * @throws MpiException of class {@link MpiErrorClass#TIMEOUT} if ranks are threads and one of
   *     them has not begun the call in time
   */
  long[] begin(Call call, long... words);

  /**
   * Agrees within a call that all ranks have begun, and detects ranks that have left it. Waits
   * without limit, since the work of a call may take long. Collective.
   *
   * @param call the call of this rank
   * @param words at most {@link #MOST_WORDS} numbers, the same count on all ranks
   * @return the maximum of each word over the ranks
   * @throws CallMismatchException on every rank if one of them begins another call
   */
  long[] agree(Call call, long... words);

  /**
   * Returns another use of this order, which the caller must close. Local, thread-safe; does not
   * fail.
   */
  CallOrder another();

  /**
   * Releases this use of the order. The communicator is freed when its owner has closed it and no
   * use is left. Collective if the communicator is closed, otherwise local.
   *
   * @throws MpiException if the communicator cannot be freed
   */
  @Override
  void close();

  /**
   * A collective call, as ranks compare it when they begin it (see {@link CallOrder}). The object
   * is not compared, because a layer above may allow ranks to begin the same operation on different
   * objects; it compares objects by words of its own.
   *
   * @param operation the name of the call, such as {@code WRITE}
   * @param object the path of the object of the call, for messages; empty if the call concerns the
   *     whole group
   * @param group the name of the file or communicator to which the call belongs
   * @param instance distinguishes groups of the same name, such as two openings of one file; not
   *     part of messages
   * @param kind the effect of the call on later calls
   */
  record Call(String operation, String object, String group, String instance, Kind kind) {

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
    public static Call of(String operation, String object, String group) {
      return new Call(operation, object, group, "", Kind.ORDINARY);
    }

    /** Returns this call as seen from inside it: for ranks that have all begun it. */
    public Call inside() {
      return new Call(operation, object, group, instance, Kind.INSIDE);
    }

    /** Returns the call by which a rank ends MPI. */
    static Call leaving() {
      return new Call("end of MPI", "", "", "", Kind.LEAVING);
    }

    /** Returns the call for messages, such as {@code WRITE /b of m.h5}. */
    @Override
    public String toString() {
      return operation
          + (object.isEmpty() ? "" : " " + object)
          + (group.isEmpty() ? "" : " of " + group);
    }
  }
}
