package io.skerry.format.layout;

import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.selection.Shape;
import java.util.Arrays;

/** Encodes and decodes {@link ChunkedLayout}, which documents the byte layout. */
final class ChunkedLayoutCodec {
  private static final int SINGLE_FILTERED = 2;

  private ChunkedLayoutCodec() {}

  static ChunkedLayout decodeDense(ByteReader in, int version, Widths widths) {
    if (version == 3) {
      return decodeVersion3(in, widths);
    }
    int flags = flags(in);
    long[] dimensions = dimensions(in);
    LayoutForm form = version == 4 ? LayoutForm.VERSION_4 : LayoutForm.VERSION_5;
    ChunkedLayout bare = bare(in, form, flags, dimensions);
    return bare.withIndex(index(in, bare, flags, widths));
  }

  private static ChunkedLayout decodeVersion3(ByteReader in, Widths widths) {
    int count = in.u8();
    checkCount(in, count);
    long address = widths.readAddress(in, "B-tree address");
    long[] dimensions = new long[count];
    for (int i = 0; i < count; i++) {
      dimensions[i] = in.u32();
    }
    return versionOneTree(in, address, dimensions);
  }

  /**
   * Returns a layout with chunks in a version 1 B-tree.
   *
   * @param in a reader of the message, for error messages
   * @param address the address of the root of the B-tree
   * @param dimensions the size of a chunk in each dimension, in elements; the last value is the
   *     size of an element in bytes
   */
  static ChunkedLayout versionOneTree(ByteReader in, long address, long[] dimensions) {
    return bare(in, LayoutForm.VERSION_3, 0, dimensions).withIndex(new IndexInfo.BTree1(address));
  }

  static ChunkedLayout decodeStructured(ByteReader in, Widths widths) {
    in.expect("structured layout property version", 0, in.u8());
    int type = in.u16();
    if (type > 1) {
      throw in.fault("structured chunk type", "0 or 1", type);
    }
    int flags = flags(in);
    long[] dimensions = dimensions(in);
    in.expect("structured layout offset size", 8, in.u8());
    int sections = in.u8();
    LayoutForm form =
        switch (sections) {
          case 2 -> LayoutForm.SPARSE;
          case 3 -> LayoutForm.SPARSE_VARIABLE;
          default -> throw in.fault("sections of a structured chunk", "2 or 3", sections);
        };
    int metadata = sections == 2 ? 1 : 3;
    in.expect("metadata sections", metadata, in.u8());
    for (int i = 0; i < metadata; i++) {
      in.expect("number of metadata section", i, in.u8());
    }
    ChunkedLayout bare = bare(in, form, flags, dimensions);
    return bare.withIndex(index(in, bare, flags, widths));
  }

  private static int flags(ByteReader in) {
    int flags = in.u8();
    if (flags > 3) {
      throw in.fault("chunked layout flags", "bits 0-1", "0x" + Integer.toHexString(flags));
    }
    return flags;
  }

  private static long[] dimensions(ByteReader in) {
    int count = in.u8();
    checkCount(in, count);
    int width = in.u8();
    if (width < 1 || width > 8) {
      throw in.fault("bytes per chunk dimension", "1 to 8", width);
    }
    long[] dimensions = new long[count];
    for (int i = 0; i < count; i++) {
      dimensions[i] = in.uint(width);
    }
    return dimensions;
  }

  static void checkCount(ByteReader in, int count) {
    if (count < 2 || count > Shape.MAX_RANK + 1) {
      throw in.fault("chunk dimensions", "2 to " + (Shape.MAX_RANK + 1), count);
    }
  }

  private static ChunkedLayout bare(ByteReader in, LayoutForm form, int flags, long[] dimensions) {
    for (long size : dimensions) {
      if (size < 1) {
        throw in.fault("chunk dimension", "at least 1", Long.toUnsignedString(size));
      }
    }
    long[] chunk = Arrays.copyOf(dimensions, dimensions.length - 1);
    ChunkedLayout layout =
        new ChunkedLayout(
            form,
            (flags & 1) != 0 ? EdgeChunks.UNFILTERED : EdgeChunks.FILTERED,
            Shape.of(chunk),
            dimensions[chunk.length],
            new IndexInfo.Implicit(FileAddress.UNDEFINED));
    try {
      long unused = layout.chunkBytes();
    } catch (ArithmeticException e) {
      throw in.fault("bytes of a chunk", "below 2^63", layout.chunk() + " elements");
    }
    return layout;
  }

  private static IndexInfo index(ByteReader in, ChunkedLayout layout, int flags, Widths widths) {
    int type = in.u8();
    boolean structured = layout.form().isStructured();
    if ((flags & SINGLE_FILTERED) != 0 && type != 1) {
      throw in.fault("index type under the flag for a filtered single chunk", 1, type);
    }
    return switch (type) {
      case 1 -> {
        SectionTable table = singleTable(in, layout, (flags & SINGLE_FILTERED) != 0, widths);
        long address = address(in, widths);
        if (FileAddress.isDefined(address) && table.size() == 0) {
          throw in.fault("size of a stored chunk", "at least 1", 0);
        }
        yield new IndexInfo.Single(address, table);
      }
      case 3 -> {
        int pageBits = in.u8();
        if (pageBits < 1 || pageBits > 62) {
          throw in.fault("fixed array page bits", "1 to 62", pageBits);
        }
        yield new IndexInfo.FixedArray(pageBits, address(in, widths));
      }
      case 4 ->
          new IndexInfo.ExtensibleArray(
              new ExtensibleArrayParameters(in.u8(), in.u8(), in.u8(), in.u8(), in.u8()),
              address(in, widths));
      case 5 -> new IndexInfo.BTree2(in.u32(), in.u8(), in.u8(), address(in, widths));
      case 2 -> {
        if (structured) {
          throw in.fault("index type of structured chunks", "1, 3, 4 or 5", 2);
        }
        yield new IndexInfo.Implicit(address(in, widths));
      }
      default -> throw in.fault("chunk index type", "1 to 5", type);
    };
  }

