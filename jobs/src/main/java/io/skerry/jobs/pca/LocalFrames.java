package io.skerry.jobs.pca;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The frames that one rank reads, in batches that it goes through several times. FramePartition are
 * kept as long as there is room for them; the others are read again. Nothing here is collective.
 */
final class LocalFrames {
  /** The most pixels of a batch, unless one frame has more. */
  private static final long BATCH = 1 << 22;

  /** What a pixel may take while it is read and sent: its value, some four times, and its place. */
  private static final long PIXEL_BYTES = 68;

  private final FrameStack stack;
  private final long first;
  private final long end;
  private final int step;
  private final List<Optional<FrameBatch>> kept = new ArrayList<>();
  private long room;

  /**
   * @param room bytes for what is kept, and as many for a batch unless one frame takes more
   */
  LocalFrames(FrameStack stack, int rank, int ranks, long room) {
    this.stack = stack;
    this.room = room;
    long frames = stack.shape().frames();
    // Ranks that share a chunk would each decode all of it.
    long high = stack.chunkFrames();
    long unit = Math.ceilDiv(frames, high) < ranks ? 1 : high;
    long units = Math.ceilDiv(frames, unit);
    first = Math.min(frames, units * rank / ranks * unit);
    end = Math.min(frames, units * (rank + 1) / ranks * unit);
    long pixels = Math.min(BATCH, room / PIXEL_BYTES);
    long most = Math.max(1, pixels / stack.shape().framePixels());
    step = (int) (most > high ? most / high * high : most);
    for (int i = 0; i < Math.ceilDiv(end - first, step); i++) {
      kept.add(Optional.empty());
    }
  }

  /** Memory for a batch of one frame. */
  static long bytes(long framePixels) {
    return PIXEL_BYTES * framePixels;
  }

  /** Number of the first frame. */
  long first() {
    return first;
  }

  /** Number of frames. */
  long count() {
    return end - first;
  }

  /** Number of batches. */
  int batches() {
    return kept.size();
  }

  /** One of the batches. */
  FrameBatch batch(int number) {
    Optional<FrameBatch> known = kept.get(number);
    if (known.isPresent()) {
      return known.get();
    }
    long from = first + (long) number * step;
    FrameBatch batch = stack.read((int) from, (int) Math.min(step, end - from));
    if (batch.bytes() <= room) {
      room -= batch.bytes();
      kept.set(number, Optional.of(batch));
    }
    return batch;
  }
}
