package io.skerry.jobs.pca;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The frames that this rank reads, in batches that are visited several times. Batches are kept in
 * memory up to a limit; other batches are read again for each visit. All methods are local.
 */
final class LocalFrames {
  /** The maximum number of pixels in a batch, unless a single frame has more. */
  private static final long BATCH = 1 << 22;

  /**
   * The maximum memory per pixel in bytes while a batch is read and sent: several copies of the
   * value, and its coordinates.
   */
  private static final long PIXEL_BYTES = 68;

  private final FrameStack stack;
  private final long first;
  private final long end;
  private final int step;
  private final List<Optional<FrameBatch>> kept = new ArrayList<>();
  private long room;

  /**
   * Creates the batches of the frames of this rank. Reads nothing.
   *
   * @param stack the frames of all ranks
   * @param rank the rank of the caller
   * @param ranks the number of ranks
   * @param room the memory, in bytes, for batches that are kept; the limit also applies to reading
   *     one batch, unless a single frame needs more
   */
  LocalFrames(FrameStack stack, int rank, int ranks, long room) {
    this.stack = stack;
    this.room = room;
    long frames = stack.shape().frames();
    // Divide at chunk boundaries, because ranks that share a chunk would each decode all of it. If
    // there are fewer chunks along the frames than ranks, divide at any frame.
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

  /** Returns the memory, in bytes, that reading a batch of one frame requires. */
  static long bytes(long framePixels) {
    return PIXEL_BYTES * framePixels;
  }

  /** Returns the index of the first frame. */
  long first() {
    return first;
  }

  /** Returns the number of frames. */
  long count() {
    return end - first;
  }

  /** Returns the number of batches. */
  int batches() {
    return kept.size();
  }

  /** Returns a batch. Reads it unless it has been kept in memory. */
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
