package io.skerry.iod.object;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Place;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A BLOB object at a transaction: a sequence of bytes, stored in blocks.
 *
 * <pre>
 * block 0 .. n-2      {@link #BLOCK} bytes each
 * block n-1           1 to {@link #BLOCK} bytes; block 0 may be empty
 * block 2^64-1        u64 size in bytes; only if n > 1
 * </pre>
 *
 * <p>A BLOB exists if it has block 0. Methods are local and thread-safe, and throw the exceptions
 * of {@link Values}.
 *
 * @param id the identifier
 * @param values the values of the container at the transaction
 */
public record BlobObject(ObjectId id, Values values) {
  /** The size of a block in bytes. */
  public static final int BLOCK = 1 << 20;

  static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /**
   * Checks the type of the identifier.
   *
   * @throws IllegalArgumentException if the object is of another type
   */
  public BlobObject {
    KeyValueObject.requireType(id, ObjectType.BLOB);
  }

  Place place(long number) {
    return new Place.Block(id.bits(), number);
  }

  /**
   * Returns the size in bytes; empty if there is no such BLOB.
   *
   * @throws FormatException if the stored size is damaged
   */
  public OptionalLong size() {
    Place place = place(ShardMap.SIZE_BLOCK);
    return values
        .get(place, (bytes, _) -> MemorySegment.ofArray(new byte[(int) bytes]))
        .map(stored -> OptionalLong.of(size(stored)))
        .orElseGet(() -> values.size(place(0)));
  }

  private long size(MemorySegment stored) {
    long size = stored.byteSize() == Long.BYTES ? stored.get(U64, 0) : -1;
    if (size <= BLOCK) {
      throw new FormatException("size of a BLOB", "8 bytes, above " + BLOCK, size)
          .inObject(id.toString())
          .inFile(values.container());
    }
    return size;
  }

  /**
   * Returns all bytes.
   *
   * @throws FormatException if there is no such BLOB, or if it lacks a block
   * @throws IllegalArgumentException if the allocator cannot provide the memory
   */
  public MemorySegment read(SegmentAllocator memory) {
    return read(0, requireSize(), memory);
  }

  long requireSize() {
    return size()
        .orElseThrow(() ->
            new FormatException("BLOB", "block 0", "none")
                .inObject(id.toString())
                .inFile(values.container()));
  }

  /**
   * Returns the bytes of a BLOB whose size the caller knows, which saves one read.
   *
   * @param size the size in bytes
   * @throws FormatException if there is no BLOB of this size
   */
  public MemorySegment readKnown(long size, SegmentAllocator memory) {
    if (size == 0) {
      return block(0, 0, memory);
    }
    return read(0, size, size, memory);
  }

  /**
   * Returns a range of bytes.
   *
   * @param offset the offset of the first byte
   * @param length the number of bytes
   * @param memory allocates the memory of the bytes
   * @throws FormatException if the BLOB lacks a block, or if a block has another size
   * @throws IllegalArgumentException if the range is not within the BLOB
   */
  public MemorySegment read(long offset, long length, SegmentAllocator memory) {
    return read(offset, length, size().orElse(0), memory);
  }

  /** Returns a range of bytes of a BLOB whose size is known. */
  MemorySegment read(long offset, long length, long size, SegmentAllocator memory) {
    if (offset < 0 || length < 0 || offset > size - length) {
      throw new IllegalArgumentException(
          "range of a BLOB: expected=within "
              + size
              + " bytes offset="
              + offset
              + " length="
              + length);
    }
    if (length == 0) {
      return memory.allocate(0);
    }
    long first = offset / BLOCK;
    long last = (offset + length - 1) / BLOCK;
    if (first == last) {
      return block(first, size, memory).asSlice(offset % BLOCK, length);
    }
    // A damaged size must not allocate memory for blocks that do not exist.
    requireBlock((size - 1) / BLOCK, size);
    MemorySegment found = memory.allocate(length);
    MemorySegment buffer = MemorySegment.ofArray(new byte[BLOCK + StoredForm.TRAILER]);
    SegmentAllocator blocks =
        (bytes, _) ->
            bytes <= buffer.byteSize()
                ? buffer.asSlice(0, bytes)
                : MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    for (long number = first; number <= last; number++) {
      MemorySegment block = block(number, size, blocks);
      long from = Math.max(offset, number * BLOCK);
      long to = Math.min(offset + length, number * BLOCK + block.byteSize());
      MemorySegment.copy(block, from - number * BLOCK, found, from - offset, to - from);
    }
    return found;
  }

  /** Returns a block of a BLOB of the given size. */
  MemorySegment block(long number, long size, SegmentAllocator memory) {
    long expected = Math.min(BLOCK, size - number * BLOCK);
    Place place = place(number);
    Optional<MemorySegment> block = values.get(place, memory);
    if (block.isEmpty() || block.get().byteSize() != expected) {
      throw wrongSize(
          place, size, block.map(bytes -> String.valueOf(bytes.byteSize())).orElse("no block"));
    }
    return block.get();
  }

  /**
   * Checks that all blocks exist and have the expected sizes; does not read them.
   *
   * @param size the size of the BLOB in bytes
   * @throws FormatException if a block is missing or has another size
   */
  public void requireBlocks(long size) {
    for (long number = 0; number == 0 || number * BLOCK < size; number++) {
      requireBlock(number, size);
    }
  }

  /** Checks that a block of a BLOB of the given size exists and has the expected size. */
  void requireBlock(long number, long size) {
    Place place = place(number);
    OptionalLong actual = values.size(place);
    if (actual.orElse(-1) != Math.min(BLOCK, size - number * BLOCK)) {
      throw wrongSize(
          place, size, actual.isPresent() ? String.valueOf(actual.getAsLong()) : "no block");
    }
  }

  private FormatException wrongSize(Place place, long size, String actual) {
    return new FormatException("size of a block", "that of a BLOB of " + size + " bytes", actual)
        .inObject(PlaceNames.of(place))
        .inFile(values.container());
  }
}
