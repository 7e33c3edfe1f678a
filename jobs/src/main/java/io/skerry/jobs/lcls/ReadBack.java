package io.skerry.jobs.lcls;

import io.skerry.H5File;
import io.skerry.jobs.detector.FramePicture;
import io.skerry.jobs.detector.PixelFrame;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.lcls.LclsReport.Verification;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.Agreement;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Opens a written file and compares its contents with the source. The frames are read from the
 * source again and their pixels are selected again, so that the comparison does not depend on the
 * state of the writer. Collective; one object per rank.
 */
final class ReadBack {
  private final LclsOptions options;
  private final Communicator ranks;
  private final Agreement agreement;
  private final StopAgreement stopping;
  private final Stopwatch reading = new Stopwatch();

  /**
   * The result of the comparison, identical on all ranks.
   *
   * @param verification the outcome: equal or different
   * @param kept the number of pixels to keep in all frames
   * @param fullBytes the size of the full frames in the file, in bytes
   * @param seconds the reading time of the slowest rank, in seconds
   */
  record Result(Verification verification, long kept, long fullBytes, double seconds) {}

  ReadBack(LclsOptions options, Communicator ranks, Agreement agreement, StopAgreement stopping) {
    this.options = options;
    this.ranks = ranks;
    this.agreement = agreement;
    this.stopping = stopping;
  }

  /**
   * Compares a file with its source.
   *
   * @param written the main file
   * @param source the source of the frames
   * @param picture the file for a picture of the first frame, if any
   * @param progress the progress display
   * @return the result; empty if a rank was asked to stop before the end
   */
  Optional<Result> compare(
      Path written, FrameReader source, Optional<Path> picture, ProgressDisplay progress) {
    reading.start();
    H5File file = InputFile.open(written, ranks, Trust.SAME_FOLDER);
    return Agreement.using(
        ranks, file, H5File::close, opened -> compare(opened, source, picture, progress));
  }

  private Optional<Result> compare(
      H5File file, FrameReader source, Optional<Path> picture, ProgressDisplay progress) {
    SourceComparison verifier =
        SourceComparison.open(file, source, options.mode(), options.every(), reading, agreement);
    long fullBytes = agreement.each("measuring the whole frames", verifier::fullBytes);
    reading.stop();
    boolean same = true;
    long kept = 0;
    FramePartition batches =
        new FramePartition(0, source.shape().frames(), ranks.size(), options.batch());
    for (long batch = 0; batch < batches.count(); batch++) {
      if (stopping.isReached()) {
        return Optional.empty();
      }
      // With several ranks that share the output files, each frame of a new run is read by a rank
      // other than the one that wrote it.
      FramePartition.Share share = batches.share(batch, (ranks.rank() + 1) % ranks.size());
      LoadedFrames expected = LoadedFrames.load(source, options.mode(), share, agreement);
      kept += expected.kept().count();
      same &= verifier.holds(expected);
      if (batch == 0 && picture.isPresent()) {
        draw(source, expected, picture.get());
      }
      progress.advance(batches.end(batch) - batches.begin(batch));
    }
    long all = ranks.allReduce(kept, Reduction.SUM);
    same &= verifier.hasNothingElse(all);
    boolean everywhere = ranks.allReduce(same ? 1 : 0, Reduction.MIN) == 1;
    return Optional.of(
        new Result(
            everywhere ? Verification.VERIFIED : Verification.DIFFERENT,
            all,
            fullBytes,
            ranks.allReduce(reading.nanoseconds(), Reduction.MAX) / 1e9));
  }

  /** Draws the first frame on the rank that has read this frame. */
  private void draw(FrameReader source, LoadedFrames frames, Path png) {
    FrameShape shape = source.shape();
    agreement.each(
        "drawing the picture",
        () -> {
          if (frames.share().first() == 0 && frames.share().count() > 0) {
            PixelFrame first =
                PixelFrame.of(frames.data(), source.pixelType(), shape.rows(), shape.columns());
            FramePicture.write(png, first, frames.kept().pixels().getFirst());
          }
          return true;
        });
  }
}
