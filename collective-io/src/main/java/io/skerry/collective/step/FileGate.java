package io.skerry.collective.step;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.internal.concurrent.StripedUseCount;
import io.skerry.parallel.Operation;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Defines which operations of one rank may run concurrently on an open file. There are three kinds
 * of access:
 *
 * <ul>
 *   <li>{@link #collectively}: operations in which all ranks take part. With several ranks, they
 *       run in the thread that opened the file. With a single rank, any thread may run them, one at
 *       a time.
 *   <li>{@link #exclusively}: operations that involve no other rank, but read or change the state
 *       that collective operations change (object headers, links, free space). Any thread may run
 *       them, one at a time, and never during a collective operation on this rank.
 *   <li>{@link #enter} and {@link #leave}: reads and writes of elements, which have their own
 *       synchronization. Any number of threads may run them at any time, without a lock; only
 *       closing waits for them.
 * </ul>
 *
 * <p>The first two kinds share one reentrant lock. This lock precedes all other locks of the file:
 * a thread that holds it may wait for another lock, but a thread that has entered the file, or that
 * holds another lock, must not request it. Otherwise, closing the file from within a collective
 * operation could deadlock; the file is closed in this way when the ranks detect that they have
 * called different operations. For the same reason, a thread that has entered the file must not
 * wait for anything that a collective operation of several ranks holds while it waits for other
 * ranks. An independent read or write therefore obtains its ticket in the request order, or its
 * lock, before it enters the file.
 */
public final class FileGate {
  private final String file;
  private final OwnerThread owner;
  private final ReentrantLock lock;
  private final StripedUseCount entered = new StripedUseCount();

  /** Guarded by the lock. */
  private boolean closed;

  private FileGate(OwnerThread owner, ReentrantLock lock) {
    this.file = owner.file();
    this.owner = owner;
    this.lock = lock;
  }

  /**
   * Creates the gate of a file.
   *
   * @param owner the thread that runs the collective operations
   */
  public FileGate(OwnerThread owner) {
    this(owner, new ReentrantLock());
  }

  /**
   * Returns a gate for another file that shares this gate's lock, since operations on one file may
   * access the other.
   *
   * @param other the thread that runs the collective operations of the other file
   */
  public FileGate sharedWith(OwnerThread other) {
    return new FileGate(other, lock);
  }

  /**
   * Runs a collective operation.
   *
   * @throws IllegalStateException if the calling thread may not begin collective operations, or if
   *     the file is closed; in both cases, nothing has been sent to other ranks
   */
  public <T> T collectively(Operation operation, String subject, Supplier<T> body) {
    owner.require(operation, subject);
    return exclusively(body);
  }

  /** Runs a collective operation without a result. */
  public void collectively(Operation operation, String subject, Runnable body) {
    owner.require(operation, subject);
    exclusively(body);
  }

  /**
   * Runs an action, excluding all collective operations on this rank. The name of the file is added
   * to exceptions about its content. Local.
   *
   * @throws IllegalStateException if the file is closed, unless this thread holds the lock already
   */
  public <T> T exclusively(Supplier<T> body) {
    lock.lock();
    try {
      checkOpen();
      return body.get();
    } catch (FormatException e) {
      throw e.inFile(file);
    } catch (UnsupportedFeatureException e) {
      throw e.inFile(file);
    } catch (RuntimeException e) {
      throw ended(e);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the given failure of an action.
   *
   * @throws Error if the action is not nested in another one, and an error of this rank caused the
   *     failure
   */
  private RuntimeException ended(RuntimeException failure) {
    return lock.getHoldCount() > 1 ? failure : LocalStatus.thrown(failure);
  }

  private void checkOpen() {
    if (closed && lock.getHoldCount() == 1) {
      throw isClosed();
    }
  }

  /** Runs an action without a result, excluding all collective operations. Local. */
  public void exclusively(Runnable body) {
    boolean unused =
        exclusively(() -> {
          body.run();
          return true;
        });
  }

  /**
   * Runs a collective operation that requires exclusive access to two files. Two threads that lock
   * the same files in opposite orders do not deadlock: a thread that cannot lock its second file
   * releases the first, and starts again with the second.
   *
   * @throws IllegalStateException if the calling thread may not begin collective operations, or if
   *     a file is closed; in both cases, nothing has been sent to other ranks
   */
  public static <T> T collectively(
      Operation operation, String subject, FileGate one, FileGate other, Supplier<T> body) {
    one.owner.require(operation, subject);
    other.owner.require(operation, subject);
    FileGate first = one;
    FileGate second = other;
    while (true) {
      first.lock.lock();
      try {
        first.checkOpen();
        if (second.lock.tryLock()) {
          try {
            second.checkOpen();
            return body.get();
          } finally {
            second.lock.unlock();
          }
        }
      } catch (RuntimeException e) {
        throw first.ended(e);
      } finally {
        first.lock.unlock();
      }
      FileGate busy = second;
      second = first;
      first = busy;
    }
  }

  /**
   * Enters the file, together with any number of other threads. The caller must {@link #leave} it
   * in a {@code finally} block. Acquires no lock and allocates no memory. Local.
   *
   * @throws IllegalStateException if the file is closed or closing
   */
  public void enter() {
    if (!entered.enter()) {
      throw isClosed();
    }
  }

  /** Leaves the file. Must be called by the thread that has entered. Local. */
  public void leave() {
    entered.leave();
  }

  /** Returns the thread that runs the collective operations. */
  public OwnerThread owner() {
    return owner;
  }

  /** Returns the exception for a call on a closed file. */
  public IllegalStateException isClosed() {
    return new IllegalStateException("the file is closed: file=" + file);
  }

  /**
   * Closes the file. Waits until no other thread holds the lock, runs the first step, waits until
   * all threads that have entered have left, and runs the remaining steps. No thread can enter once
   * the first step has succeeded. A second call waits for the first. Local; a thread that has
   * entered must not call it.
   *
   * @param beginning the first step; if it fails, the file remains open
   * @param last the remaining steps; not run if {@link #closeWithin} has closed the file in the
   *     meantime
   */
  public void close(Runnable beginning, Runnable last) {
    lock.lock();
    try {
      if (!closed) {
        beginning.run();
        closeThis(last);
      }
    } catch (RuntimeException e) {
      throw ended(e);
    } finally {
      lock.unlock();
    }
  }

  private void closeThis(Runnable last) {
    entered.close();
    try {
      if (!closed) {
        last.run();
      }
    } finally {
      closed = true;
    }
  }

  /**
   * Closes the file from within an operation that holds the lock. Like {@link #close}, this method
   * waits for the threads that have entered.
   */
  public void closeWithin() {
    entered.close();
    closed = true;
  }
}
