package io.skerry.internal.dataset.virtual.place;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.chunk.datatype.conversion.ElementParts;
import java.lang.foreign.MemorySegment;

/**
 * The elements of a virtual source that a mapping selects more than once. Each of them is read
 * once, and its value is then copied to its other places.
 *
 * @param wanted the selected elements, with the numbers of their values
 * @param places the places of the values in the buffer
 * @param conversion the conversion to the memory datatype
 */
public record RepeatedPlaces(Wanted wanted, PlacedPieces places, Conversion conversion) {
  /** Copies the values to their other places. */
  public void copy(MemorySegment packed) {
    wanted.forEachRepeated((value, to, length) ->
        places.forEach(
            value,
            length,
            (from, source, some) ->
                places.forEach(
                    to + from - value,
                    some,
                    (other, place, count) ->
                        copy(packed, source + other - (to + from - value), place, count))));
  }

  private void copy(MemorySegment packed, long from, long to, long count) {
    int size = conversion.to().size();
    ElementParts written = conversion.written();
    written.copy(
        packed.asSlice(from * size, count * size), packed.asSlice(to * size, count * size), count);
  }
}
