package io.skerry.collective;

import io.skerry.mpi.Visitors;
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
 * operation, as it is when the ranks find that they took different paths.
 */
public final class FileGate {
  private final String file;
  private final OwnerThread owner;
  private final ReentrantLock lock = new ReentrantLock();
  private final Visitors visitors = new Visitors();

  /**
   * @param owner whose collective operations are
   */
  FileGate(OwnerThread owner) {
    this.file = owner.file();
    this.owner = owner;
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

  /** Does something that none of the collective operations may meet. Local. */
  public <T> T exclusively(Supplier<T> body) {
    lock.lock();
    try {
      return body.get();
    } finally {
      lock.unlock();
    }
  }

  /** The same without result. Local. */
  public void exclusively(Runnable body) {
    lock.lock();
    try {
      body.run();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Comes in beside others, to {@link #leave} in a {@code finally}. No lock, no allocation. Local.
   *
   * @throws IllegalStateException if the file is closed, or about to be
   */
  public void enter() {
    if (!visitors.enter()) {
      throw closed();
    }
  }

  /** Goes out again, on the thread that came in. Local. */
  public void leave() {
    visitors.leave();
  }

  /** Whose collective operations are. */
  OwnerThread owner() {
    return owner;
  }

  /** What to throw at whoever comes too late. */
  IllegalStateException closed() {
    return new IllegalStateException("the file is closed: file=" + file);
  }

  /**
   * Lets nobody enter any more and waits until all who did are out. Local; not for a thread that
   * has entered.
   */
  void closeAfterAll() {
    visitors.close();
  }
}
