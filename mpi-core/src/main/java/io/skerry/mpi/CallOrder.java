package io.skerry.mpi;

import java.util.function.BooleanSupplier;

/**
 * Checks that all ranks of a communicator begin the same collective calls in the same order. When
 * ranks begin a call, they first compare its identity, in one all-reduce of a vector of fixed
 * length. No rank therefore starts work that the other ranks, in a different call, would never
 * complete. Files that a higher layer opens on a communicator share its call order, so calls on
 * different files are compared too.
 *
 * <p>If a rank waits in {@link #begin} for the others longer than {@code -Dskerry.patience} seconds
 * (300 by default; 0 means no limit), the known calls of the ranks are printed to standard error,
 * and the job ends. Ranks of {@link LocalRanks} throw an {@link MpiException} of class {@link
 * MpiErrorClass#TIMEOUT} instead. A rank that ends MPI waits without a limit.
 *
 * <p>{@link #begin} and {@link #agree} also throw an exception that a {@linkplain #addWaitingAction
 * waiting action} has thrown and, among ranks of {@link LocalRanks}, a {@link
 * Schedule.InjectedFailure}. After any exception of these methods other than a {@link
 * CallMismatchException} or {@link MpiException}, the other ranks may wait for this rank.
 *
 * <p>An object of this interface is a handle to the call order of its communicator. It remains
 * usable after the communicator has been closed, until {@link #close} releases the handle.
 */
public interface CallOrder extends AutoCloseable {
  /** The maximum number of words (values of type {@code long}) that a rank can pass with a call. */
  int MOST_WORDS = 8;

  /**
   * Begins a call and returns when all ranks have begun the same call. Collective.
   *
   * @param call the call of this rank
   * @param words at most {@link #MOST_WORDS} numbers, the same count on all ranks that begin the
   *     same call; different counts are not detected
   * @return the maximum of each word over the ranks
   * @throws CallMismatchException on every rank if the ranks have begun different calls, or if a
   *     rank has ended MPI; the ranks have then exchanged no messages except those of the
   *     comparison. After a rank has ended MPI, each later call throws this exception at once.
   * @throws MpiException of class {@link MpiErrorClass#TIMEOUT} among ranks of {@link LocalRanks}
   *     if a rank has not begun the call in time; of class {@link MpiErrorClass#ABORTED} in other
   *     jobs if the time limit has expired and the process does not end; of a different class if
   *     the transport fails
   * @throws IllegalArgumentException if there are more than {@link #MOST_WORDS} words and several
   *     ranks
   * @throws IllegalStateException if this handle is released; if there are several ranks, also if
   *     the communicator belongs to another thread, or if this rank has ended MPI
   */
  long[] begin(Call call, long... words);

  /**
   * Exchanges words within a call that all ranks have begun, and detects ranks that have left the
   * call. Waits without a time limit, since the work of a call may take a long time. Collective.
   *
   * @param call the call of this rank
   * @param words at most {@link #MOST_WORDS} numbers, the same count on all ranks; different counts
   *     are not detected
   * @return the maximum of each word over the ranks
   * @throws CallMismatchException on every rank if a rank begins a different call or has ended MPI;
   *     after a rank has ended MPI, each later call throws this exception at once
   * @throws MpiException if the transport fails
   * @throws IllegalArgumentException if there are more than {@link #MOST_WORDS} words and several
   *     ranks
   * @throws IllegalStateException if this handle is released; if there are several ranks, also if
   *     the communicator belongs to another thread, or if this rank has ended MPI
   */
  long[] agree(Call call, long... words);

  /**
   * Adds an action that this rank runs repeatedly while it waits for other ranks in {@link #begin},
   * {@link #agree} or {@link Communicator#barrier}, so that a higher layer can meanwhile serve the
   * ranks that have not arrived. All handles of the call order share the actions. An action that is
   * added twice runs twice. If an action throws an exception, the waiting call throws it too.
   * Local; may be called only by the thread of the communicator, but does not check this.
   *
   * @param action the action, which returns whether it has done anything; must neither wait nor
   *     begin a call
   * @throws IllegalStateException if this handle is released
   */
  void addWaitingAction(BooleanSupplier action);

