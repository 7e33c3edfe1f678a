package io.skerry.chunk.dataspace.encoding;

import io.skerry.chunk.dataspace.BoxCover;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.RunSetSpans;
import io.skerry.chunk.dataspace.SpanTree;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.AllSelection;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.NoneSelection;
import io.skerry.selection.PointList;
import io.skerry.selection.Region;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.SelectionSets;
import java.util.Arrays;

/**
 * Chooses the version and the integer width in which a selection is written.
 *
 * <p>Except for {@link SelectionEncoding#SMALLEST} and {@link SelectionEncoding#V1}, the choices
 * are those of the HDF5 library, as described in The HDF Group's RFC on the file format of
 * structured chunks, version 28 (2025-10-09). Points are written in version 2 if the library
 * version bound is at least 1.12 or a number exceeds 32 bits, otherwise in version 1. Hyperslabs
 * are written in version 3 if the bound is at least 1.12. With an earlier bound, they are written
 * in version 2 if they are unlimited or regular with coordinates beyond 32 bits, in version 3 if
 * they are irregular with coordinates beyond 32 bits, in version 2 if the bound is 1.10 and they
 * are regular with four or more blocks, and otherwise in version 1.
 */
final class EncodingChoice {
  private static final long U32_MAX = 0xffffffffL;

  private EncodingChoice() {}

  /**
   * Returns the smallest width, in bytes, that can hold all coordinates of a chunk of the given
   * sizes.
   */
  static int width(long[] sizes) {
    return SelectionEncoder.width(Arrays.stream(sizes).max().orElse(1) - 1);
  }

  static void points(PointList points, SelectionEncoding encoding, SelectionEncoder out) {
    long max =
        Math.max(points.size(), Arrays.stream(SelectionSets.coordinates(points)).max().orElse(0));
    boolean versionTwo =
        switch (encoding) {
          case V1 -> false;
          case LIBRARY_EARLIEST, LIBRARY_V110 -> max > U32_MAX;
          case SMALLEST, LIBRARY_V112 -> true;
        };
    if (versionTwo) {
      out.pointsV2(points, SelectionEncoder.width(max));
    } else {
      out.pointsV1(points);
    }
  }

  static void pattern(Hyperslab slab, SelectionEncoding encoding, SelectionEncoder out) {
    if (slab.isUnlimited()) {
      unlimited(slab, encoding, out);
      return;
    }
    long blocks = blocks(slab);
    boolean wide = lastCoordinate(SelectionSets.bounds(slab).end()) > U32_MAX;
    int version =
        switch (encoding) {
          case V1 -> 1;
          case SMALLEST, LIBRARY_V112 -> 3;
          case LIBRARY_EARLIEST -> wide ? 2 : 1;
          case LIBRARY_V110 -> wide || blocks >= 4 ? 2 : 1;
        };
    if (version == 2) {
      out.patternV2(slab);
    } else if (version == 1) {
      out.blocksV1(BoxCover.inTreeOrder(SelectionSets.tree(slab)), slab.dimensions());
    } else if (encoding == SelectionEncoding.SMALLEST) {
      smallestPattern(slab, blocks, out);
    } else {
      out.patternV3(slab, patternWidth(slab));
    }
  }

  private static void unlimited(Hyperslab slab, SelectionEncoding encoding, SelectionEncoder out) {
    if (SelectionSets.unlimitedDimensions(slab) > 1) {
      throw new UnsupportedFeatureException(
          "hyperslab " + slab, "more than one unlimited dimension in an encoded selection");
    }
    switch (encoding) {
      case V1 ->
          throw new UnsupportedFeatureException(
              "unlimited hyperslab " + slab, "selection encoding version 1");
      case LIBRARY_EARLIEST, LIBRARY_V110 -> out.patternV2(slab);
      case SMALLEST, LIBRARY_V112 -> out.patternV3(slab, patternWidth(slab));
    }
  }

  private static void smallestPattern(Hyperslab slab, long blocks, SelectionEncoder out) {
    int rank = slab.dimensions();
    int patternWidth = patternWidth(slab);
    int blockWidth =
        SelectionEncoder.width(Math.max(blocks, lastCoordinate(SelectionSets.bounds(slab).end())));
    long patternBytes = SelectionEncoder.bytesOfPattern(rank, patternWidth);
    if (blocks <= 2 && SelectionEncoder.bytesOfBlocks(rank, blocks, blockWidth) < patternBytes) {
      BoxCover cover = BoxCover.inTreeOrder(SelectionSets.tree(slab));
      out.blocksV3(cover, rank, blockWidth);
    } else {
      out.patternV3(slab, patternWidth);
    }
  }

