package io.skerry.chunk.content;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The heap of a chunk: section 2 of a structured chunk with variable-length values. It consists of
 * a table of slots, followed by collections in the format of HDF5's global heap. The section is
 * shown without its checksum and before filtering. L is the size of lengths in the file, in bytes.
 *
 * <pre>
 * 0        4    5        8         12                12 + 2 × L × slots
 * +--------+----+--------+---------+------------------+-------------+-- … --+
 * | "HGLS" | 01 | zeros  | slots   | slots × {        | collection  |       |
 * |        |    | 3 × u8 | u32     | offset L size L }|             |       |
 * +--------+----+--------+---------+------------------+-------------+-- … --+
 *
 *   slots   1 to 65536
 *   offset  of the collection in the section; 0, with size 0, if the slot is free
 *
 * A collection: header, then objects, each at a multiple of 8 from the start
 *
 * 0        4    5        8           16
 * +--------+----+--------+-----------+-- … --+
 * | "GCOL" | 01 | zeros  | size L,   | objects
 * |        |    | 3 × u8 | padded    |
 * +--------+----+--------+-----------+-- … --+
 *
 * 0           2            4        8            16
 * +-----------+------------+--------+------------+-- … --+---------+
 * | index u16 | count u16  | zero   | bytes L,   | bytes | padding |
 * | from 1 on | of uses, 1 | u32    | padded     |       | to 8    |
 * +-----------+------------+--------+------------+-- … --+---------+
 * </pre>
 *
 * An object with index 0 is free space, which only other programs write. A pointer to an object has
 * the slot in bits 0 to 15 and the index in bits 16 to 31.
 *
 * <p>Sources: The HDF Group's RFC on the file format of structured chunks, version 28 (2025-10-09),
 * as implemented by the HDF5 branch {@code feature/sparse_data} (2026); HDF5 File Format
 * Specification 3.0, section III.E, "Disk Format: Level 1E - Global Heap".
 */
public final class ChunkHeap {
  /** Maximum number of objects in a collection, limited by the width of an index. */
  private static final int MOST_OBJECTS = 0xffff;

  private static final int MOST_SLOTS = 1 << 16;
  private static final int COLLECTION_HEAD = 16;
  private static final int OBJECT_HEAD = 16;
  private static final int HEAD = 12;
  private static final String WHAT = "section 2 of a structured chunk";

  private ChunkHeap() {}

  /** Returns the size of an object with header and padding, in bytes. */
  static long objectBytes(long length) {
    return OBJECT_HEAD + length + padding(length);
  }

  /**
   * Returns the maximum total size of the objects in a section, with their headers and padding, in
   * bytes.
   */
  static long room(int lengthSize) {
    // Two-byte offsets and sizes allow a single collection of less than 64 KiB.
    return lengthSize == Short.BYTES
        ? 0xffff - HEAD - 2L * lengthSize - COLLECTION_HEAD
        : HeapBytes.MAX_ARRAY / 2;
  }

  private static int padding(long length) {
    return Math.floorMod(-length, 8);
  }

  /** Collects objects for a new section. Not thread-safe. */
  static final class Builder implements ContentSink {
    private final int lengthSize;
    private final List<ByteWriter> collections = new ArrayList<>();
    private int objects = MOST_OBJECTS;
    private long bytes;

    /**
     * Creates an empty builder.
     *
     * @param lengthSize size of a length in the file, in bytes
     */
    Builder(int lengthSize) {
      this.lengthSize = lengthSize;
    }

    @Override
    public long keep(MemorySegment content) {
      bytes += objectBytes(content.byteSize());
      if (bytes > room(lengthSize)) {
        throw new UnsupportedFeatureException(
            "more content of variable length than a chunk has room for: bytes="
                + bytes
                + " room="
                + room(lengthSize),
            "a structured chunk; take a smaller chunk shape");
      }
      if (objects == MOST_OBJECTS) {
        ByteWriter begun = ByteWriter.create().text("GCOL").u8(1).zeros(3);
        begun.zeros(COLLECTION_HEAD - begun.position());
        collections.add(begun);
        objects = 0;
      }
      objects++;
      ByteWriter out = collections.getLast();
      out.u16(objects).u16(1).u32(0).uint(content.byteSize(), lengthSize);
      out.zeros(OBJECT_HEAD - 8 - lengthSize).bytes(content).zeros(padding(content.byteSize()));
      return (long) objects << 16 | collections.size() - 1;
    }

    /** Returns the section without its checksum; empty if there are no objects. */
    ByteWriter section() {
      ByteWriter out = ByteWriter.create();
      if (collections.isEmpty()) {
        return out;
      }
      out.text("HGLS").u8(1).zeros(3).u32(collections.size());
      long at = HEAD + 2L * lengthSize * collections.size();
      for (ByteWriter collection : collections) {
        out.uint(at, lengthSize).uint(collection.position(), lengthSize);
        at += collection.position();
      }
      for (ByteWriter collection : collections) {
        out.bytes(collection.patch(8, collection.position(), lengthSize).written());
      }
      return out;
    }
  }

  /** Finds objects in a decoded heap. Thread-safe. */
  static final class Reader implements ContentSource {
    private final List<Collection> slots;

