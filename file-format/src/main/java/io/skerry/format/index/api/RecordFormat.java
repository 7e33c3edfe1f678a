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
 * The encoding of a {@link ChunkRecord} as an element of a chunk index. O is the size of offsets, W
 * the width of a chunk size, N the number of sections.
 *
 * <pre>
 * dense, unfiltered (client 0)       address O
 * dense, filtered (client 1)         address O | size W | filter mask u32
 * structured, unfiltered (client 2)  address O | size W | offset[1..N-1] u64
 * structured, filtered (client 3)    address O | size W | offset[1..N-1] u64
 *                                    | unfiltered size[0..N-1] u64 | filter mask[0..N-1] u32
 * </pre>
 *
 * <p>A record of a version 2 B-tree (types 10 to 13) also has the chunk coordinates, one u64 per
 * dimension: at the end of a dense record, after the size in a structured one.
 *
 * <p>An unset element has the undefined address, followed by zeros. For dense chunks, W is 1 +
 * (floor(log2(chunk bytes)) + 8) / 8, at most 8; with layout version 5, W is the size of lengths.
 * For structured chunks, W is computed by this formula if N is 2, and is 8 if N is 3.
 *
 * <p>Sources: HDF5 File Format Specification 3.0, section VII, "Appendix C: Types of Indexes for
 * Dataset Chunks"; for structured chunks, The HDF Group's RFC on their file format, version 28
 * (2025-10-09), as implemented by the HDF5 branch {@code feature/sparse_data} (2026).
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

  /** Returns the record encoding of a dataset. */
  public static RecordFormat of(ChunkedLayout layout, Filtering filtering, Widths widths) {
    return new RecordFormat(
        widths,
        layout.form().sections(),
        layout.form().isStructured(),
        filtering == Filtering.FILTERED,
        layout.form() == LayoutForm.VERSION_5 ? widths.length() : layout.sizeWidth(),
        layout.chunkBytes());
  }

  /** Returns the client ID of this encoding in array headers, 0 to 3. */
  public int clientId() {
    return (structured ? 2 : 0) + (filtered ? 1 : 0);
  }

  /** Returns the size in bytes of an array element. */
  public int size() {
    if (!structured) {
      return widths.offset() + (filtered ? sizeWidth + 4 : 0);
    }
    return widths.offset() + sizeWidth + 8 * (sections - 1) + (filtered ? 12 * sections : 0);
  }

  /**
   * Returns the size in bytes of a record of a version 2 B-tree, which includes the chunk
   * coordinates.
   */
  public int treeSize(int rank) {
    return size() + 8 * rank;
  }

  /**
   * Decodes a record of a version 2 B-tree.
   *
   * @param in a reader positioned at the record
   * @param scaled the array that receives the chunk coordinates
   * @throws FormatException if the address, the size, a section or a coordinate is invalid
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
   * Decodes an array element. Returns empty if the element is unset.
   *
   * @throws FormatException if the address or the size is invalid, or if the sections contradict
   *     the size
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

  /**
   * Decodes the section offsets, unfiltered section sizes and filter masks of a structured record.
   */
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
   * Appends an array element, which is unset if the record is empty.
   *
   * @throws IllegalArgumentException if this encoding stores chunk sizes and {@link #checked}
   *     rejects the section table of the record
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
   * Returns the table after checking that a record can store it.
   *
   * @throws IllegalArgumentException if the table does not have the fields of this encoding, or if
   *     its size does not fit into the size field or, in an encoding without that field, differs
   *     from the size of a chunk
   */
  public SectionTable checked(SectionTable table) {
    boolean storesSize = structured || filtered;
    boolean hasRoom =
        storesSize
            ? sizeWidth >= 8 || table.size() >>> 8 * sizeWidth == 0
            : table.size() == chunkBytes;
    if (!fits(table) || !hasRoom) {
      throw new IllegalArgumentException(
          "record does not fit its index: clientId=" + clientId() + " record=" + table);
    }
    return table;
  }

  /** Returns whether the table has the fields of this encoding. */
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
