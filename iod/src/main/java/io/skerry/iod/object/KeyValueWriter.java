package io.skerry.iod.object;

import io.skerry.format.Bytes;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Changes of a key-value object within a transaction. Methods are local and thread-safe, and throw
 * the exceptions of {@link ValueChanges}.
 *
 * @param id the identifier
 * @param changes the changes of the transaction
 */
public record KeyValueWriter(ObjectId id, ValueChanges changes) {
  /**
   * Checks the type of the identifier.
   *
   * @throws IllegalArgumentException if the object is of another type
   */
  public KeyValueWriter {
    KeyValueObject.requireType(id, ObjectType.KV);
  }

  /** Returns the object with the changes so far. */
  public KeyValueObject reader() {
    return new KeyValueObject(id, changes);
  }

  /** Stores a pair, which replaces one with the same key. */
  public void put(Bytes key, MemorySegment value) {
    changes.put(new Place.Pair(id.bits(), key), value);
  }

  /** Removes a pair; there need not be one. */
  public void remove(Bytes key) {
    changes.remove(new Place.Pair(id.bits(), key));
  }

  /** Removes all pairs. */
  public void clear() {
    KeyValueObject reader = reader();
    Page<Bytes> page = reader.keys(Optional.empty(), PageLimit.DEFAULT);
    page.items().forEach(this::remove);
    while (!page.isLast()) {
      page = reader.keys(Optional.of(page.items().getLast()), PageLimit.DEFAULT);
      page.items().forEach(this::remove);
    }
  }
}
