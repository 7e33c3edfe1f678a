package io.skerry.iod.object;

import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The values of a container at a transaction, without the trailers of their stored form. All
 * methods are local and thread-safe. They throw the exceptions of {@link
 * io.skerry.iod.engine.Shard}, and an {@link IllegalArgumentException} if this process does not
 * serve the shard of a place. Methods that return values throw a {@link
 * io.skerry.exception.FormatException} that names the container and the place if a value is
 * damaged.
 */
public interface Values {
  /** Returns the location of the container. Does not fail. */
  String container();

  /** Returns the number of the transaction. Does not fail. */
  long transaction();

  /**
   * Returns a value.
   *
   * @param memory allocates the memory of the value
   */
  Optional<MemorySegment> get(Place place, SegmentAllocator memory);

  /**
   * Starts to read a value; see {@link io.skerry.iod.engine.Shard#getLater}. The default
   * implementation reads the value immediately.
   *
   * @param memory allocates the memory of the value; used until the result is returned
   * @return a supplier that waits for the value; must be called once, by the thread that called
   *     this method
   */
  default Supplier<Optional<MemorySegment>> getLater(Place place, SegmentAllocator memory) {
    Optional<MemorySegment> value = get(place, memory);
    return () -> value;
  }

  /**
   * Returns the transaction that stored a value and its size, without reading the value; empty if
   * there is none.
   */
  Optional<Version> find(Place place);

  /** Returns the size of a value in bytes, without reading the value; empty if there is none. */
  default OptionalLong size(Place place) {
    return find(place).map(Version::size).orElse(OptionalLong.empty());
  }

  /**
   * Returns the first page of the places of a part that have values, with the sizes of the values.
   * Tiles and blocks are in the order of their numbers, and pairs in the order of {@link
   * KeyPlacement}.
   */
  Page<Version> list(Range range, PageLimit limit);

  /**
   * Returns the first page of the pairs of a key-value object in the order of {@link KeyPlacement}.
   *
   * @param memory allocates the memory of the values
   * @throws IllegalArgumentException if the range does not consist of pairs
   */
  Page<Entry> scan(Range range, PageLimit limit, SegmentAllocator memory);
}
