package io.skerry.jobs.lcls;

import io.skerry.jobs.frame.FrameShape;
import io.skerry.selection.Selection;

/**
 * The distribution of frames over ranks. Frames are divided into batches; within a batch, each rank
 * has consecutive frames.
 *
 * @param from the number of frames that were already stored when the run started
 * @param frames the total number of frames
 * @param ranks the number of ranks
 * @param batch the number of frames per rank in each batch except the last, which may have fewer
 */
record FramePartition(long from, long frames, int ranks, int batch) {
  /**
   * The frames of one rank in one batch.
   *
   * @param first the index of the first frame
   * @param count the number of frames, 0 or more
   */
  record Share(long first, int count) {
    /** Returns the selection of these frames in a dataset with one value per frame. */
    Selection selection() {
      return count == 0 ? Selection.none() : Selection.at(first).extent(count);
    }

    /** Returns the selection of all pixels of these frames. */
    Selection selection(FrameShape shape) {
      return count == 0
          ? Selection.none()
          : Selection.at(first, 0, 0).extent(count, shape.rows(), shape.columns());
    }

    /**
     * Returns the frames of this share whose index is a multiple of {@code n}. In the result, a
     * frame is numbered by its index divided by {@code n}.
     */
    Share every(int n) {
      long from = Math.ceilDiv(first, (long) n);
      return new Share(from, (int) (Math.ceilDiv(first + count, (long) n) - from));
    }
  }

  /** Returns the number of batches. */
  long count() {
    return Math.ceilDiv(frames - from, (long) ranks * batch);
  }

  /** Returns the total number of frames that are stored once a batch is complete. */
  long end(long number) {
    return Math.min(frames, begin(number + 1));
  }

  /** Returns the index of the first frame of a batch. */
  long begin(long number) {
    return from + number * ranks * batch;
  }

  /** Returns the frames of a rank in a batch, possibly none. */
  Share share(long number, int rank) {
    long begin = begin(number);
    // The last batch is also divided evenly among the ranks.
    long size = end(number) - begin;
    long first = begin + size * rank / ranks;
    long next = begin + size * (rank + 1) / ranks;
    return new Share(first, (int) (next - first));
  }
}
