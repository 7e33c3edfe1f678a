package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.format.Bytes;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Checksums;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.FractalHeapParameters.DirectBlockChecksum;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import java.lang.foreign.MemorySegment;

/**
 * The header of a fractal heap. O and L are the sizes of offsets and lengths. Source: HDF5 File
 * Format Specification 3.0, section III.G, "Fractal Heap".
 *
 * <pre>
 * "FRHP" | version 0 u8 | id length u16 | size F of the filter information u16
 * flags u8: bit 0 huge object IDs wrapped, bit 1 direct blocks have checksums
 * largest managed object u32 | next huge object ID L | B-tree of huge objects O
 * free bytes in managed blocks L | free-space manager O
 * managed space L | allocated managed space L | iterator offset L | managed objects L
 * huge bytes L | huge objects L | tiny bytes L | tiny objects L
 * table width u16 | starting block size L | largest direct block L | address bits u16
 * starting rows u16 | root block O | rows of the root block u16, 0 if it is a direct block
 * [filtered size of a direct root L | its filter mask u32 | pipeline message, F bytes, if F > 0]
 * lookup3 checksum of all bytes above
 * </pre>
 *
 * @param address the address of the header
 * @param widths the sizes of offsets and lengths in the file
 * @param parameters the parameters that never change
 * @param filterMessage the filter pipeline message as stored; empty if the heap is not filtered
 * @param huge the fields for huge objects
 * @param managed the fields for managed objects
 * @param root the fields for the root block
 * @param tinyBytes the total size of tiny objects in bytes
 * @param tinyObjects the number of tiny objects
 */