  /**
   * Removes an action that was added once; has no effect if the action was not added. Local; may be
   * called only by the thread of the communicator, but does not check this; does not fail, even if
   * this handle is released.
   *
   * @param action the object that was added
   */
  void removeWaitingAction(BooleanSupplier action);

  /**
   * Runs all actions once, for a higher layer that waits for other ranks by itself. An exception of
   * an action reaches the caller; the actions after it are then not run. Local; may be called only
   * by the thread of the communicator, but does not check this; possible even if this handle is
   * released; does not wait.
   *
   * @return whether an action has done anything
   */
  boolean runWaitingActions();

  /**
   * Returns another handle to the same call order, which the caller must close separately. Local,
   * thread-safe.
   *
   * @throws IllegalStateException if this handle is released
   */
  CallOrder another();

  /**
   * Releases this handle; a second call does nothing. A communicator that its owner has closed is
   * freed when the last handle to its call order is released, unless MPI has ended. Collective for
   * the last handle of a closed communicator, otherwise local, thread-safe.
   *
   * @throws IllegalStateException if this is the last handle of a closed communicator that belongs
   *     to another thread; the handle is then not released
   * @throws MpiException if the communicator cannot be freed; the handle is released nevertheless
   */
  @Override
  void close();

  /**
   * The identity of a collective call, which ranks compare when they begin the call (see {@link
   * CallOrder}). The object is not compared, because a higher layer may allow ranks to begin the
   * same operation on different objects. Such a layer compares the objects itself, using the words
   * that it passes to {@link CallOrder#begin}. Immutable. The constructor and all methods are local
   * and thread-safe; they do not fail.
   *
   * @param operation the name of the call, such as {@code WRITE}
   * @param object the path of the object that the call concerns, for error messages; empty if the
   *     call concerns the whole file or communicator
   * @param group the name of the file or communicator to which the call belongs
   * @param instance a text that distinguishes files or communicators of the same name, such as two
   *     openings of one file; not part of error messages
   * @param kind the effect of the call on later calls
   */
  record Call(String operation, String object, String group, String instance, Kind kind) {

    /** The effect of a call on later calls, in ascending order of severity. */
    public enum Kind {
      /** Later calls on the same file or communicator are possible. */
      ORDINARY,
      /**
       * An agreement inside a call that all ranks have begun and that no rank may leave before the
       * agreement.
       */
      INSIDE,
      /** No later call on the same file or communicator is possible. */
      CLOSING,
      /** The rank is finalizing MPI, so no later call on the communicator is possible. */
      LEAVING
    }

    /**
     * Returns a call of kind {@link Kind#ORDINARY}: its file or communicator can be used
     * afterwards. Local, thread-safe; does not fail.
     *
     * @param operation the name of the call, such as {@code WRITE}
     * @param object the path of the object that the call concerns; may be empty
     * @param group the name of the file or communicator to which the call belongs
     */
    public static Call of(String operation, String object, String group) {
      return new Call(operation, object, group, "", Kind.ORDINARY);
    }

    /**
     * Returns the identity of an agreement inside this call, which all ranks have begun. Local,
     * thread-safe; does not fail.
     */
    public Call inside() {
      return new Call(operation, object, group, instance, Kind.INSIDE);
    }

    /** Returns the call by which a rank ends MPI. Local, thread-safe; does not fail. */
    static Call leaving() {
      return new Call("end of MPI", "", "", "", Kind.LEAVING);
    }

    /** Returns the text of this call for error messages, such as {@code WRITE /b of m.h5}. */
    @Override
    public String toString() {
      return operation
          + (object.isEmpty() ? "" : " " + object)
          + (group.isEmpty() ? "" : " of " + group);
    }
  }
}
