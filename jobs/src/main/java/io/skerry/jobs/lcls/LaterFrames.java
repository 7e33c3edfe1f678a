package io.skerry.jobs.lcls;

import io.skerry.Dataset;
import io.skerry.jobs.detector.PixelType;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The frames of a source beginning with a given frame, renumbered from 0.
 *
 * @param source the source of all frames
 * @param from the index of the first frame in the source
 */
record LaterFrames(FrameReader source, long from) implements FrameReader {
  @Override
  public FrameShape shape() {
    FrameShape all = source.shape();
    return new FrameShape(all.frames() - from, all.rows(), all.columns());
  }

  @Override
  public PixelType pixelType() {
    return source.pixelType();
  }

  @Override
  public Optional<Dataset> stored() {
    return source.stored();
  }

  @Override
  public String units() {
    return source.units();
  }

  @Override
  public void read(long first, int frames, MemorySegment into) {
    source.read(from + first, frames, into);
  }

  @Override
  public void close() {
    source.close();
  }
}
