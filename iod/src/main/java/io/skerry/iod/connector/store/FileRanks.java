package io.skerry.iod.connector.store;

import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.step.OwnerThread;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The ranks that have a file open together, and their agreements. Each agreement is an all-reduce
 * of the call order of the communicator with which the file was opened; a rank that waits in it
 * serves the others. Unless there is only one rank, only the thread that opened the file may call
 * the methods.
 */
public final class FileRanks implements AutoCloseable {
  private final Communicator communicator;
  private final CollectiveOutcome outcome;
  private final Watchdog watchdog;

  /** The failure of the last agreement within the current operation; it is common to all ranks. */
  private Optional<RuntimeException> agreed = Optional.empty();

  private FileRanks(Communicator communicator, CollectiveOutcome outcome, Watchdog watchdog) {
    this.communicator = communicator;
    this.outcome = outcome;
    this.watchdog = watchdog;
  }

  /**
   * Begins to open a file. The operation ends with {@link #leave}. Collective.
   *
   * @param world the ranks
   * @param operation the operation
   * @param file the path of the file, for messages
   * @param arguments a text that must be equal on all ranks
   * @throws CollectiveException on all ranks if they open different files, or the arguments differ
   */
  public static FileRanks open(
      Communicator world, Operation operation, String file, String arguments) {
    return open(world, world.callOrder(), operation, file, arguments);
  }

  /**
   * Begins to open another file on the same ranks, as {@link #open} does. Collective.
   *
   * @param operation the operation
   * @param file the path of the file, for messages
   * @throws CollectiveException on all ranks if they open different files
   */
  FileRanks again(Operation operation, String file) {
    return open(communicator, outcome.order().another(), operation, file, file);
  }

  private static FileRanks open(
      Communicator world, CallOrder order, Operation operation, String file, String arguments) {
    Watchdog watchdog = new Watchdog(world.rank(), System.err);
    boolean hasBegun = false;
    try {
      CollectiveOutcome beginning = new CollectiveOutcome(order, world, watchdog, file);
      beginning.enter(operation, "", arguments, new LocalStatus());
      // A communicator of one rank may be used by any thread, if it uses no MPI library.
      Communicator own = world.size() == 1 ? Communicator.self() : world.duplicate();
      hasBegun = true;
      return new FileRanks(own, beginning.movedTo(own), watchdog);
    } finally {
      if (!hasBegun) {
        watchdog.close();
        order.close();
      }
    }
  }

  /** Returns the communicator that only this file uses. Does not fail. */
  public Communicator communicator() {
    return communicator;
  }

  CollectiveOutcome outcome() {
    return outcome;
  }

  /**
   * Runs an operation of a single rank.
   *
   * @throws CollectiveException if it fails
   */
  public <T> T alone(Operation operation, String subject, Callable<T> body) {
    LocalStatus status = new LocalStatus();
    Optional<T> result = status.attempt(() -> Optional.of(body.call()), Optional.empty());
    if (status.failure().isPresent()) {
      throw LocalStatus.thrown(outcome.failedAlone(operation, subject, status.failure().get()));
    }
    return result.orElseThrow();
  }

  /** Returns whether several ranks have the file open. Does not fail. */
  public boolean areSeveral() {
    return communicator.size() > 1;
  }

  /**
   * Checks that the calling thread may use the container.
   *
   * @param use the use, for the message
   * @throws IllegalStateException if several ranks have the file open, and another thread of this
   *     rank opened it
   */
  void requireOwner(String use) {
    OwnerThread owner = outcome.owner();
    Thread caller = Thread.currentThread();
    if (owner.thread().filter(opener -> !opener.equals(caller)).isPresent()) {
      throw new IllegalStateException(
          "if several ranks have a container open, only the thread that opened it may use it: use="
              + use
              + " file="
              + owner.file()
              + " expected="
              + owner.thread().get().getName()
              + " actual="
              + caller.getName());
    }
  }

  /** Returns whether this is rank 0, which changes the metadata. Does not fail. */
  public boolean isFirst() {
    return communicator.rank() == 0;
  }

  /**
   * Begins an operation. Collective.
   *
   * @param arguments a text that must be equal on all ranks
   * @param status the failures of this rank before the operation
   * @throws CollectiveException on all ranks if a rank has failed, or the ranks begin different
   *     operations or pass different arguments; the operation has not begun
   */
  void enter(Operation operation, String subject, String arguments, LocalStatus status) {
    agreed = Optional.empty();
    outcome.enter(operation, subject, arguments, status);
  }

  /** Ends the operation. Local. */
  public void leave() {
    outcome.leave();
  }

  /**
   * Checks within an operation that no rank has failed. A rank waits until all have called the
   * method, and serves them meanwhile. When it returns, all ranks are about to begin the same next
   * step, and no rank waits for an I/O rank. Collective.
   *
   * @param status the failures of this rank
   * @param words up to {@value CollectiveOutcome#WORDS} numbers
   * @return the maximum of each number among the ranks
   * @throws CollectiveException on all ranks if one has failed, or has left the operation
   */
  public long[] agree(LocalStatus status, long... words) {
    try {
      return outcome.agree(status, words);
    } catch (CollectiveException e) {
      agreed = Optional.of(e);
      throw e;
    }
  }

  /**
   * Exchanges numbers within an operation as {@link #agree} does. If there is only one rank, its
   * failure is thrown as it is. Collective.
   *
   * @param status the failures of this rank
   * @param words up to {@value CollectiveOutcome#WORDS} numbers
   * @return the maximum of each number among the ranks
   * @throws CollectiveException on all ranks if there are several and one has failed
   */
  long[] exchange(LocalStatus status, long... words) {
    if (areSeveral()) {
      return agree(status, words);
    }
    status.throwFailure();
    return words;
  }

  /**
   * Checks that no rank has failed, as {@link #agree} does. If there is only one rank, its failure
   * is thrown as it is. Collective.
   *
   * @throws CollectiveException on all ranks if there are several and one has failed
   */
  public void requireGood(LocalStatus status) {
    if (areSeveral()) {
      var unused = agree(status);
    } else {
      status.throwFailure();
    }
  }

  /**
   * Checks at the end of a step that no rank has failed in it, unless the ranks have agreed on a
   * failure within the step. Collective.
   *
   * @throws CollectiveException on all ranks if one has failed
   */
  void conclude(LocalStatus status) {
    if (agreed.isPresent()) {
      throw agreed.get();
    }
    var unused = agree(status);
  }

  /** Frees the communicator and the call order. A second call does nothing. Collective. */
  @Override
  public void close() {
    watchdog.close();
    try (var _ = outcome.order()) {
      communicator.close();
    }
  }
}
