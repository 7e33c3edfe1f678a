package io.skerry.iod.shipper.wire;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PlaceCodec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Collects changes of small values in memory of a fixed size, the payload of {@link Call.Edit}. Not
 * thread-safe.
 *
 * <pre>
 * per change
 * +0              +4             +8          +8+p          +8+p+v
 * +---------------+--------------+-----------+-------------+
 * | p, size of    | v, size of   | place     | value       |    {@link PlaceCodec}
 * | the place u32 | value u32    |           |             |    v = ffffffff: no value, a removal
 * +---------------+--------------+-----------+-------------+
 * </pre>
 */
public final class EditList {
  /** The size of a change in bytes, excluding its place and value. */
  private static final int HEAD = 2 * Integer.BYTES;

  private static final int REMOVAL = -1;
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment memory;
  private long used;

  /**
   * Creates an empty list.
   *
   * @param memory the memory of the changes
   */
  public EditList(MemorySegment memory) {
    this.memory = memory;
  }

  /**
   * Returns the size of a change in bytes.
   *
   * @param value the value; empty for a removal
   */
  public static long size(Place place, Optional<MemorySegment> value) {
    return HEAD + PlaceCodec.size(place) + value.map(MemorySegment::byteSize).orElse(0L);
  }

  /** Returns whether there are no changes. */
  public boolean isEmpty() {
    return used == 0;
  }

  /** Returns whether a change of a size in bytes can be added. */
  public boolean hasRoom(long size) {
    return size <= memory.byteSize() - used;
  }

  /**
   * Copies a change to the end of the list.
   *
   * @param value the value; empty for a removal
   * @throws IndexOutOfBoundsException if there is no room
   */
  public void add(Place place, Optional<MemorySegment> value) {
    byte[] encoded = PlaceCodec.encode(place);
    memory.set(U32, used, encoded.length);
    memory.set(
        U32, used + Integer.BYTES, value.map(v -> Math.toIntExact(v.byteSize())).orElse(REMOVAL));
    long at = used + HEAD;
    MemorySegment.copy(encoded, 0, memory, ValueLayout.JAVA_BYTE, at, encoded.length);
    at += encoded.length;
    if (value.isPresent()) {
      memory.asSlice(at).copyFrom(value.get());
      at += value.get().byteSize();
    }
    used = at;
  }

  /** Returns the changes as a payload, without copying them. */
  public MemorySegment payload() {
    return memory.asSlice(0, used);
  }

  /** Receives the changes of a list. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives a change.
     *
     * @param value the value, a part of the payload; empty for a removal
     */
    void visit(Place place, Optional<MemorySegment> value);
  }

  /**
   * Passes the changes of a payload to a visitor in order.
   *
   * @throws FormatException if the payload is damaged; changes before the damage have been passed
   *     on
   */
  public static void forEach(MemorySegment payload, Visitor visitor) {
    FieldReader from = new FieldReader(payload);
    while (!from.isAtEnd()) {
      int placeSize = from.number("length of a place", FieldReader.LARGEST_PLACE);
      int valueSize = from.i32();
      if (valueSize < REMOVAL) {
        throw new FormatException("message: size of a value", "-1 or more", valueSize);
      }
      Place place = PlaceCodec.decode(from.slice(placeSize).asByteBuffer());
      visitor.visit(
          place, valueSize == REMOVAL ? Optional.empty() : Optional.of(from.slice(valueSize)));
    }
  }
}
