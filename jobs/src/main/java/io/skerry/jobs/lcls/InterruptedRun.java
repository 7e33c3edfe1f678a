package io.skerry.jobs.lcls;

import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.report.Json;
import java.util.Locale;

/**
 * A run that was asked to stop and did. What it stored waits to be continued.
 *
 * @param shape of all frames
 * @param framesDone frames stored by this run and those that it continued
 */
record InterruptedRun(int ranks, FrameShape shape, long framesDone) implements LclsOutcome {
  /** Whoever asked for it got it: the run has not failed. */
  @Override
  public int exitCode() {
    return 0;
  }

  /** What is stored and how to go on, in one line. */
  String hint() {
    return String.format(
        Locale.ROOT,
        "stopped as asked: framesDone=%d frames=%d; the same command with --resume goes on",
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
