package io.skerry.jobs.lcls;

import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import java.lang.foreign.MemorySegment;

/**
 * The frames of one rank in a batch, in memory.
 *
 * @param share the indices of the frames
 * @param data the pixels of the frames
 * @param kept the kept pixels of the frames
 */
record LoadedFrames(FramePartition.Share share, MemorySegment data, SelectedPixels kept) {

  /**
   * Reads frames and selects the pixels to keep. Collective.
   *
   * @throws JobException on all ranks if the frames of a rank do not fit into memory, or if the
   *     selection of their pixels fails
   */
  static LoadedFrames load(
      FrameReader source, LclsOptions.Mode mode, FramePartition.Share share, Agreement agreement) {
    MemorySegment data =
        agreement.each("taking memory for frames", () -> memory(source, share.count()));
    source.read(share.first(), share.count(), data);
    SelectedPixels kept =
        agreement.each(
            "looking for what to keep",
            () ->
                SelectedPixels.find(
                    mode, source.shape(), source.pixelType(), share.first(), share.count(), data));
    return new LoadedFrames(share, data, kept);
  }

  private static MemorySegment memory(FrameReader source, int frames) {
    long frameBytes = (long) source.shape().framePixels() * source.pixelType().bytes();
    // A Java array has at most 2^31-1 bytes, in practice a few bytes fewer.
    long limit = Integer.MAX_VALUE - 8;
    if (frames > limit / frameBytes) {
      throw new JobException(
          "a batch is too large, choose a smaller one: frames=%d bytes=%d limit=%d"
              .formatted(frames, frames * frameBytes, limit));
    }
    return MemorySegment.ofArray(new byte[(int) (frames * frameBytes)]);
  }
}
