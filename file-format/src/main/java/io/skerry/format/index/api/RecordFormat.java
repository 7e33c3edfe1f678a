package io.skerry.format.index.api;

import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.exception.FormatException;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.format.layout.LayoutForm;
import java.util.Optional;

/**
 * The elements of chunk indexes: how a {@link ChunkRecord} stands in an array. O is the size of
 * offsets, W the width of a chunk size, N the number of sections.
 *
 * <pre>
 * dense, unfiltered (client 0)       address O
 * dense, filtered (client 1)         address O | size W | filter mask u32
 * structured, unfiltered (client 2)  address O | size W | offset[1..N-1] u64
 * structured, filtered (client 3)    address O | size W | offset[1..N-1] u64
 *                                    | unfiltered size[0..N-1] u64 | filter mask[0..N-1] u32
 * </pre>
 *
 * <p>In a version 2 B-tree (record types 10 to 13) the coordinates of the chunk, u64 for each
 * dimension, stand at the end of a dense record and behind the size of a structured one.
 *
 * <p>An unset element has the undefined address and zeros after it. For dense chunks W is 1 +
 * (floor(log2 chunk bytes) + 8) / 8, at most 8, and that of lengths under layout version 5; for
 * structured chunks the first, but 8 if N is 3. Source: structured-chunk page; file-format RFC for
 * structured chunks.
 */
public final class RecordFormat {
  private final Widths widths;
  private final int sections;
  private final boolean structured;
  private final boolean filtered;
  private final int sizeWidth;
  private final long chunkBytes;

  private RecordFormat(
      Widths widths,
      int sections,
      boolean structured,
      boolean filtered,
      int sizeWidth,
      long chunkBytes) {
    this.widths = widths;
    this.sections = sections;
    this.structured = structured;
    this.filtered = filtered;
    this.sizeWidth = sizeWidth;
    this.chunkBytes = chunkBytes;
  }

  /** The records of a dataset with this layout. */
  public static RecordFormat of(ChunkedLayout layout, Filtering filtering, Widths widths) {
    return new RecordFormat(
        widths,
        layout.form().sections(),
        layout.form().isStructured(),
        filtering == Filtering.FILTERED,
        layout.form() == LayoutForm.VERSION_5 ? widths.length() : layout.sizeWidth(),
        layout.chunkBytes());
  }

  /** The number that names this kind in array headers, 0 to 3. */
  public int clientId() {
    return (structured ? 2 : 0) + (filtered ? 1 : 0);
  }

  /** Bytes of an element. */
  public int size() {
    if (!structured) {
      return widths.offset() + (filtered ? sizeWidth + 4 : 0);
    }
    return widths.offset() + sizeWidth + 8 * (sections - 1) + (filtered ? 12 * sections : 0);
  }

  /** Bytes of a record in a version 2 B-tree, which holds the coordinates of the chunk too. */
  public int treeSize(int rank) {
    return size() + 8 * rank;
  }

  /**
   * The next record of a version 2 B-tree.
   *
   * @param scaled receives the coordinates of the chunk
   * @throws FormatException if an address or a coordinate cannot be
   */
  public ChunkRecord decode(ByteReader in, long[] scaled) {
    long address = widths.readDefinedAddress(in, "chunk address");
    if (structured) {
      long size = size(in);
      readScaled(in, scaled);
      return new ChunkRecord(address, decodeSections(in, size, sections, filtered));
    }
    SectionTable table = filtered ? decodeTable(in) : SectionTable.plain(chunkBytes);
    readScaled(in, scaled);
    return new ChunkRecord(address, table);
  }

  private static void readScaled(ByteReader in, long[] scaled) {
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = in.u63("chunk coordinate");
    }
  }

  /** Appends a record of a version 2 B-tree. */
  public void encode(ByteWriter out, ChunkRecord record, ChunkCoordinates chunk) {
    SectionTable table = checked(record.sections());
    widths.writeAddress(out, record.address());
    if (structured || filtered) {
      out.uint(table.size(), sizeWidth);
    }
    if (!structured) {
      encodeSections(out, table);
    }
    for (int i = 0; i < chunk.rank(); i++) {
      out.u64(chunk.at(i));
    }
    if (structured) {
      encodeSections(out, table);
    }
  }

  /**
   * The next element, empty if unset.
   *
   * @throws FormatException if its sections do not fit its size
   */
  public Optional<ChunkRecord> decode(ByteReader in) {
    long address = widths.readAddress(in, "chunk address");
    if (!FileAddress.isDefined(address)) {
      in.skip(size() - widths.offset());
      return Optional.empty();
    }
    if (!structured && !filtered) {
      return Optional.of(new ChunkRecord(address, SectionTable.plain(chunkBytes)));
    }
    return Optional.of(new ChunkRecord(address, decodeTable(in)));
  }

  private long size(ByteReader in) {
    long size = in.uint(sizeWidth);
    if (size <= 0) {
      throw in.fault("size of a stored chunk", "1 to 2^63-1", Long.toUnsignedString(size));
    }
    return size;
  }

  private SectionTable decodeTable(ByteReader in) {
    long size = size(in);
    return structured
        ? decodeSections(in, size, sections, filtered)
        : SectionTable.filtered(size, in.i32());
  }

  /** The part of a structured record after the size; also stands in the layout message. */
  static SectionTable decodeSections(ByteReader in, long size, int sections, boolean filtered) {
    long[] offsets = new long[sections - 1];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = in.u63("section offset");
    }
    long[] unfiltered = new long[filtered ? sections : 0];
    for (int i = 0; i < unfiltered.length; i++) {
      unfiltered[i] = in.u63("unfiltered section size");
    }
    int[] masks = new int[unfiltered.length];
    for (int i = 0; i < masks.length; i++) {
      masks[i] = in.i32();
    }
    return new SectionTable(size, offsets, unfiltered, masks).checked();
  }

  /**
   * Appends an element.
   *
   * @throws IllegalArgumentException if the record has other parts than this format
   */
  public void encode(ByteWriter out, Optional<ChunkRecord> record) {
    if (record.isEmpty()) {
      widths.writeAddress(out, FileAddress.UNDEFINED);
      out.zeros(size() - widths.offset());
      return;
    }
    ChunkRecord chunk = record.get();
    widths.writeAddress(out, chunk.address());
    if (structured || filtered) {
      out.uint(chunk.sections().size(), sizeWidth);
      encodeSections(out, checked(chunk.sections()));
    }
  }

  /**
   * The table itself.
   *
   * @throws IllegalArgumentException if it has other parts than this format, or a size that has no
   *     room in a record
   */
  public SectionTable checked(SectionTable table) {
    boolean told = structured || filtered;
    boolean hasRoom =
        told ? sizeWidth >= 8 || table.size() >>> 8 * sizeWidth == 0 : table.size() == chunkBytes;
    if (!fits(table) || !hasRoom) {
      throw new IllegalArgumentException(
          "record does not fit its index: clientId=" + clientId() + " record=" + table);
    }
    return table;
  }

  /** Whether the table has the parts of this format. */
  public boolean fits(SectionTable table) {
    int unfilteredSizes = structured && filtered ? sections : 0;
    int masks = filtered ? sections : 0;
    return table.offsets().length == sections - 1
        && table.unfilteredSizes().length == unfilteredSizes
        && table.filterMasks().length == masks;
  }

  private void encodeSections(ByteWriter out, SectionTable table) {
    for (long offset : table.offsets()) {
      out.u64(offset);
    }
    for (long size : table.unfilteredSizes()) {
      out.u64(size);
    }
    for (int mask : table.filterMasks()) {
      out.u32(mask);
    }
  }
}
