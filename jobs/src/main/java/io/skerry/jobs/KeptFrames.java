package io.skerry.jobs;

import io.skerry.chunk.space.Box;
import io.skerry.chunk.space.Selection;
import io.skerry.jobs.detector.PixelFrame;
import io.skerry.jobs.detector.PixelType;
import io.skerry.jobs.detector.Region;
import io.skerry.jobs.detector.RegionFinder;
import io.skerry.jobs.detector.SpotFinder;
import io.skerry.jobs.detector.Spots;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * What is kept of consecutive frames: as a selection in the sparse dataset, and as values in the
 * order of that selection, which is frame by frame and row-major within one.
 *
 * @param selection the kept pixels
 * @param values their values, packed
 * @param spots number of spots per frame; a region counts as one
 * @param pixels kept linear indices per frame, ascending
 */
record KeptFrames(Selection selection, MemorySegment values, int[] spots, List<int[]> pixels) {

  /** No frame. */
  static KeptFrames none() {
    return new KeptFrames(
        Selection.none(), MemorySegment.ofArray(new byte[0]), new int[0], List.of());
  }

  /** Number of kept pixels. */
  long count() {
    return pixels.stream().mapToLong(p -> p.length).sum();
  }

  /**
   * Looks for what to keep.
   *
   * @param first number of the first frame
   * @param data pixels of the frames
   */
  static KeptFrames find(
      LclsOptions.Mode mode,
      FrameShape shape,
      PixelType type,
      long first,
      int frames,
      MemorySegment data) {
    if (frames == 0) {
      return none();
    }
    long frameBytes = (long) shape.framePixels() * type.bytes();
    int[] spots = new int[frames];
    List<int[]> pixels = new ArrayList<>(frames);
    List<Box> boxes = new ArrayList<>(frames);
    for (int i = 0; i < frames; i++) {
      PixelFrame frame =
          PixelFrame.of(
              data.asSlice(i * frameBytes, frameBytes), type, shape.rows(), shape.columns());
      switch (mode) {
        case POINTS -> {
          Spots found = new SpotFinder().find(frame);
          spots[i] = found.count();
          pixels.add(found.pixels());
        }
        case ROI -> {
          Region region = RegionFinder.find(frame);
          spots[i] = 1;
          pixels.add(region.pixels(shape.columns()));
          boxes.add(box(first + i, region));
        }
      }
    }
    Selection selection =
        switch (mode) {
          case POINTS -> points(first, pixels, shape.columns());
          case ROI -> Selection.blocks(boxes);
        };
    return new KeptFrames(selection, pack(pixels, data, frameBytes, type.bytes()), spots, pixels);
  }

  private static Box box(long frame, Region region) {
    return new Box(
        new long[] {frame, region.row(), region.column()},
        new long[] {
          frame + 1, (long) region.row() + region.rows(), (long) region.column() + region.columns()
        });
  }

  private static Selection points(long first, List<int[]> pixels, int columns) {
    int count = pixels.stream().mapToInt(p -> p.length).sum();
    if (count == 0) {
      return Selection.none();
    }
    long[] coordinates = new long[3 * count];
    int at = 0;
    for (int i = 0; i < pixels.size(); i++) {
      for (int pixel : pixels.get(i)) {
        coordinates[at++] = first + i;
        coordinates[at++] = pixel / columns;
        coordinates[at++] = pixel % columns;
      }
    }
    return Selection.points(3, coordinates);
  }

  private static MemorySegment pack(
      List<int[]> pixels, MemorySegment data, long frameBytes, int bytes) {
    int count = pixels.stream().mapToInt(p -> p.length).sum();
    MemorySegment values = MemorySegment.ofArray(new byte[Math.multiplyExact(count, bytes)]);
    long at = 0;
    for (int i = 0; i < pixels.size(); i++) {
      for (int pixel : pixels.get(i)) {
        MemorySegment.copy(data, i * frameBytes + (long) pixel * bytes, values, at, bytes);
        at += bytes;
      }
    }
    return values;
  }
}
