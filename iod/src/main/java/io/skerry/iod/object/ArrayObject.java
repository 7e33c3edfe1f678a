package io.skerry.iod.object;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * An array object at a transaction: tiles numbered by unsigned 64-bit integers. The layer above
 * decides which cells a tile holds. Methods are local and thread-safe, and throw the exceptions of
 * {@link Values}.
 *
 * @param id the identifier
 * @param values the values of the container at the transaction
 */
public record ArrayObject(ObjectId id, Values values) {
  /**
   * Checks the type of the identifier.
   *
   * @throws IllegalArgumentException if the object is of another type
   */
  public ArrayObject {
    KeyValueObject.requireType(id, ObjectType.ARRAY);
  }

  /**
   * A tile without its bytes.
   *
   * @param number the number
   * @param size the size in bytes
   * @param transaction the transaction that wrote the tile
   */
  public record Tile(long number, long size, long transaction) {}

  private Place place(long number) {
    return new Place.Tile(id.bits(), number);
  }

  /** Returns the bytes of a tile; empty if there is no such tile. */
  public Optional<MemorySegment> get(long number, SegmentAllocator memory) {
    return values.get(place(number), memory);
  }

  /**
   * Returns the bytes of a tile that {@link #tiles} has returned.
   *
   * @throws FormatException if the tile is not in its shard
   */
  public MemorySegment require(long number, SegmentAllocator memory) {
    return get(number, memory)
        .orElseThrow(() ->
            new FormatException("tile", "a value in its shard", "a value in another shard")
                .inObject(PlaceNames.of(place(number)))
                .inFile(values.container()));
  }

  /** Starts to read a tile; see {@link Values#getLater}. */
  public Supplier<Optional<MemorySegment>> getLater(long number, SegmentAllocator memory) {
    return values.getLater(place(number), memory);
  }

  /** Returns the size of a tile in bytes; empty if there is no such tile. */
  public OptionalLong size(long number) {
    return values.size(place(number));
  }

  /** Returns the number of the transaction that stored a tile; empty if there is no such tile. */
  public OptionalLong transaction(long number) {
    return values
        .find(place(number))
        .map(version -> OptionalLong.of(version.transaction()))
        .orElse(OptionalLong.empty());
  }

  /**
   * Returns a page of the tiles in the order of their numbers.
   *
   * @param after the number after which the page begins; empty for the first page
   */
  public Page<Tile> tiles(OptionalLong after, PageLimit limit) {
    Range range =
        after.isPresent() ? Range.after(place(after.getAsLong())) : Range.all(id.bits(), Part.TILE);
    return KeyValueObject.mapped(
        values.list(range, limit),
        version ->
            new Tile(
                ((Place.Tile) version.place()).number(),
                version.size().orElse(0),
                version.transaction()));
  }
}
