package io.skerry.collective.step;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.internal.concurrent.StripedUseCount;
import io.skerry.parallel.Operation;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Who may be inside an open file at the same time, on one rank. There are three ways in:
 *
 * <ul>
 *   <li>{@link #collectively}: operations that all ranks take part in. With several ranks they
 *       belong to the thread that opened the file; a rank that is alone lets in any thread, one
 *       after the other.
 *   <li>{@link #exclusively}: whatever looks at what those operations change, or changes it, and
 *       needs no other rank: object headers, links, free space. Any thread, one after the other,
 *       and never during a collective operation of this rank.
 *   <li>{@link #enter} and {@link #leave}: reading and writing elements, which guard themselves.
 *       Any number of threads at any time, without a lock; only closing waits for them.
 * </ul>
 *
 * <p>The first two are one lock, which a thread may take again while it has it. It comes before all
 * other locks of the file: who has it may wait for anything inside, who has entered or holds
 * anything else must not ask for it. Else the file could not be closed from within a collective
 * operation, as it is when the ranks find that they took different paths. For the same reason who
 * has entered must not wait for anything that a collective operation of several ranks holds while
 * it waits for other ranks: who reads independently gets his ticket or lock first and enters then.
 */
public final class FileGate {
  private final String file;
  private final OwnerThread owner;
  private final ReentrantLock lock;
  private final StripedUseCount visitors = new StripedUseCount();

  /** Guarded by the lock. */
  private boolean closed;

  private FileGate(OwnerThread owner, ReentrantLock lock) {
    this.file = owner.file();
    this.owner = owner;
    this.lock = lock;
  }

  /**
   * @param owner whose collective operations are
   */
  public FileGate(OwnerThread owner) {
    this(owner, new ReentrantLock());
  }

  /**
   * That of another file with the same lock: operations lead from one to the other.
   *
   * @param other whose collective operations in the other file are
   */
  public FileGate sharedWith(OwnerThread other) {
    return new FileGate(other, lock);
  }

  /**
   * Takes part in a collective operation.
   *
   * @throws IllegalStateException if it belongs to another thread; no other rank notices
   */
  public <T> T collectively(Operation operation, String subject, Supplier<T> body) {
    owner.require(operation, subject);
    return exclusively(body);
  }

  /** The same without result. */
  public void collectively(Operation operation, String subject, Runnable body) {
    owner.require(operation, subject);
    exclusively(body);
  }

  /**
   * Does something that none of the collective operations may meet. Errors about the content of the
   * file name it. Local.
   *
   * @throws IllegalStateException if the file is closed, unless this thread is inside already
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
    } finally {
      lock.unlock();
    }
  }

  private void checkOpen() {
    if (closed && lock.getHoldCount() == 1) {
      throw isClosed();
    }
  }

  /** The same without result. Local. */
  public void exclusively(Runnable body) {
    boolean unused =
        exclusively(() -> {
          body.run();
          return true;
        });
  }

  /**
   * Takes part in a collective operation that needs two files for itself. Two threads that do so
   * with the same files in other orders do not wait for each other for ever: who has one file and
   * cannot have the other lets go of both.
   *
   * @throws IllegalStateException if it belongs to another thread; no other rank notices
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
      } finally {
        first.lock.unlock();
      }
      FileGate busy = second;
      second = first;
      first = busy;
    }
  }

  /**
   * Comes in beside others, to {@link #leave} in a {@code finally}. No lock, no allocation. Local.
   *
   * @throws IllegalStateException if the file is closed, or about to be
   */
  public void enter() {
    if (!visitors.enter()) {
      throw isClosed();
    }
  }

  /** Goes out again, on the thread that came in. Local. */
  public void leave() {
    visitors.leave();
  }

  /** Whose collective operations are. */
  public OwnerThread owner() {
    return owner;
  }

  /** What to throw at whoever comes too late. */
  public IllegalStateException isClosed() {
    return new IllegalStateException("the file is closed: file=" + file);
  }

  /**
   * Closes the file when all threads that have entered are out and no other thread is inside. No
   * thread gets in any more. Local; not for a thread that has entered. A second call waits for the
   * first one.
   *
   * @param beginning the first step; if it fails, the file stays open
   * @param last the work of closing
   */
  public void close(Runnable beginning, Runnable last) {
    lock.lock();
    try {
      if (!closed) {
        beginning.run();
        closeThis(last);
      }
    } finally {
      lock.unlock();
    }
  }

  private void closeThis(Runnable last) {
    visitors.close();
    try {
      if (!closed) {
        last.run();
      }
    } finally {
      closed = true;
    }
  }

  /** Closes the file from within an operation that has it for itself, as {@link #close} does. */
  public void closeWithin() {
    visitors.close();
    closed = true;
  }
}