record FractalHeapHeader(
    long address,
    Widths widths,
    FractalHeapParameters parameters,
    Bytes filterMessage,
    Huge huge,
    Managed managed,
    Root root,
    long tinyBytes,
    long tinyObjects) {
  private static final String WHAT = "fractal heap header";
  private static final int NUMBERS_RAN_OUT = 1;
  private static final int CHECKSUMS = 2;

  /**
   * The fields for huge objects.
   *
   * @param numbering the availability of new object IDs
   * @param nextNumber the ID that was assigned last; the next new ID is greater by 1
   * @param tree the address of the B-tree, undefined if there are no huge objects
   * @param bytes the total size in bytes
   * @param objects the number of huge objects
   */
  record Huge(Numbering numbering, long nextNumber, long tree, long bytes, long objects) {}

  /** Availability of new IDs for huge objects, which run out when the ID counter has wrapped. */
  enum Numbering {
    FRESH,
    RAN_OUT
  }

  /**
   * The fields for managed objects.
   *
   * @param free the number of bytes that objects can still occupy below the root block, including
   *     those in direct blocks that are not in the file
   * @param freeSpace the address of the free-space manager, or undefined
   * @param span the number of bytes of address space that the root block covers
   * @param allocated the total size in bytes of the direct blocks in the file
   * @param iterator the heap offset of the next new direct block; 0 if the root block is not an
   *     indirect block
   * @param objects the number of managed objects
   */
  record Managed(
      long free, long freeSpace, long span, long allocated, long iterator, long objects) {}

  /**
   * The fields for the root block.
   *
   * @param address the address; undefined if the heap has no block
   * @param rows the number of rows of an indirect block, 0 for a direct block
   * @param filteredSize the size in bytes of the filtered block, as stored in the file, if the root
   *     is a direct block and the heap is filtered
   * @param filterMask the mask of filters skipped for a filtered direct root block
   */
  record Root(long address, int rows, long filteredSize, int filterMask) {}

  private static long fixedSize(Widths widths) {
    return 26L + 12L * widths.length() + 3L * widths.offset();
  }

  /** Returns the size in bytes of a header with a filter pipeline message of the given size. */
  static long size(Widths widths, int filterBytes) {
    return fixedSize(widths) + (filterBytes == 0 ? 0 : widths.length() + 4 + filterBytes);
  }

  /** Returns the file space of the header. */
  Block block() {
    return new Block(address, size(widths, filterMessage.size()));
  }

  static FractalHeapHeader read(ByteSource source, Widths widths, long address) {
    try {
      ByteReader start = ByteReader.of(source.read(address, 9), WHAT);
      start.expectSignature("FRHP");
      start.expect("version", 0, start.u8());
      start.skip(2);
      int filterBytes = start.u16();
      long size = size(widths, filterBytes);
      MemorySegment body = Checksums.verified(source.read(address, size), WHAT);
      return decode(ByteReader.of(body, WHAT), widths, address, filterBytes);
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(address);
    }
  }

  private static FractalHeapHeader decode(
      ByteReader in, Widths widths, long address, int filterBytes) {
    in.skip(5);
    int idLength = in.u16();
    in.skip(2);
    int flags = in.u8();
    if (flags > 3) {
      throw in.fault("flags", "bits 0-1", "0x" + Integer.toHexString(flags));
    }
    long maxManaged = in.u32();
    long nextNumber = in.uint(widths.length());
    long hugeTree = widths.readAddress(in, "B-tree of huge objects");
    long free = widths.readLength(in, "free bytes");
    long freeSpace = widths.readAddress(in, "free-space manager");
    long span = widths.readLength(in, "managed space");
    long allocated = widths.readLength(in, "allocated managed space");
    long iterator = widths.readLength(in, "iterator offset");
    long objects = widths.readLength(in, "managed objects");
    long hugeBytes = widths.readLength(in, "huge bytes");
    long hugeObjects = widths.readLength(in, "huge objects");
    long tinyBytes = widths.readLength(in, "tiny bytes");
    long tinyObjects = widths.readLength(in, "tiny objects");
    most(in, "allocated managed space", span, allocated);
    most(in, "managed objects", span, objects);
    most(in, "huge objects", hugeBytes, hugeObjects);
    most(in, "tiny objects", tinyBytes, tinyObjects);
    int width = in.u16();
    long startSize = widths.readLength(in, "starting block size");
    long maxDirect = widths.readLength(in, "largest direct block");
    DoublingTable table = new DoublingTable(width, startSize, maxDirect, in.u16());
    // HDF5 2.0.0 does not always lower this number when the root block shrinks, so that it may
    // exceed the managed space. It is computed anew when the heap changes.
    most(in, "free bytes", table.span(table.maxRows()), free);
    int startRows = in.u16();
    long rootAddress = widths.readAddress(in, "root block");
    int rows = in.u16();
    if (rows > table.maxRows()) {
      throw in.fault("rows of the root block", "at most " + table.maxRows(), rows);
    }
    Root root = new Root(rootAddress, rows, 0, 0);
    FilterPipeline filters = FilterPipeline.none();
    Bytes message = Bytes.EMPTY;
    if (filterBytes > 0) {
      root = new Root(rootAddress, rows, widths.readLength(in, "filtered size"), in.i32());
      message = Bytes.of(in.slice(filterBytes));
      filters = pipeline(ByteReader.of(message.segment(), "filters of a fractal heap"));
    }
    DirectBlockChecksum checksums =
        (flags & CHECKSUMS) != 0 ? DirectBlockChecksum.PRESENT : DirectBlockChecksum.ABSENT;
    Numbering numbering = (flags & NUMBERS_RAN_OUT) != 0 ? Numbering.RAN_OUT : Numbering.FRESH;
    return new FractalHeapHeader(
        address,
        widths,
        new FractalHeapParameters(idLength, maxManaged, checksums, table, startRows, filters),
        message,
        new Huge(numbering, nextNumber, hugeTree, hugeBytes, hugeObjects),
        new Managed(free, freeSpace, span, allocated, iterator, objects),
        root,
        tinyBytes,
        tinyObjects);
  }

  private static void most(ByteReader in, String what, long limit, long value) {
    if (value > limit) {
      throw in.fault(what, "at most " + limit, value);
    }
  }

  private static FilterPipeline pipeline(ByteReader in) {
    if (FilterPipelineMessage.decode(in) instanceof FilterPipelineMessage(FilterPipeline found)
        && !found.isEmpty()) {
      return found;
    }
    throw in.fault("pipeline", "at least one filter", "none");
  }

  BlockImage image() {
    ByteWriter out = ByteWriter.create();
    FractalHeapParameters p = parameters;
    int flags =
        (huge.numbering == Numbering.RAN_OUT ? NUMBERS_RAN_OUT : 0)
            | (p.isChecksummed() ? CHECKSUMS : 0);
    out.text("FRHP")
        .u8(0)
        .u16(p.idLength())
        .u16(filterMessage.size())
        .u8(flags)
        .u32(p.maxManaged());
    widths.writeLength(out, huge.nextNumber);
    widths.writeAddress(out, huge.tree);
    widths.writeLength(out, managed.free);
    widths.writeAddress(out, managed.freeSpace);
    widths.writeLength(out, managed.span);
    widths.writeLength(out, managed.allocated);
    widths.writeLength(out, managed.iterator);
    widths.writeLength(out, managed.objects);
    widths.writeLength(out, huge.bytes);
    widths.writeLength(out, huge.objects);
    widths.writeLength(out, tinyBytes);
    widths.writeLength(out, tinyObjects);
    out.u16(p.table().width());
    widths.writeLength(out, p.table().startSize());
    widths.writeLength(out, p.table().maxDirect());
    out.u16(p.table().maxBits()).u16(p.startRows());
    widths.writeAddress(out, root.address);
    out.u16(root.rows);
    if (filterMessage.size() > 0) {
      widths.writeLength(out, root.filteredSize);
      out.u32(root.filterMask);
      out.bytes(filterMessage.segment());
    }
    out.checksumFrom(0);
    return new BlockImage(address, BlockKind.FRACTAL_HEAP_HEADER, out.written());
  }
}
