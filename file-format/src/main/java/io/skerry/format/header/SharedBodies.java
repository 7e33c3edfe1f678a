package io.skerry.format.header;

import io.skerry.exception.FormatException;
import io.skerry.format.message.SharedMessageResolver;
import io.skerry.format.message.SharedReference;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Resolves the shared messages of one object header. Reads each message once, and limits the total
 * size of the messages, since the references of a damaged header may all refer to one large
 * message. Not thread-safe.
 */
final class SharedBodies implements SharedMessageResolver {
  private final SharedMessageResolver shared;
  private final long limit;
  private final Map<Place, Optional<MemorySegment>> known = new HashMap<>();
  private final Map<Place, FormatException> damaged = new HashMap<>();
  private long bytes;

  /** The type and the location of a message. */
  private record Place(int type, SharedReference reference) {}

  /**
   * Creates a resolver.
   *
   * @param shared the resolver that reads the messages
   * @param limit the maximum total size of the messages in bytes
   */
  SharedBodies(SharedMessageResolver shared, long limit) {
    this.shared = shared;
    this.limit = limit;
  }

  @Override
  public Optional<MemorySegment> body(int type, SharedReference reference) {
    Place place = new Place(type, reference);
    FormatException before = damaged.get(place);
    if (before != null) {
      throw before.again();
    }
    Optional<MemorySegment> found = known.get(place);
    if (found != null) {
      return found;
    }
    try {
      Optional<MemorySegment> body = shared.body(type, reference);
      body.ifPresent(this::charge);
      known.put(place, body);
      return body;
    } catch (FormatException e) {
      damaged.put(place, e);
      throw e;
    }
  }

  /**
   * Adds the size of a message to the total.
   *
   * @throws FormatException if the total exceeds the limit
   */
  void charge(MemorySegment body) {
    bytes += body.byteSize();
    if (bytes > limit) {
      throw new FormatException("bytes of shared messages of an object", "at most " + limit, bytes);
    }
  }
}