  static void region(SpanTree tree, SelectionEncoding encoding, SelectionEncoder out) {
    int rank = tree.depth();
    long last = lastCoordinate(tree.high());
    boolean versionThree =
        switch (encoding) {
          case V1 -> false;
          case LIBRARY_EARLIEST, LIBRARY_V110 -> last > U32_MAX;
          case SMALLEST, LIBRARY_V112 -> true;
        };
    BoxCover cover =
        encoding == SelectionEncoding.SMALLEST ? BoxCover.of(tree) : BoxCover.inTreeOrder(tree);
    if (versionThree) {
      out.blocksV3(cover, rank, SelectionEncoder.width(Math.max(cover.size(), last)));
    } else {
      out.blocksV1(cover, rank);
    }
  }

  /**
   * Writes a set of elements of a chunk in the encoding that is expected to take the least space in
   * the given storage. Lists use the integer width of the chunk's coordinates, or a greater one if
   * the number of entries requires it.
   */
  static void smallestSet(
      RunSet elements,
      Selection simplest,
      long[] sizes,
      SelectionCodec.SectionStorage storage,
      SelectionEncoder out) {
    switch (simplest) {
      case NoneSelection _ -> out.none();
      case AllSelection _ -> out.all();
      case Hyperslab slab -> smallestPattern(slab, elements, sizes, storage, out);
      case Region region ->
          blocksOrPoints(elements, SelectionSets.tree(region), sizes, storage, out);
      case PointList _ -> throw new IllegalStateException("a set is never a list of points");
    }
  }

  private static void smallestPattern(
      Hyperslab slab,
      RunSet elements,
      long[] sizes,
      SelectionCodec.SectionStorage storage,
      SelectionEncoder out) {
    long pattern = SelectionEncoder.bytesOfPattern(sizes.length, patternWidth(slab));
    long list = SelectionEncoder.bytesOfBlocks(sizes.length, blocks(slab), width(sizes));
    long points = SelectionEncoder.bytesOfPoints(sizes.length, elements.count(), width(sizes));
    boolean few =
        switch (storage) {
          case RAW -> Math.min(list, points) < pattern;
          // After compression, a pattern is usually the smallest encoding unless it has only one
          // or two blocks.
          case COMPRESSED -> blocks(slab) <= 2 && list < pattern;
        };
    if (few) {
      blocksOrPoints(elements, RunSetSpans.of(elements, sizes), sizes, storage, out);
    } else {
      out.patternV3(slab, patternWidth(slab));
    }
  }

  private static void blocksOrPoints(
      RunSet elements,
      SpanTree tree,
      long[] sizes,
      SelectionCodec.SectionStorage storage,
      SelectionEncoder out) {
    BoxCover cover = BoxCover.of(tree);
    int width = width(sizes);
    int blockWidth = Math.max(width, SelectionEncoder.width(cover.size()));
    int pointWidth = Math.max(width, SelectionEncoder.width(elements.count()));
    long asBlocks = SelectionEncoder.bytesOfBlocks(sizes.length, cover.size(), blockWidth);
    long asPoints = SelectionEncoder.bytesOfPoints(sizes.length, elements.count(), pointWidth);
    boolean points =
        switch (storage) {
          case RAW -> asPoints < asBlocks;
          // The first and last coordinates of a one-element block are equal, so after compression
          // the block is hardly larger than a point. The shuffle filter is bound to the records of
          // blocks with the width of the coordinates. If a list needs numbers of twice this width,
          // a point has the size that shuffle expects, and a block does not.
          case COMPRESSED ->
              blockWidth == 2 * width ? asPoints * 4 <= asBlocks * 3 : asPoints * 5 <= asBlocks * 3;
        };
    if (points) {
      out.pointsV2(elements, sizes, pointWidth);
    } else {
      out.blocksV3(cover, sizes.length, blockWidth);
    }
  }

  /**
   * Returns the width of the numbers of a pattern, in bytes. A count or block must be less than the
   * number with all bits set, which encodes "unlimited".
   */
  private static int patternWidth(Hyperslab slab) {
    long max = 0;
    for (int d = 0; d < slab.dimensions(); d++) {
      max = Math.max(max, Math.max(slab.startAt(d), slab.strideAt(d)));
      max = Math.max(max, Math.max(slab.countAt(d), slab.blockAt(d)) + 1);
    }
    return SelectionEncoder.width(max);
  }

  private static long blocks(Hyperslab slab) {
    long product = 1;
    for (int d = 0; d < slab.dimensions(); d++) {
      product = Math.multiplyExact(product, slab.countAt(d));
    }
    return product;
  }

  private static long lastCoordinate(long[] ends) {
    return Arrays.stream(ends).max().orElseThrow() - 1;
  }
}