    private Reader(List<Collection> slots) {
      this.slots = slots;
    }

    /**
     * Decodes a section.
     *
     * @param section the section without its checksum, possibly empty
     * @param lengthSize size of a length in the file, in bytes
     * @throws FormatException if the section is damaged
     */
    static Reader of(MemorySegment section, int lengthSize) {
      List<Collection> slots = new ArrayList<>();
      if (section.byteSize() > 0) {
        ByteReader in = ByteReader.of(section, WHAT);
        in.expectSignature("HGLS");
        in.expect("version", 1, in.u8());
        in.skip(3);
        long count = in.u32();
        if (count < 1 || count > MOST_SLOTS || count > in.remaining() / (2L * lengthSize)) {
          throw in.fault("slots", "1.." + MOST_SLOTS + ", as many as have room", count);
        }
        long together = 0;
        for (int slot = 0; slot < count; slot++) {
          long offset = in.uint(lengthSize);
          long size = in.uint(lengthSize);
          slots.add(collection(section, slot, offset, size, lengthSize));
          together += size;
          if (together > section.byteSize()) {
            // Without this limit, many slots could refer to the same few bytes, which would then be
            // decoded as a collection once for each slot.
            throw in.fault("bytes of all collections", "at most " + section.byteSize(), together);
          }
        }
      }
      return new Reader(slots);
    }

    private static Collection collection(
        MemorySegment section, int slot, long offset, long size, int lengthSize) {
      if (offset == 0 && size == 0) {
        return Collection.FREE;
      }
      String what = WHAT + ", slot " + slot;
      long total = section.byteSize();
      if (offset < HEAD || size < COLLECTION_HEAD || offset > total || size > total - offset) {
        throw new FormatException(
            what + ": collection outside the section",
            "inside " + total + " bytes",
            "offset " + offset + ", " + size + " bytes");
      }
      return Collection.of(section.asSlice(offset, size), what, lengthSize);
    }

    @Override
    public MemorySegment content(long pointer, long bytes) {
      int slot = (int) (pointer & 0xffff);
      long index = pointer >>> 16 & 0xffff;
      if (slot >= slots.size()) {
        throw new FormatException(WHAT + ": slot of a value", "below " + slots.size(), slot);
      }
      MemorySegment object = slots.get(slot).object((int) index, slot);
      if (bytes > object.byteSize()) {
        throw new FormatException(
            WHAT + ": bytes of a value in slot " + slot + ", object " + index,
            "at most " + object.byteSize(),
            bytes);
      }
      return object.asSlice(0, bytes);
    }
  }

  /**
   * The objects of one collection, in ascending order of their indices, with the start and length
   * of each in bytes.
   */
  private record Collection(MemorySegment bytes, int[] indices, int[] starts, long[] lengths) {
    static final Collection FREE =
        new Collection(MemorySegment.NULL, new int[0], new int[0], new long[0]);

    static Collection of(MemorySegment bytes, String what, int lengthSize) {
      ByteReader in = ByteReader.of(bytes, what);
      in.expectSignature("GCOL");
      in.expect("version", 1, in.u8());
      in.skip(3);
      in.expect("size", bytes.byteSize(), in.uint(lengthSize));
      in.skip(COLLECTION_HEAD - in.position());
      // The index, start and length of each object; sorted below unless the indices ascend.
      List<long[]> objects = new ArrayList<>();
      boolean ascends = true;
      while (in.remaining() >= OBJECT_HEAD) {
        int index = in.u16();
        in.skip(6);
        long length = in.uint(lengthSize);
        in.skip(OBJECT_HEAD - 8 - lengthSize);
        if (index == 0) {
          if (length < OBJECT_HEAD) {
            throw in.fault("bytes of free space", "at least " + OBJECT_HEAD, length);
          }
          in.skip(length - OBJECT_HEAD);
          continue;
        }
        ascends &= objects.isEmpty() || objects.getLast()[0] < index;
        objects.add(new long[] {index, in.position(), length});
        in.skip(length);
        in.skip(Math.min(in.remaining(), padding(length)));
      }
      if (!ascends) {
        objects.sort(Comparator.comparingLong(object -> object[0]));
      }
      Collection read =
          new Collection(
              bytes, new int[objects.size()], new int[objects.size()], new long[objects.size()]);
      for (int i = 0; i < objects.size(); i++) {
        read.indices[i] = (int) objects.get(i)[0];
        read.starts[i] = Math.toIntExact(objects.get(i)[1]);
        read.lengths[i] = objects.get(i)[2];
        if (i > 0 && read.indices[i] == read.indices[i - 1]) {
          throw in.fault("objects of index " + read.indices[i], 1, "more");
        }
      }
      return read;
    }

    MemorySegment object(int index, int slot) {
      // Indices count from 1 without gaps unless another program removed objects.
      boolean atPlace = index >= 1 && index <= indices.length && indices[index - 1] == index;
      int at = atPlace ? index - 1 : Arrays.binarySearch(indices, index);
      if (at < 0) {
        throw new FormatException(
            WHAT + ", slot " + slot + ": object of a value", "one of the collection's", index);
      }
      return bytes.asSlice(starts[at], lengths[at]);
    }
  }
}
