package io.skerry.chunk.format;

import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.chunk.dataspace.encoding.SelectionCodec.SectionStorage;
import io.skerry.exception.FormatException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.selection.PointList;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Section 0 of structured chunks, which contains the set of defined elements. {@link
 * SparseChunkFormat} describes its layout.
 */
record DefinedSection(ChunkElements geometry, SelectionEncoding encoding) {
  /** The number of this section. */
  static final int NUMBER = 0;

  private static final int VALUES = 1;
  private static final int TYPE_POINTS = 1;

  /** The offset of the dataspace message, in bytes. */
  private static final int SPACE_HEAD = 7;

  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /**
   * Encodes section 0 with its checksum but without applying its filters. The filters influence
   * only the choice of the encoding.
   */
  MemorySegment encode(RunSet defined, FilterPipeline filters) {
    ByteWriter out = ByteWriter.withCapacity(64 + 16 * Math.min(defined.runs(), 1 << 24));
    SectionStorage storage = filters.isEmpty() ? SectionStorage.RAW : SectionStorage.COMPRESSED;
    SelectionCodec.encodeSet(defined, geometry.shape(), encoding, storage, out);
    if (encoding == SelectionEncoding.V1 && pointsAreNoLarger(defined, out.position())) {
      out = ByteWriter.withCapacity(out.position());
      SelectionCodec.encode(points(defined), Shape.of(geometry.shape()), encoding, out);
    }
    return out.checksumFrom(0).written();
  }

  /**
   * Returns whether a version 1 list of points takes no more bytes than the list of blocks; false
   * if all elements are defined. The headers of both forms have the same size.
   *
   * @param written the size of the section with a list of blocks, without checksum, in bytes
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
   * Decodes the set of defined elements from section 0.
   *
   * @param space the section without filters and checksum
   * @param table the section table of the chunk, from which an upper bound on the number of
   *     elements is derived: a damaged selection of a few bytes may claim any number of elements,
   *     but each element must have a value in section 1
   */
  RunSet decode(MemorySegment space, SectionTable table) {
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

  /** Decodes the section from its stored bytes: reverses its filters and verifies the checksum. */
  ChunkFormat.StoredLocations locations(
      StructuredImage images, MemorySegment stored, SectionTable table) {
    long recorded = images.checked(table).length(NUMBER);
    if (stored.byteSize() != recorded) {
      throw new FormatException("stored bytes of section 0", recorded, stored.byteSize());
    }
    MemorySegment space = images.verified(NUMBER, stored, table, HeapBytes.MAX_ARRAY);
    return new ChunkFormat.StoredLocations(
        decode(space, table), SelectionCodec.form(reader(space)));
  }

  private static ByteReader reader(MemorySegment space) {
    return ByteReader.of(space, "section 0 of a sparse chunk");
  }

  /**
   * Returns the order of the values if the decoded section 0 contains an unsorted list of points;
   * otherwise empty.
   */
  private Optional<PointOrder> order(MemorySegment space) {
    long type = space.get(U32, SPACE_HEAD + (space.get(U32, SPACE_HEAD - 4) & 0xffffffffL));
    if (type == TYPE_POINTS
        && SelectionCodec.decode(reader(space)).selection() instanceof PointList points) {
      return PointOrder.of(points, geometry.shape());
    }
    return Optional.empty();
  }

  private long mostElements(SectionTable table) {
    long recorded =
        table.unfilteredSizes().length == 0
            ? table.length(VALUES)
            : table.unfilteredSizes()[VALUES];
    return Math.min(geometry.count(), Math.max(0, recorded) / geometry.type().size());
  }

  /**
   * Returns the values in row-major order: {@code values} itself unless section 0 lists points in a
   * different order.
   *
   * @param values one value for each element, in the order of the selection
   * @param space the decoded section 0
   */
  MemorySegment inOrder(MemorySegment values, MemorySegment space) {
    Optional<PointOrder> order = order(space);
    if (order.isEmpty()) {
      return values;
    }
    MemorySegment sorted = HeapBytes.allocate(values.byteSize());
    order.get().sort(values, sorted, geometry.type().size());
    return sorted;
  }
}
