package io.skerry.format.index;

import io.skerry.chunk.FormatException;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.space.Shape;
import io.skerry.format.ByteSource;
import io.skerry.format.Widths;
import io.skerry.format.object.ChunkedLayout;
import io.skerry.format.object.IndexInfo;

/** Picks the implementation that a layout asks for. */
final class ChunkIndexReader {
  private ChunkIndexReader() {}

  static ChunkIndex open(
      ChunkedLayout layout, Shape shape, Filtering filtering, Widths widths, ByteSource source) {
    try {
      return switch (create(layout, shape, filtering, widths)) {
        case SingleChunkIndex single -> single;
        case FixedArrayIndex empty ->
            layout.index().isAllocated() ? FixedArrayIndex.open(empty, source) : empty;
        case ExtensibleArrayIndex empty ->
            layout.index().isAllocated() ? ExtensibleArrayIndex.open(empty, source) : empty;
      };
    } catch (FormatException e) {
      throw e.inFile(source.name()).inObject("chunk index");
    }
  }

  static ChunkIndex create(ChunkedLayout layout, Shape shape, Filtering filtering, Widths widths) {
    checkUnlimited(layout, shape);
    ChunkGrid grid = ChunkGrid.of(shape, layout.chunk());
    RecordFormat records = RecordFormat.of(layout, filtering, widths);
    ArrayBlocks blocks = ArrayBlocks.create(records, widths);
    return switch (layout.index()) {
      case IndexInfo.Single info -> {
        if (!records.fits(info.sections())) {
          throw new FormatException(
              "filter flag of a single chunk", "as the filter pipeline: " + filtering, "the other");
        }
        yield new SingleChunkIndex(layout, info, records, grid);
      }
      case IndexInfo.FixedArray info -> FixedArrayIndex.create(layout, info, blocks, grid);
      case IndexInfo.ExtensibleArray info ->
          ExtensibleArrayIndex.create(layout, info, blocks, grid);
      case IndexInfo.VersionOneTree _ -> throw unsupported("version 1 B-tree", shape);
      case IndexInfo.VersionTwoTree _ -> throw unsupported("version 2 B-tree", shape);
      case IndexInfo.Implicit _ -> throw unsupported("implicit", shape);
    };
  }

  private static void checkUnlimited(ChunkedLayout layout, Shape shape) {
    int unlimited = 0;
    for (int i = 0; i < shape.rank(); i++) {
      unlimited += shape.maximum(i) == Shape.UNLIMITED ? 1 : 0;
    }
    int expected =
        switch (layout.index()) {
          case IndexInfo.ExtensibleArray _ -> 1;
          case IndexInfo.Single _, IndexInfo.FixedArray _, IndexInfo.Implicit _ -> 0;
          case IndexInfo.VersionOneTree _, IndexInfo.VersionTwoTree _ -> unlimited;
        };
    if (unlimited != expected) {
      throw new FormatException("unlimited dimensions under this chunk index", expected, unlimited);
    }
  }

  private static UnsupportedFeatureException unsupported(String kind, Shape shape) {
    return new UnsupportedFeatureException(
        "chunk index of kind " + kind, "dataset of shape " + shape);
  }
}
