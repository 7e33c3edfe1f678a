package io.skerry.peers;

import io.skerry.benchmarks.KeptPixels;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The frames of the sparse tasks. Each frame has 1024 × 1024 u16 pixels, of which 75 runs of 8
 * pixels each, which may overlap, are kept; see {@link KeptPixels#ROWS}. The frames are the same in
 * every run. No kept value is 0, so that a library with dense storage can find the kept pixels.
 */
final class Frames {
  static final int SIDE = KeptPixels.SIDE;

  private final List<RunSet> pixels = new ArrayList<>();
  private final List<short[]> values = new ArrayList<>();

  Frames(int count) {
    this(count, KeptPixels.ROWS);
  }

  /** Creates frames whose kept pixels are chosen in the given way. */
  Frames(int count, KeptPixels choice) {
    for (int frame = 0; frame < count; frame++) {
      RandomGenerator random = KeptPixels.random(frame);
      RunSet kept = choice.draw(random);
      pixels.add(kept);
      values.add(KeptPixels.values(random, kept.count()));
    }
  }

  int count() {
    return pixels.size();
  }

  /** Returns the extent of a dataset that contains all frames. */
  Shape shape() {
    return Shape.of(count(), SIDE, SIDE);
  }

  /** Returns the kept pixels of one frame, in the coordinates of the dataset. */
  Selection selection(int frame) {
    return SelectionSets.of(pixels.get(frame), 1, SIDE, SIDE).shift(frame, 0, 0);
  }

  /** Returns the kept pixels of all frames. */
  Selection selection() {
    RunSet.Builder all = new RunSet.Builder();
    for (int frame = 0; frame < count(); frame++) {
      RunSet kept = pixels.get(frame);
      long before = (long) frame * SIDE * SIDE;
      for (int run = 0; run < kept.runs(); run++) {
        all.add(before + kept.start(run), before + kept.end(run));
      }
    }
    return SelectionSets.of(all.build(), count(), SIDE, SIDE);
  }

  /** Returns the row-major indices of the kept pixels of one frame, in ascending order. */
  int[] indices(int frame) {
    RunSet kept = pixels.get(frame);
    int[] indices = new int[values.get(frame).length];
    int at = 0;
    for (int run = 0; run < kept.runs(); run++) {
      for (long index = kept.start(run); index < kept.end(run); index++) {
        indices[at++] = (int) index;
      }
    }
    return indices;
  }

  /** Returns the kept values of one frame, in ascending order of their indices. */
  short[] values(int frame) {
    return values.get(frame).clone();
  }

  /** Returns the kept values of all frames. */
  short[] values() {
    short[] all = new short[kept()];
    int at = 0;
    for (short[] some : values) {
      System.arraycopy(some, 0, all, at, some.length);
      at += some.length;
    }
    return all;
  }

  /** Returns the number of kept values in all frames. */
  int kept() {
    return values.stream().mapToInt(some -> some.length).sum();
  }

  /** Returns the maximum number of kept values in a frame. */
  int mostKept() {
    return values.stream().mapToInt(some -> some.length).max().orElse(0);
  }

  /**
   * Returns the contribution of one value to a checksum that does not depend on the order of the
   * values.
   */
  static long token(long frame, long row, long column, short value) {
    return ((frame * SIDE + row) * SIDE + column + 1) * (value & 0xffff);
  }

  /** Returns the sum of the tokens of all kept values. */
  long checksum() {
    long sum = 0;
    for (int frame = 0; frame < count(); frame++) {
      int[] indices = indices(frame);
      short[] some = values.get(frame);
      for (int i = 0; i < indices.length; i++) {
        sum += token(frame, indices[i] / SIDE, indices[i] % SIDE, some[i]);
      }
    }
    return sum;
  }

  /**
   * Writes the frames to a file for other processes. All numbers are little-endian:
   *
   * <pre>
   * u32 count | per frame: u32 n | n × u32 index | n × u16 value
   * </pre>
   */
  void save(Path file) throws IOException {
    ByteBuffer out =
        ByteBuffer.allocate(4 + 4 * count() + 6 * kept()).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(count());
    for (int frame = 0; frame < count(); frame++) {
      out.putInt(values.get(frame).length);
      Arrays.stream(indices(frame)).forEach(out::putInt);
      for (short value : values.get(frame)) {
        out.putShort(value);
      }
    }
    Files.write(file, MemorySegment.ofBuffer(out.flip()).toArray(ValueLayout.JAVA_BYTE));
  }
}
