package io.skerry.format.message;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Fetches messages that stand elsewhere. */
@FunctionalInterface
public interface SharedMessageResolver {
  /**
   * The body of a message; empty if this fetcher leaves references unread.
   *
   * @param type number of its kind
   * @param reference where it is
   * @throws FormatException if there is none
   */
  Optional<MemorySegment> body(int type, SharedReference reference);

  /** Leaves every reference unread: the message stays a {@link SharedMessage}. */
  static SharedMessageResolver unread() {
    return (type, reference) -> Optional.empty();
  }
}
