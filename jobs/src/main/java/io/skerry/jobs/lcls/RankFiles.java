package io.skerry.jobs.lcls;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.collective.step.LocalStatus;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.file.OutputFile;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.file.RankFileName;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongUnaryOperator;

/**
 * Stores frames in one file per rank, and creates the main file, whose virtual datasets combine
 * these files into one view. Each rank has consecutive frames and does not communicate with the
 * other ranks while it stores them. One object per rank.
 */
final class RankFiles {
  private final LclsOptions options;
  private final OutputPlace place;
  private final Communicator ranks;
  private final Agreement agreement;
  private final long frames;
  private final Stopwatch writing;

  /**
   * Creates an object for one run. Local.
   *
   * @param frames the number of frames of all ranks
   * @param writing the stopwatch for the writing time
   */
  RankFiles(
      LclsOptions options,
      OutputPlace place,
      Communicator ranks,
      Agreement agreement,
      long frames,
      Stopwatch writing) {
    this.options = options;
    this.place = place;
    this.ranks = ranks;
    this.agreement = agreement;
    this.frames = frames;
    this.writing = writing;
  }

  /**
   * Returns the index of the first frame of a rank, which is the exclusive end of the frames of the
   * previous rank.
   */
  private long first(int rank) {
    return frames * rank / ranks.size();
  }

  /** Returns the number of frames of this rank, 0 or more. Local. */
  long share() {
    return first(ranks.rank() + 1) - first(ranks.rank());
  }

  private Path file(int rank) {
    return RankFileName.of(options.out(), rank);
  }

  /**
   * Stores the frames of each rank in its file. Collective, but the ranks synchronize only before
   * the first and after the last frame.
   *
   * @param sources the function that opens the source on one rank
   * @param stopping the request to stop
   * @param progress the display, which counts the frames of this rank
   * @return the size of the stored full frames in all files, in bytes
   * @throws JobException on all ranks if any rank failed or was asked to stop
   */
  long write(FrameReader.Opener sources, StopAgreement stopping, ProgressDisplay progress) {
    long fullBytes =
        agreement.eachAlone(
            "writing the file of a rank", () -> writeOwn(sources, stopping, progress));
    return ranks.allReduce(fullBytes, Reduction.SUM);
  }

  private long writeOwn(
      FrameReader.Opener sources, StopAgreement stopping, ProgressDisplay progress) {
    Communicator self = Communicator.self();
    Path file = place.made(file(ranks.rank()));
    try (Watchdog watchdog = new Watchdog(ranks.rank(), System.err)) {
      Agreement alone = new Agreement(self, watchdog, file);
      return Agreement.using(
          self,
          sources.open(options.source(), self, alone),
          FrameReader::close,
          source -> {
            long first = first(ranks.rank());
            LaterFrames own = new LaterFrames(source, first);
            FrameStore store = FrameStore.create(file, options, own, first);
            try {
              fill(store, own, alone, stopping, progress);
            } catch (RuntimeException e) {
              // Report the first failure, not a failure of the discard.
              new LocalStatus().attempt(store::discard);
              throw e;
            }
            long fullBytes = store.fullBytes();
            store.close();
            return fullBytes;
          });
    }
  }

  private void fill(
      FrameStore store,
      FrameReader own,
      Agreement alone,
      StopAgreement stopping,
      ProgressDisplay progress) {
    FramePartition batches = new FramePartition(0, share(), 1, options.batch());
    for (long batch = 0; batch < batches.count(); batch++) {
      FramePartition.Share share = batches.share(batch, 0);
      LoadedFrames loaded = LoadedFrames.load(own, options.mode(), share, alone);
      if (stopping.asked().getAsBoolean()) {
        throw stopped();
      }
      writing.start();
      store.store(loaded, batches.end(batch));
      writing.stop();
      progress.advance(share.count());
    }
  }

  /** Returns the exception for a run that a signal has ended. */
  static JobException stopped() {
    return new JobException(
        "stopped on request: a run with --files-per-rank cannot be continued, start it again");
  }

  /**
   * Creates the main file, with the datasets and attributes that a single output file would have.
   * The files of the ranks must be complete. Collective.
   */
  void join(FrameReader source) {
    FrameShape shape = source.shape();
    Datatype pixel = FrameReader.stored(source.pixelType());
    var unused =
        OutputFile.create(
            place,
            ranks,
            file -> {
              Dataset events =
                  file.createDataset(
                      FrameStore.EVENTS,
                      joined(
                          FrameStore.EVENTS,
                          pixel,
                          LongUnaryOperator.identity(),
                          shape.rows(),
                          shape.columns()));
              FrameStore.describe(events, options, source);
              file.createDataset(
                      FrameStore.SPOT_COUNTS,
                      joined(FrameStore.SPOT_COUNTS, Datatype.U32, LongUnaryOperator.identity()))
                  .setAttribute(Attribute.of(FrameStore.FRAMES_DONE, frames));
              options
                  .every()
                  .ifPresent(every -> {
                    LongUnaryOperator stored = first -> Math.ceilDiv(first, (long) every);
                    Dataset full =
                        file.createDataset(
                            FrameStore.FULL,
                            joined(FrameStore.FULL, pixel, stored, shape.rows(), shape.columns()));
                    FullFrames.describe(full, source, every);
                    var unusedIndex =
                        file.createDataset(
                            FrameStore.FULL_INDEX,
                            joined(FrameStore.FULL_INDEX, Datatype.I64, stored));
                  });
              return true;
            });
  }

  /**
   * Returns the specification of a virtual dataset that concatenates the datasets of the ranks.
   *
   * @param path the path of the datasets
   * @param index a function that returns, for the index of a frame in the run, the number of
   *     elements of the dataset that belong to earlier frames
   * @param frame the extent of the dimensions after the first
   */
  private DatasetSpec joined(String path, Datatype type, LongUnaryOperator index, long... frame) {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int rank = 0; rank < ranks.size(); rank++) {
      long begin = index.applyAsLong(first(rank));
      long count = index.applyAsLong(first(rank + 1)) - begin;
      if (count > 0) {
        layout.map(
            box(begin, count, frame),
            VirtualSource.of(file(rank).getFileName(), path).select(box(0, count, frame)));
      }
    }
    return DatasetSpec.of(type, Shape.of(before(index.applyAsLong(frames), frame)))
        .virtual(layout.build());
  }

  private static Hyperslab box(long begin, long count, long... frame) {
    return Selection.box(before(begin, new long[frame.length]), before(count, frame));
  }

  private static long[] before(long first, long... rest) {
    long[] all = new long[rest.length + 1];
    all[0] = first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  /** Returns the total size of the main file and the files of all ranks, in bytes. Local. */
  long bytes() throws IOException {
    long bytes = Files.size(place.mainFile());
    for (int rank = 0; rank < ranks.size(); rank++) {
      bytes += Files.size(place.made(file(rank)));
    }
    return bytes;
  }
}
