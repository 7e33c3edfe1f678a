package io.skerry.format.message;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Resolves references to messages that are stored elsewhere. */
@FunctionalInterface
public interface SharedMessageResolver {
  /**
   * Returns the body of a shared message; empty if this resolver leaves references unresolved.
   *
   * @param type the message type
   * @param reference the location of the message
   * @throws FormatException if there is no such message
   */
  Optional<MemorySegment> body(int type, SharedReference reference);

  /**
   * Returns a resolver that leaves every reference unresolved, so that messages are represented as
   * {@link SharedMessage}.
   */
  static SharedMessageResolver unread() {
    return (type, reference) -> Optional.empty();
  }
}
