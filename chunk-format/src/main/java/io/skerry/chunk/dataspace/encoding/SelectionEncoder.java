package io.skerry.chunk.dataspace.encoding;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.BoxCover;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.PointList;
import io.skerry.selection.SelectionSets;

/**
 * Writes selections in the layouts that {@link EncodedSelection} describes. Method names give the
 * layout and its version.
 */
final class SelectionEncoder {
  private static final long U16_MAX = 0xffff;
  private static final long U32_MAX = 0xffffffffL;

  private final ByteWriter out;

  SelectionEncoder(ByteWriter out) {
    this.out = out;
  }

  /** Returns the smallest width, 2, 4 or 8 bytes, that can hold the given number. */
  static int width(long max) {
    if (max <= U16_MAX) {
      return 2;
    }
    return max <= U32_MAX ? 4 : 8;
  }

  static long bytesOfBlocks(int rank, long boxes, int width) {
    return 14 + width + Math.multiplyExact(boxes, 2L * rank * width);
  }

  static long bytesOfPattern(int rank, int width) {
    return 14 + 4L * rank * width;
  }

  static long bytesOfPoints(int rank, long points, int width) {
    return 13 + width + Math.multiplyExact(points, (long) rank * width);
  }

  void none() {
    out.u32(EncodedSelection.TYPE_NONE).u32(1).zeros(8);
  }

  void all() {
    out.u32(EncodedSelection.TYPE_ALL).u32(1).zeros(8);
  }

  void pointsV1(PointList points) {
    int rank = points.dimensions();
    out.u32(EncodedSelection.TYPE_POINTS).u32(1).u32(0);
    out.u32(8 + 4L * SelectionSets.coordinates(points).length).u32(rank).u32(points.size());
    for (long coordinate : SelectionSets.coordinates(points)) {
      out.u32(fits32(coordinate));
    }
  }

  void pointsV2(PointList points, int width) {
    out.u32(EncodedSelection.TYPE_POINTS).u32(2).u8(width).u32(points.dimensions());
    out.uint(points.size(), width);
    for (long coordinate : SelectionSets.coordinates(points)) {
      out.uint(coordinate, width);
    }
  }

  /** Writes the elements of a chunk as a list of points, in row-major order. */
  void pointsV2(RunSet elements, long[] sizes, int width) {
    out.u32(EncodedSelection.TYPE_POINTS).u32(2).u8(width).u32(sizes.length);
    out.uint(elements.count(), width);
    long[] at = new long[sizes.length];
    for (int run = 0; run < elements.runs(); run++) {
      for (long index = elements.start(run); index < elements.end(run); index++) {
        long rest = index;
        for (int d = sizes.length - 1; d >= 0; d--) {
          at[d] = rest % sizes[d];
          rest /= sizes[d];
        }
        for (long coordinate : at) {
          out.uint(coordinate, width);
        }
      }
    }
  }

  void blocksV1(BoxCover boxes, int rank) {
    out.u32(EncodedSelection.TYPE_HYPERSLAB).u32(1).u32(0);
    out.u32(8 + 8L * rank * boxes.size()).u32(rank).u32(boxes.size());
    list(boxes, rank, 4);
  }

  void blocksV3(BoxCover boxes, int rank, int width) {
    out.u32(EncodedSelection.TYPE_HYPERSLAB).u32(3).u8(0).u8(width).u32(rank);
    out.uint(boxes.size(), width);
    list(boxes, rank, width);
  }

  private void list(BoxCover boxes, int rank, int width) {
    for (int box = 0; box < boxes.size(); box++) {
      for (int d = 0; d < rank; d++) {
        out.uint(boxes.start(box, d), width);
      }
      for (int d = 0; d < rank; d++) {
        long last = boxes.end(box, d) - 1;
        out.uint(width == 4 ? fits32(last) : last, width);
      }
    }
  }

  void patternV2(Hyperslab slab) {
    int rank = slab.dimensions();
    out.u32(EncodedSelection.TYPE_HYPERSLAB).u32(2).u8(1).u32(4 + 32L * rank).u32(rank);
    pattern(slab, 8);
  }

  void patternV3(Hyperslab slab, int width) {
    out.u32(EncodedSelection.TYPE_HYPERSLAB).u32(3).u8(1).u8(width).u32(slab.dimensions());
    pattern(slab, width);
  }

  private void pattern(Hyperslab slab, int width) {
    for (int d = 0; d < slab.dimensions(); d++) {
      out.uint(slab.startAt(d), width).uint(slab.strideAt(d), width);
      out.uint(slab.countAt(d), width).uint(slab.blockAt(d), width);
    }
  }

  private static long fits32(long coordinate) {
    if (coordinate > U32_MAX) {
      throw new UnsupportedFeatureException(
          "coordinate " + coordinate + " in 32 bits", "selection encoding version 1");
    }
    return coordinate;
  }
}
