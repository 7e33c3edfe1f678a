package io.skerry.iod.object;

import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * Changes of an array object within a transaction. Methods are local and thread-safe, and throw the
 * exceptions of {@link ValueChanges}.
 *
 * @param id the identifier
 * @param changes the changes of the transaction
 */
public record ArrayWriter(ObjectId id, ValueChanges changes) {
  /**
   * Checks the type of the identifier.
   *
   * @throws IllegalArgumentException if the object is of another type
   */
  public ArrayWriter {
    KeyValueObject.requireType(id, ObjectType.ARRAY);
  }

  /** Returns the object with the changes so far. */
  public ArrayObject reader() {
    return new ArrayObject(id, changes);
  }

  /** Stores a tile, copying it once. */
  public void put(long number, MemorySegment bytes) {
    changes.put(new Place.Tile(id.bits(), number), bytes);
  }

  /** Stores a tile without a copy. */
  public void put(long number, ValueBuffer bytes) {
    changes.put(new Place.Tile(id.bits(), number), bytes);
  }

  /** Removes a tile; there need not be one. */
  public void remove(long number) {
    changes.remove(new Place.Tile(id.bits(), number));
  }

  /** Removes all tiles. */
  public void clear() {
    ArrayObject reader = reader();
    Page<ArrayObject.Tile> page = reader.tiles(OptionalLong.empty(), PageLimit.DEFAULT);
    page.items().forEach(tile -> remove(tile.number()));
    while (!page.isLast()) {
      page = reader.tiles(OptionalLong.of(page.items().getLast().number()), PageLimit.DEFAULT);
      page.items().forEach(tile -> remove(tile.number()));
    }
  }
}
