package io.skerry.iod.connector.store;

import io.skerry.parallel.Operation;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the changes of links of an open file. Thread-safe; methods do not fail. */
public final class LinkChanges {
  private final AtomicLong all = new AtomicLong();
  private final AtomicLong ofPaths = new AtomicLong();

  LinkChanges() {}

  /** Returns a number that changes whenever links of the file may have changed. Local. */
  public long all() {
    return all.get();
  }

  /**
   * Returns a number that changes whenever the paths of existing objects may have changed. A link
   * to a new object does not change the number. Local.
   */
  public long ofPaths() {
    return ofPaths.get();
  }

  /** Notes that changes of links may have been undone by an abort. */
  void undone() {
    all.incrementAndGet();
    ofPaths.incrementAndGet();
  }

  /** Notes that an operation begins, which may change links. */
  void begin(Operation operation) {
    switch (operation) {
      case CREATE_OBJECT -> all.incrementAndGet();
      case LINK, UNLINK, MOVE -> {
        all.incrementAndGet();
        ofPaths.incrementAndGet();
      }
      default -> {}
    }
  }
}
