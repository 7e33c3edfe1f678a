package io.skerry.jobs.lcls;

import io.skerry.jobs.frame.FrameShape;
import io.skerry.selection.Selection;

/**
 * How frames are dealt over ranks: in batches, within each of which every rank has consecutive
 * frames.
 *
 * @param from frames that need not be dealt any more
 * @param frames all frames
 * @param ranks number of ranks
 * @param batch frames per rank and batch
 */
record FramePartition(long from, long frames, int ranks, int batch) {
  /** The frames of one rank in one batch. */
  record Share(long first, int count) {
    /** The same frames in a dataset of one value per frame. */
    Selection selection() {
      return count == 0 ? Selection.none() : Selection.at(first).extent(count);
    }

    /** The same frames whole. */
    Selection selection(FrameShape shape) {
      return count == 0
          ? Selection.none()
          : Selection.at(first, 0, 0).extent(count, shape.rows(), shape.columns());
    }

    /** Of every n-th frame those among these, counted among every n-th. */
    Share every(int n) {
      long from = Math.ceilDiv(first, (long) n);
      return new Share(from, (int) (Math.ceilDiv(first + count, (long) n) - from));
    }
  }

  /** Number of batches. */
  long count() {
    return Math.ceilDiv(frames - from, (long) ranks * batch);
  }

  /** Frames stored when a batch is done. */
  long end(long number) {
    return Math.min(frames, begin(number + 1));
  }

  /** The first frame of a batch. */
  long begin(long number) {
    return from + number * ranks * batch;
  }

  /** The frames of a rank in a batch, possibly none. */
  Share share(long number, int rank) {
    long begin = begin(number);
    // The last batch is dealt evenly too, instead of leaving the last ranks without work.
    long size = end(number) - begin;
    long first = begin + size * rank / ranks;
    long next = begin + size * (rank + 1) / ranks;
    return new Share(first, (int) (next - first));
  }
}
