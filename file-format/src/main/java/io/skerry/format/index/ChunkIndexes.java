package io.skerry.format.index;

import io.skerry.exception.FormatException;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.format.index.api.ChunkLinearizer;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.index.api.RecordFormat;
import io.skerry.format.index.api.TreeIndex;
import io.skerry.format.index.array.ArrayBlocks;
import io.skerry.format.index.array.ExtensibleArrayIndex;
import io.skerry.format.index.array.FixedArrayIndex;
import io.skerry.format.index.btree.ChunkBTree1;
import io.skerry.format.index.btree.ChunkBTree1Nodes;
import io.skerry.format.index.btree.ChunkBTree2;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.format.layout.IndexInfo;
import io.skerry.selection.Shape;

/**
 * Opens or creates the chunk index of a dataset. The layout message of the dataset determines the
 * kind of index.
 */
public final class ChunkIndexes {
  /** Default half rank (K) of chunk B-trees, for files that do not store one. */
  private static final int STANDARD_HALF_RANK = 32;

  private ChunkIndexes() {}

  /**
   * Like {@link #open(ChunkedLayout, Shape, Filtering, Widths, int, ByteSource)}, but for a file
   * whose chunk B-trees have the default half rank.
   */
  public static ChunkIndex open(
      ChunkedLayout layout, Shape shape, Filtering filtering, Widths widths, ByteSource source) {
    return open(layout, shape, filtering, widths, STANDARD_HALF_RANK, source);
  }

  /**
   * Opens the stored index of a dataset. Reads the spine of a {@link LinearIndex}; reads no part of
   * a tree.
   *
   * @param layout the data layout message of the dataset
   * @param shape the current and maximum extent of the dataset
   * @param filtering the presence of filters in the pipeline
   * @param widths the sizes of offsets and lengths in the file
   * @param halfRank K of the file's version 1 chunk B-trees, whose nodes have up to 2K children
   * @param source the file
   * @throws FormatException if the layout or the spine contradicts the shape or the presence of
   *     filters, if the spine is damaged, or if chunks of an implicit index are beyond the end of
   *     the file
   */
  public static ChunkIndex open(
      ChunkedLayout layout,
      Shape shape,
      Filtering filtering,
      Widths widths,
      int halfRank,
      ByteSource source) {
    try {
      return switch (create(layout, shape, filtering, widths, halfRank)) {
        case FixedArrayIndex empty ->
            layout.index().isAllocated() ? FixedArrayIndex.open(empty, source) : empty;
        case ExtensibleArrayIndex empty ->
            layout.index().isAllocated() ? ExtensibleArrayIndex.open(empty, source) : empty;
        case ImplicitIndex implicit -> implicit.within(source);
        case ChunkIndex complete -> complete;
      };
    } catch (FormatException e) {
      throw e.inFile(source.name()).inObject("chunk index");
    }
  }

  /**
   * Creates the empty index of a new dataset; allocates no file space.
   *
   * @param layout a layout without addresses, such as the result of {@link ChunkedLayout#dense} or
   *     {@link ChunkedLayout#sparse} for the same shape
   * @param shape the current and maximum extent of the dataset
   * @param filtering the presence of filters in the pipeline
   * @param widths the sizes of offsets and lengths in the file
   */
  public static ChunkIndex create(
      ChunkedLayout layout, Shape shape, Filtering filtering, Widths widths) {
    return create(layout, shape, filtering, widths, STANDARD_HALF_RANK);
  }

  private static ChunkIndex create(
      ChunkedLayout layout, Shape shape, Filtering filtering, Widths widths, int halfRank) {
    RecordFormat records = RecordFormat.of(layout, filtering, widths);
    return switch (layout.index()) {
      case IndexInfo.BTree1 _ -> {
        checkRank(layout, shape);
        yield new TreeIndex(
            layout,
            records,
            (index, source) ->
                ChunkBTree1.open(
                    index,
                    new ChunkBTree1Nodes(index.layout(), filtering, widths, halfRank),
                    source));
      }
      case IndexInfo.BTree2 _ -> {
        checkRank(layout, shape);
        yield new TreeIndex(
            layout, records, (index, source) -> ChunkBTree2.open(index, widths, source));
      }
      case IndexInfo.Single _,
          IndexInfo.Implicit _,
          IndexInfo.FixedArray _,
          IndexInfo.ExtensibleArray _ ->
          linear(layout, shape, records, widths);
    };
  }

  private static void checkRank(ChunkedLayout layout, Shape shape) {
    if (shape.rank() != layout.chunk().rank()) {
      throw new FormatException("rank of the chunks", shape.rank(), layout.chunk().rank());
    }
  }

  private static LinearIndex linear(
      ChunkedLayout layout, Shape shape, RecordFormat records, Widths widths) {
    checkUnlimited(layout, shape);
    ChunkLinearizer grid = ChunkLinearizer.of(shape, layout.chunk());
    ArrayBlocks blocks = ArrayBlocks.create(records, widths);
    return switch (layout.index()) {
      case IndexInfo.Single info -> {
        if (!records.fits(info.sections())) {
          throw new FormatException(
              "filter flag of a single chunk", "as the filter pipeline", "the other");
        }
        yield new SingleChunkIndex(layout, info, records, grid);
      }
      case IndexInfo.Implicit info -> ImplicitIndex.create(layout, info, records, grid);
      case IndexInfo.FixedArray info -> FixedArrayIndex.create(layout, info, blocks, grid);
      case IndexInfo.ExtensibleArray info ->
          ExtensibleArrayIndex.create(layout, info, blocks, grid);
      case IndexInfo.BTree1 _, IndexInfo.BTree2 _ ->
          throw new IllegalArgumentException("a tree has no numbers: layout=" + layout);
    };
  }

  private static void checkUnlimited(ChunkedLayout layout, Shape shape) {
    int unlimited = 0;
    for (int i = 0; i < shape.rank(); i++) {
      unlimited += shape.maximum(i) == Shape.UNLIMITED ? 1 : 0;
    }
    int expected = layout.index() instanceof IndexInfo.ExtensibleArray ? 1 : 0;
    if (unlimited != expected) {
      throw new FormatException("unlimited dimensions under this chunk index", expected, unlimited);
    }
  }
}
