package io.skerry.chunk;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.Lookup3;
import io.skerry.chunk.filter.FilterPipeline;
import io.skerry.chunk.filter.SectionPipelines;
import io.skerry.chunk.space.PointList;
import io.skerry.chunk.space.RunSet;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.SelectionCodec;
import io.skerry.chunk.space.SelectionEncoding;
import io.skerry.chunk.space.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The stored sections of a sparse chunk, one at a time; {@link SparseChunkFormat} has the ruler.
 */
record SparseSections(
    ChunkElements geometry, SectionPipelines pipelines, SelectionEncoding encoding) {
  static final int SELECTION = 0;
  static final int VALUES = 1;
  private static final int CHECKSUM = 4;

  private static final int TYPE_POINTS = 1;

  /** Bytes before the dataspace message. */
  private static final int SPACE_HEAD = 7;

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** Section 0 before its filters. */
  MemorySegment encodeDefined(RunSet defined) {
    ByteWriter out = ByteWriter.withCapacity(64 + 16 * Math.min(defined.runs(), 1 << 24));
    SelectionCodec.encodeSet(defined, geometry.shape(), encoding, out);
    if (encoding == SelectionEncoding.V1 && pointsAreNoLarger(defined, out.position())) {
      out = ByteWriter.withCapacity(out.position());
      SelectionCodec.encode(points(defined), Shape.of(geometry.shape()), encoding, out);
    }
    return out.checksumFrom(0).written();
  }

  /**
   * Whether version 1 points take at most the bytes of the blocks that were written: no program
   * writes a pixel as a block of one, and the two forms have the same head.
   */
  private boolean pointsAreNoLarger(RunSet defined, int written) {
    int rank = geometry.shape().length;
    long head = SPACE_HEAD + 8 + 16L * rank + 24;
    return defined.count() < geometry.count() && 4L * rank * defined.count() <= written - head;
  }

  private Selection points(RunSet defined) {
    long[] shape = geometry.shape();
    long[] coordinates = new long[Math.toIntExact(defined.count() * shape.length)];
    int point = 0;
    for (int run = 0; run < defined.runs(); run++) {
      for (long index = defined.start(run); index < defined.end(run); index++) {
        long rest = index;
        for (int d = shape.length - 1; d >= 0; d--) {
          coordinates[point + d] = rest % shape[d];
          rest /= shape[d];
        }
        point += shape.length;
      }
    }
    return Selection.points(shape.length, coordinates);
  }

  /**
   * Section 0 without filters and checksum, which is verified.
   *
   * @param stored the section as it lies in the file
   */
  MemorySegment openSelection(MemorySegment stored, SectionTable table) {
    MemorySegment section = unfiltered(SELECTION, stored, table, HeapBytes.MAX_ARRAY);
    long length = section.byteSize() - CHECKSUM;
    if (length < 0) {
      throw new FormatException("bytes of section 0", "at least 4", section.byteSize());
    }
    MemorySegment space = section.asSlice(0, length);
    int kept = section.get(U32, length);
    int computed = Lookup3.checksum(space);
    if (kept != computed) {
      throw new FormatException(
          "checksum of section 0", Integer.toHexString(computed), Integer.toHexString(kept));
    }
    return space;
  }

  /** The elements that an opened section 0 names. */
  RunSet decodeDefined(MemorySegment space, SectionTable table) {
    ByteReader in = reader(space);
    RunSet defined = SelectionCodec.decodeSet(in, geometry.shape(), mostElements(table));
    if (in.remaining() != 0) {
      throw in.fault("bytes after the selection", 0, in.remaining());
    }
    if (defined.bound() > geometry.count()) {
      throw in.fault("greatest element", "below " + geometry.count(), defined.bound() - 1);
    }
    return defined;
  }

  private static ByteReader reader(MemorySegment space) {
    return ByteReader.of(space, "section 0 of a sparse chunk");
  }

  /** The order of the values, if an opened and decoded section 0 is a list of points unsorted. */
  private Optional<ListOrder> order(MemorySegment space) {
    long type = space.get(U32, SPACE_HEAD + (space.get(U32, SPACE_HEAD - 4) & 0xffffffffL));
    if (type == TYPE_POINTS
        && SelectionCodec.decode(reader(space)).selection() instanceof PointList points) {
      return ListOrder.of(points, geometry.shape());
    }
    return Optional.empty();
  }

  /** As many elements as there are values for: a pattern of a few bytes may claim any number. */
  private long mostElements(SectionTable table) {
    long told =
        table.unfilteredSizes().length == 0
            ? table.length(VALUES)
            : table.unfilteredSizes()[VALUES];
    return Math.min(geometry.count(), Math.max(0, told) / geometry.type().size());
  }

  /**
   * The packed values in row-major order, in memory of their own.
   *
   * @param stored section 1 as it lies in the file
   * @param space the opened section 0
   */
  MemorySegment decodeValues(
      MemorySegment stored, SectionTable table, RunSet defined, MemorySegment space) {
    long expected = geometry.bytes(defined.count());
    MemorySegment values = unfiltered(VALUES, stored, table, expected);
    if (values.byteSize() != expected) {
      throw new FormatException("bytes of section 1", expected, values.byteSize());
    }
    Optional<ListOrder> order = order(space);
    if (order.isPresent()) {
      MemorySegment sorted = HeapBytes.allocate(expected);
      order.get().sort(values, sorted, geometry.type().size());
      return sorted;
    }
    return DenseChunkFormat.owned(values, stored);
  }

  /** Undoes a section's filters; the record's unfiltered size, if it has one, must be right. */
  private MemorySegment unfiltered(
      int section, MemorySegment stored, SectionTable table, long limit) {
    long told = table.unfilteredSizes().length == 0 ? -1 : table.unfilteredSizes()[section];
    if (told > limit || (told < 0 && table.unfilteredSizes().length != 0)) {
      throw new FormatException("unfiltered size of section " + section, "0.." + limit, told);
    }
    FilterPipeline pipeline = pipelines.of(section);
    long most = told < 0 ? limit : told;
    MemorySegment bytes =
        pipeline.isEmpty() ? stored : pipeline.undo(stored, table.filterMask(section), most);
    if (told >= 0 && bytes.byteSize() != told) {
      throw new FormatException("unfiltered size of section " + section, told, bytes.byteSize());
    }
    return bytes;
  }
}
