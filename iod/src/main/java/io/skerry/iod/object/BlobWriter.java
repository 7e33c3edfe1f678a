package io.skerry.iod.object;

import io.skerry.iod.engine.Place;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * Changes of a BLOB object within a transaction. Methods are local and throw the exceptions of
 * {@link ValueChanges}, and a {@link io.skerry.exception.FormatException} if the stored size is
 * damaged. Changes of one BLOB must not overlap in time.
 *
 * @param id the identifier
 * @param changes the changes of the transaction
 */
public record BlobWriter(ObjectId id, ValueChanges changes) {
  private static final int BLOCK = BlobObject.BLOCK;

  /**
   * Checks the type of the identifier.
   *
   * @throws IllegalArgumentException if the object is of another type
   */
  public BlobWriter {
    KeyValueObject.requireType(id, ObjectType.BLOB);
  }

  /** Returns the object with the changes so far. */
  public BlobObject reader() {
    return new BlobObject(id, changes);
  }

  /**
   * Returns the size before a change. The last block must exist: a damaged size must not cause a
   * loop over blocks that do not exist.
   */
  private OptionalLong sizeBefore() {
    OptionalLong size = reader().size();
    if (size.orElse(0) > BLOCK) {
      reader().requireBlock((size.getAsLong() - 1) / BLOCK, size.getAsLong());
    }
    return size;
  }

  /** Replaces the whole content; creates the BLOB if there is none. */
  public void replace(MemorySegment bytes) {
    long before = sizeBefore().orElse(0);
    store(bytes);
    removeBlocks(Math.max(1, blocks(bytes.byteSize())), blocks(before));
    putSize(before, bytes.byteSize());
  }

  /** Stores the content of a BLOB that does not exist. */
  public void create(MemorySegment bytes) {
    store(bytes);
    putSize(0, bytes.byteSize());
  }

  private void store(MemorySegment bytes) {
    long size = bytes.byteSize();
    for (long number = 0; number < Math.max(1, blocks(size)); number++) {
      long from = number * BLOCK;
      changes.put(place(number), bytes.asSlice(from, Math.min(BLOCK, size - from)));
    }
  }

  private Place place(long number) {
    return reader().place(number);
  }

  private static long blocks(long size) {
    return (size + BLOCK - 1) / BLOCK;
  }

  private void removeBlocks(long from, long to) {
    for (long number = from; number < to; number++) {
      changes.remove(place(number));
    }
  }

  private void putSize(long before, long size) {
    if (size > BLOCK) {
      MemorySegment stored = MemorySegment.ofArray(new byte[Long.BYTES]);
      stored.set(BlobObject.U64, 0, size);
      changes.put(place(ShardMap.SIZE_BLOCK), stored);
    } else if (before > BLOCK) {
      changes.remove(place(ShardMap.SIZE_BLOCK));
    }
  }

  /**
   * Writes a range of bytes. The BLOB grows if necessary; it is created if there is none.
   *
   * @param offset the offset of the first byte, at most the size of the BLOB
   * @throws IllegalArgumentException if the offset is negative or above the size
   */
  public void write(long offset, MemorySegment bytes) {
    long before = sizeBefore().orElse(0);
    if (offset < 0 || offset > before) {
      throw new IllegalArgumentException(
          "offset of a write: expected=0 to " + before + " actual=" + offset);
    }
    long end = offset + bytes.byteSize();
    long size = Math.max(before, end);
    for (long number = offset / BLOCK; number < Math.max(1, blocks(end)); number++) {
      long start = number * BLOCK;
      long from = Math.max(offset, start);
      long to = Math.min(end, start + BLOCK);
      patch(
          number,
          before,
          Math.min(BLOCK, size - start),
          from - start,
          bytes.asSlice(Math.min(from - offset, bytes.byteSize()), Math.max(0, to - from)));
    }
    putSize(before, size);
  }

  /** Stores a block that combines its existing bytes with those of a write. */
  private void patch(long number, long before, long size, long at, MemorySegment bytes) {
    boolean unused =
        ValueMemory.using(arena -> {
          ValueBuffer block = ValueBuffer.allocate(size, arena);
          long kept = Math.min(BLOCK, before - number * BLOCK);
          if (kept > 0 && bytes.byteSize() < size) {
            block.bytes().copyFrom(reader().block(number, before, arena));
          }
          MemorySegment.copy(bytes, 0, block.bytes(), at, bytes.byteSize());
          changes.put(place(number), block);
          return true;
        });
  }

  /**
   * Reduces the size.
   *
   * @param size the new size in bytes, at most the current size
   * @throws IllegalArgumentException if the BLOB is smaller, or if there is none
   */
  public void truncate(long size) {
    long before = sizeBefore().orElse(-1);
    if (size < 0 || size > before) {
      throw new IllegalArgumentException(
          "size of a truncated BLOB: expected=0 to " + before + " actual=" + size);
    }
    long blocks = Math.max(1, blocks(size));
    boolean unused =
        ValueMemory.using(arena -> {
          MemorySegment last = reader().block(blocks - 1, before, arena);
          changes.put(place(blocks - 1), last.asSlice(0, size - (blocks - 1) * BLOCK));
          return true;
        });
    removeBlocks(blocks, blocks(before));
    putSize(before, size);
  }

  /** Removes the BLOB; there need not be one. */
  public void delete() {
    long before = sizeBefore().orElse(0);
    removeBlocks(0, Math.max(1, blocks(before)));
    putSize(before, 0);
  }
}
