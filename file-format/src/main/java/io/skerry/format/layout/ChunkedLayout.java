package io.skerry.format.layout;

import io.skerry.chunk.SectionTable;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.selection.Shape;

/**
 * The layout of a dataset whose elements are stored in dense or sparse chunks. D is rank + 1, E is
 * the width in bytes of a dimension field, and W is {@link #sizeWidth}. The last dimension is the
 * size of an element in bytes.
 *
 * <pre>
 * version 3:    03 | 02 | D u8 | B-tree O | dimensions D x u32
 * versions 4, 5: v | 02 | flags u8 | D u8 | E u8 | dimensions D x E
 *               | index type u8 | index information | address O
 * structured:   05 | 04 | 00 | type u16, 0 sparse, 1 VL | flags u8 | D u8 | E u8 | dimensions D x E
 *               | 08 | N sections u8 | K metadata sections u8 | section numbers K x u8
 *               | index type u8 | index information | address O
 * flags:        bit 0 partial edge chunks are not filtered, bit 1 single chunk with filter
 * index information, by type:
 *   1 single    dense: if flag bit 1, size L | mask u32
 *               structured: size W | offset[1..N-1] u64
 *               | if flag bit 1, unfiltered size[0..N-1] u64 | mask[0..N-1] u32
 *   2 implicit  nothing (dense only)
 *   3 fixed     page bits u8
 *   4 ext.      five u8 as in {@link ExtensibleArrayParameters}
 *   5 tree      node size u32 | split u8 | merge u8
 * </pre>
 *
 * <p>Sources: HDF5 File Format Specification 3.0, section IV.A.2.i, "The Data Layout Message"; for
 * class 4, The HDF Group's RFC on the file format of structured chunks, version 28 (2025-10-09), as
 * implemented by the HDF5 branch {@code feature/sparse_data} (2026).
 *
 * @param form the version and class on disk
 * @param edges the filtering of partial edge chunks
 * @param chunk the size of a chunk in each dimension, in elements
 * @param elementSize the size of an element in the file in bytes
 * @param index the chunk index
 */
