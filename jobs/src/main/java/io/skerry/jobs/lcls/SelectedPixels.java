package io.skerry.jobs.lcls;

import io.skerry.jobs.detector.PixelFrame;
import io.skerry.jobs.detector.PixelType;
import io.skerry.jobs.detector.Region;
import io.skerry.jobs.detector.RegionFinder;
import io.skerry.jobs.detector.SpotFinder;
import io.skerry.jobs.detector.Spots;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The kept pixels of consecutive frames: their selection in the sparse dataset, and their values in
 * the order of the selection, which is frame by frame and row-major within a frame.
 *
 * @param selection the selection of the kept pixels
 * @param values the values of the kept pixels, packed
 * @param spots the number of spots of each frame; a region counts as one spot
 * @param pixels the linear indices of the kept pixels of each frame, in ascending order
 */
record SelectedPixels(Selection selection, MemorySegment values, int[] spots, List<int[]> pixels) {

  /** Returns an empty result, for a rank without frames. */
  static SelectedPixels none() {
    return new SelectedPixels(
        Selection.none(), MemorySegment.ofArray(new byte[0]), new int[0], List.of());
  }

  /** Returns the number of kept pixels. */
  long count() {
    return pixels.stream().mapToLong(p -> p.length).sum();
  }

  /**
   * Selects the pixels to keep.
   *
   * @param mode the kind of kept pixels
   * @param shape the shape of all frames
   * @param type the type of the pixels
   * @param first the index of the first frame
   * @param frames the number of frames
   * @param data the pixels of the frames
   */
  static SelectedPixels find(
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
    return new SelectedPixels(
        selection, pack(pixels, data, frameBytes, type.bytes()), spots, pixels);
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
      int[] kept = pixels.get(i);
      for (int from = 0, to; from < kept.length; from = to) {
        to = runEnd(kept, from);
        long length = (long) (to - from) * bytes;
        MemorySegment.copy(data, i * frameBytes + (long) kept[from] * bytes, values, at, length);
        at += length;
      }
    }
    return values;
  }

  /** Returns the end (exclusive) of the run of consecutive pixels that begins at {@code from}. */
  private static int runEnd(int[] pixels, int from) {
    int to = from + 1;
    while (to < pixels.length && pixels[to] == pixels[to - 1] + 1) {
      to++;
    }
    return to;
  }

  /**
   * Returns a copy of the frames in which all pixels that are not kept are zero.
   *
   * @param data the pixels of the frames
   * @param bytes the size of a pixel in bytes
   */
  MemorySegment onlyKept(MemorySegment data, int bytes) {
    MemorySegment expected = MemorySegment.ofArray(new byte[Math.toIntExact(data.byteSize())]);
    long frameBytes = pixels.isEmpty() ? 0 : data.byteSize() / pixels.size();
    for (int i = 0; i < pixels.size(); i++) {
      int[] kept = pixels.get(i);
      for (int from = 0, to; from < kept.length; from = to) {
        to = runEnd(kept, from);
        long at = i * frameBytes + (long) kept[from] * bytes;
        MemorySegment.copy(data, at, expected, at, (long) (to - from) * bytes);
      }
    }
    return expected;
  }
}
