package io.skerry.jobs.lcls;

import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.report.Json;
import java.util.Locale;

/**
 * The outcome of a run that was stopped by a signal. A later run can continue after its stored
 * frames.
 *
 * @param ranks the number of ranks
 * @param shape the shape of all frames
 * @param framesDone the number of frames stored by this run and the runs that it continued
 */
record InterruptedRun(int ranks, FrameShape shape, long framesDone) implements LclsOutcome {
  /** Returns 0, because stopping on request is not a failure. */
  @Override
  public int exitCode() {
    return 0;
  }

  /** Returns one line that states the number of stored frames and how to continue. */
  String hint() {
    return String.format(
        Locale.ROOT,
        "stopped on request: framesDone=%d frames=%d; the same command with --resume continues",
        framesDone,
        shape.frames());
  }

  @Override
  public String toJson() {
    return Json.object()
        .with("ranks", ranks)
        .with("frames", shape.frames())
        .with("rows", shape.rows())
        .with("columns", shape.columns())
        .with("interrupted", Json.truth(true))
        .with("framesDone", framesDone)
        .with("verified", Json.truth(false))
        .text();
  }

  @Override
  public String toTable() {
    return hint() + System.lineSeparator();
  }
}
