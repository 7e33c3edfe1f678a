package io.skerry.collective.live;

import io.skerry.format.live.LiveSlot.FileStamp;

/**
 * An epoch of a file.
 *
 * @param epoch the number of the epoch
 * @param closed the file when its writer closed it, if this is the last epoch of a writer that has
 *     closed the file; otherwise {@link FileStamp#NONE}
 */
public record EpochPlace(long epoch, FileStamp closed) {
  /** Returns whether the writer has closed the file. */
  boolean isClosed() {
    return !closed.equals(FileStamp.NONE);
  }
}
