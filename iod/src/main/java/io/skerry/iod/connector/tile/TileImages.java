package io.skerry.iod.connector.tile;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * The stored form of tiles. Immutable; local, thread-safe.
 *
 * <pre>
 * dense, without filters   the cells
 * any other                +0      +1      +2
 *                          +-------+-------+------------------+-- … --+
 *                          | count | flags | count × section  | image |
 *                          | u8    | u8    |                  |       |
 *                          +-------+-------+------------------+-- … --+
 * section                  stored length u64 | unfiltered length u64, if flag 0
 *                          | filter mask u32, if flag 1
 * flags                    0 unfiltered lengths, 1 filter masks, 2 stored without filters
 * </pre>
 *
 * @param form the form of the tiles of a dataset
 */
record TileImages(Form form) {
  private static final int LENGTHS = 1;
  private static final int MASKS = 2;
  private static final int UNFILTERED = 4;

  /** The largest number of sections. */
  private static final int SECTIONS = 3;

  /** The forms of tiles. */
  enum Form {
    /** The cells. */
    PLAIN,
    /** A table of sections, and the image. */
    SECTIONED
  }

  /** The treatment of the filters of the dataset. */
  enum Filtering {
    /** The filters apply. */
    APPLIED,
    /** The tile is stored without the filters. */
    SKIPPED
  }

  /**
   * A decoded tile.
   *
   * @param image the image, a part of the stored bytes
   * @param filtering the treatment of filters
   */
  record Decoded(ChunkImage image, Filtering filtering) {}

  /** Returns the bytes to store before an image. */
  MemorySegment header(SectionTable table, Filtering filtering) {
    ByteWriter out = ByteWriter.create();
    if (form == Form.SECTIONED) {
      boolean lengths = table.unfilteredSizes().length > 0;
      boolean masks = table.filterMasks().length > 0;
      out.u8(table.sections());
      out.u8(
          (lengths ? LENGTHS : 0)
              | (masks ? MASKS : 0)
              | (filtering == Filtering.SKIPPED ? UNFILTERED : 0));
      for (int section = 0; section < table.sections(); section++) {
        out.u64(table.length(section));
        if (lengths) {
          out.u64(table.unfilteredSizes()[section]);
        }
        if (masks) {
          out.u32(table.filterMask(section));
        }
      }
    }
    return out.written();
  }

  /**
   * Decodes a tile.
   *
   * @throws FormatException if the bytes do not encode a tile
   */
  Decoded decode(MemorySegment stored) {
    if (form == Form.PLAIN) {
      return new Decoded(
          new ChunkImage(stored, SectionTable.plain(stored.byteSize())), Filtering.APPLIED);
    }
    ByteReader in = ByteReader.of(stored, "tile");
    int count = in.u8();
    int flags = in.u8();
    if (count < 1 || count > SECTIONS || flags > (LENGTHS | MASKS | UNFILTERED)) {
      throw in.fault("sections and flags", "1 to 3 and 0 to 7", count + " and " + flags);
    }
    long[] offsets = new long[count - 1];
    long[] lengths = new long[(flags & LENGTHS) == 0 ? 0 : count];
    int[] masks = new int[(flags & MASKS) == 0 ? 0 : count];
    long size = 0;
    for (int section = 0; section < count; section++) {
      if (section > 0) {
        offsets[section - 1] = size;
      }
      size += Math.min(in.u63("length of a section"), stored.byteSize() + 1);
      if (lengths.length > 0) {
        lengths[section] = in.u63("unfiltered length of a section");
      }
      if (masks.length > 0) {
        masks[section] = in.i32();
      }
    }
    in.expect("bytes of the sections", size, in.remaining());
    return new Decoded(
        new ChunkImage(in.slice(size), new SectionTable(size, offsets, lengths, masks)),
        (flags & UNFILTERED) == 0 ? Filtering.APPLIED : Filtering.SKIPPED);
  }
}