  private static long address(ByteReader in, Widths widths) {
    return widths.readAddress(in, "chunk index address");
  }

  private static SectionTable singleTable(
      ByteReader in, ChunkedLayout layout, boolean filtered, Widths widths) {
    if (!layout.form().isStructured()) {
      return filtered
          ? SectionTable.filtered(widths.readLength(in, "chunk size"), in.i32())
          : SectionTable.plain(layout.chunkBytes());
    }
    long size = in.uint(layout.sizeWidth());
    if (size < 0) {
      throw in.fault("chunk size", "at most 2^63-1", Long.toUnsignedString(size));
    }
    int n = layout.form().sections();
    long[] offsets = new long[n - 1];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = in.u63("section offset");
    }
    long[] sizes = new long[filtered ? n : 0];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = in.u63("unfiltered section size");
    }
    int[] masks = new int[sizes.length];
    for (int i = 0; i < masks.length; i++) {
      masks[i] = in.i32();
    }
    return new SectionTable(size, offsets, sizes, masks).checked();
  }

  static void encode(ChunkedLayout layout, ByteWriter out, Widths widths) {
    switch (layout.form()) {
      case VERSION_3 -> {
        out.u8(3).u8(2).u8(layout.chunk().rank() + 1);
        widths.writeAddress(out, layout.index().address());
        for (long size : dimensions(layout)) {
          out.u32(size);
        }
        return;
      }
      case VERSION_4 -> out.u8(4).u8(2).u8(flags(layout));
      case VERSION_5 -> out.u8(5).u8(2).u8(flags(layout));
      case SPARSE, SPARSE_VARIABLE -> {
        int type = layout.form() == LayoutForm.SPARSE ? 0 : 1;
        out.u8(5).u8(4).u8(0).u16(type).u8(flags(layout));
      }
    }
    encodeDimensions(layout, out);
    if (layout.form().isStructured()) {
      int sections = layout.form().sections();
      int metadata = sections == 2 ? 1 : 3;
      out.u8(8).u8(sections).u8(metadata);
      for (int i = 0; i < metadata; i++) {
        out.u8(i);
      }
    }
    encodeIndex(layout, out, widths);
    widths.writeAddress(out, layout.index().address());
  }

  private static int flags(ChunkedLayout layout) {
    int single =
        layout.index() instanceof IndexInfo.Single s && s.sections().filterMasks().length > 0
            ? SINGLE_FILTERED
            : 0;
    return single | (layout.edges() == EdgeChunks.UNFILTERED ? 1 : 0);
  }

  private static long[] dimensions(ChunkedLayout layout) {
    int rank = layout.chunk().rank();
    long[] dimensions = Arrays.copyOf(layout.chunk().extent(), rank + 1);
    dimensions[rank] = layout.elementSize();
    return dimensions;
  }

  private static void encodeDimensions(ChunkedLayout layout, ByteWriter out) {
    long[] dimensions = dimensions(layout);
    long largest = 1;
    for (long size : dimensions) {
      largest = Math.max(largest, size);
    }
    int width = (63 - Long.numberOfLeadingZeros(largest) + 8) / 8;
    out.u8(dimensions.length).u8(width);
    for (long size : dimensions) {
      out.uint(size, width);
    }
  }

  private static void encodeIndex(ChunkedLayout layout, ByteWriter out, Widths widths) {
    switch (layout.index()) {
      case IndexInfo.Single single -> {
        out.u8(1);
        encodeSingle(layout, single.sections(), out, widths);
      }
      case IndexInfo.Implicit _ -> out.u8(2);
      case IndexInfo.FixedArray array -> out.u8(3).u8(array.pageBits());
      case IndexInfo.ExtensibleArray(ExtensibleArrayParameters p, long _) ->
          out.u8(4)
              .u8(p.maxBits())
              .u8(p.indexBlockElements())
              .u8(p.minPointers())
              .u8(p.minElements())
              .u8(p.pageBits());
      case IndexInfo.BTree2 tree ->
          out.u8(5).u32(tree.nodeSize()).u8(tree.splitPercent()).u8(tree.mergePercent());
      case IndexInfo.BTree1 _ ->
          throw new IllegalArgumentException(
              "version 1 B-tree under a newer layout: form=" + layout.form());
    }
  }

  private static void encodeSingle(
      ChunkedLayout layout, SectionTable table, ByteWriter out, Widths widths) {
    boolean structured = layout.form().isStructured();
    if (structured) {
      out.uint(table.size(), layout.sizeWidth());
    } else if (table.filterMasks().length > 0) {
      widths.writeLength(out, table.size());
    }
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