public record ChunkedLayout(
    LayoutForm form, EdgeChunks edges, Shape chunk, long elementSize, IndexInfo index)
    implements LayoutMessage {

  /**
   * Returns the layout of a new dataset of dense chunks without allocated space.
   *
   * @param shape the current and maximum extent of the dataset, which determine the chunk index
   * @param chunk the size of a chunk in each dimension, in elements, at least 1
   * @param elementSize the size of an element in the file in bytes
   * @param filtering the presence of filters in the pipeline
   * @throws IllegalArgumentException if the dataset has no dimensions, if its rank differs from
   *     that of the chunk, if a chunk dimension is not from 1 to 2^32 - 1, or if the element size
   *     is less than 1
   */
  public static ChunkedLayout dense(
      Shape shape, Shape chunk, long elementSize, Filtering filtering) {
    return create(LayoutForm.VERSION_4, shape, chunk, elementSize, filtering);
  }

  /**
   * Like {@link #dense}, but in layout message version 5, introduced in HDF5 2.0. The width of a
   * chunk size in its index records is the file's size of lengths, normally eight bytes.
   */
  public static ChunkedLayout newest(
      Shape shape, Shape chunk, long elementSize, Filtering filtering) {
    return create(LayoutForm.VERSION_5, shape, chunk, elementSize, filtering);
  }

  /**
   * Like {@link #dense}, but in layout message version 3, which every HDF5 release since 1.6.3
   * reads. The chunks are indexed by a version 1 B-tree, regardless of the shape and the filters.
   */
  public static ChunkedLayout earliest(Shape shape, Shape chunk, long elementSize) {
    checkChunk(shape, chunk, elementSize);
    return new ChunkedLayout(
        LayoutForm.VERSION_3,
        EdgeChunks.FILTERED,
        chunk,
        elementSize,
        new IndexInfo.BTree1(FileAddress.UNDEFINED));
  }

  /**
   * Like {@link #dense}, but for unfiltered chunks with an implicit index. The first flush that
   * stores a chunk allocates space for all chunks.
   *
   * @throws IllegalArgumentException if a dimension is unlimited, if the dataset has no dimensions,
   *     if its rank differs from that of the chunk, if a chunk dimension is not from 1 to 2^32 - 1,
   *     or if the element size is less than 1
   */
  public static ChunkedLayout implicit(Shape shape, Shape chunk, long elementSize) {
    checkChunk(shape, chunk, elementSize);
    for (int i = 0; i < shape.rank(); i++) {
      if (shape.maximum(i) == Shape.UNLIMITED) {
        throw new IllegalArgumentException(
            "an implicit chunk index cannot grow without limit: shape=" + shape);
      }
    }
    return new ChunkedLayout(
        LayoutForm.VERSION_4,
        EdgeChunks.FILTERED,
        chunk,
        elementSize,
        new IndexInfo.Implicit(FileAddress.UNDEFINED));
  }

  /** Like {@link #dense}, but for sparse chunks of a fixed-size datatype. */
  public static ChunkedLayout sparse(
      Shape shape, Shape chunk, long elementSize, Filtering filtering) {
    return create(LayoutForm.SPARSE, shape, chunk, elementSize, filtering);
  }

  /** Like {@link #dense}, but for sparse chunks of a datatype with variable-length parts. */
  public static ChunkedLayout sparseVariable(
      Shape shape, Shape chunk, long elementSize, Filtering filtering) {
    return create(LayoutForm.SPARSE_VARIABLE, shape, chunk, elementSize, filtering);
  }

  private static ChunkedLayout create(
      LayoutForm form, Shape shape, Shape chunk, long elementSize, Filtering filtering) {
    checkChunk(shape, chunk, elementSize);
    long none = FileAddress.UNDEFINED;
    IndexInfo index =
        switch (ChunkIndexKind.of(shape, chunk.extent())) {
          case SINGLE ->
              new IndexInfo.Single(none, unallocated(form, chunk, elementSize, filtering));
          case FIXED_ARRAY ->
              new IndexInfo.FixedArray(IndexInfo.FixedArray.STANDARD_PAGE_BITS, none);
          case EXTENSIBLE_ARRAY ->
              new IndexInfo.ExtensibleArray(ExtensibleArrayParameters.STANDARD, none);
          case BTREE_2 -> IndexInfo.BTree2.standard(none);
          case IMPLICIT, BTREE_1 ->
              throw new IllegalStateException("these are chosen by name: shape=" + shape);
        };
    return new ChunkedLayout(form, EdgeChunks.FILTERED, chunk, elementSize, index);
  }

  private static void checkChunk(Shape shape, Shape chunk, long elementSize) {
    boolean fits = shape.rank() == chunk.rank() && shape.rank() > 0 && elementSize > 0;
    for (int i = 0; fits && i < chunk.rank(); i++) {
      fits = chunk.extent(i) > 0 && chunk.extent(i) <= 0xffffffffL;
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "chunk does not suit the dataset: shape="
              + shape
              + " chunk="
              + chunk
              + " elementSize="
              + elementSize);
    }
  }

  /** Returns the section table for the layout of a single chunk that is not allocated. */
  private static SectionTable unallocated(
      LayoutForm form, Shape chunk, long elementSize, Filtering filtering) {
    boolean filtered = filtering == Filtering.FILTERED;
    int n = form.sections();
    if (!form.isStructured()) {
      return filtered
          ? SectionTable.filtered(0, 0)
          : SectionTable.plain(Math.multiplyExact(chunk.elements(), elementSize));
    }
    return new SectionTable(
        0, new long[n - 1], new long[filtered ? n : 0], new int[filtered ? n : 0]);
  }

  /** Returns this layout with a different chunk index. */
  public ChunkedLayout withIndex(IndexInfo newIndex) {
    return new ChunkedLayout(form, edges, chunk, elementSize, newIndex);
  }

  /** Returns this layout with a different setting for the filtering of partial edge chunks. */
  public ChunkedLayout withEdges(EdgeChunks newEdges) {
    return new ChunkedLayout(form, newEdges, chunk, elementSize, index);
  }

  /**
   * Returns the size in bytes of a complete dense chunk, with its elements in the file datatype.
   */
  public long chunkBytes() {
    return Math.multiplyExact(chunk.elements(), elementSize);
  }

  /**
   * Returns W, the size in bytes of the chunk size field in index records, in a file with
   * eight-byte lengths.
   */
  public int sizeWidth() {
    if (form == LayoutForm.VERSION_5 || form == LayoutForm.SPARSE_VARIABLE) {
      return 8;
    }
    int log2 = 63 - Long.numberOfLeadingZeros(Math.max(1, chunkBytes()));
    return Math.min(8, 1 + (log2 + 8) / 8);
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    ChunkedLayoutCodec.encode(this, out, widths);
  }
}
