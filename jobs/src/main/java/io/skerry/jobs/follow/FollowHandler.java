package io.skerry.jobs.follow;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.NoSuchObjectException;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.CommandContext;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.EpochExpiredException;
import io.skerry.parallel.FileOptions;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;

/**
 * Runs {@code follow}: prints what is new in a file at each epoch, until the writer closes the
 * file.
 */
public final class FollowHandler implements ToIntFunction<FollowOptions> {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final CommandContext context;

  public FollowHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(FollowOptions options) {
    if (!context.isFirst()) {
      return 0;
    }
    Path file = options.what().file();
    if (InputFile.isStored(file)) {
      throw new JobException("only HDF5 files can be followed: file=" + file);
    }
    awaitFile(file, options.patience());
    try (H5File.Follower follower =
        H5File.follow(
            file, Communicator.self(), FileOptions.standard().withTrust(options.trust()))) {
      return new Run(options, follower, context.writer()).run();
    }
  }

  private static void awaitFile(Path file, Duration patience) {
    long start = System.nanoTime();
    if (!Files.exists(file) && !patience.isZero()) {
      System.err.println("waiting for the file: file=" + file);
    }
    while (!Files.exists(file)) {
      if (System.nanoTime() - start > patience.toNanos()) {
        throw new JobException("no such file: file=" + file);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** One run of the command. */
  private static final class Run {
    private final FollowOptions options;
    private final H5File.Follower follower;
    private final PrintWriter to;
    private final TreeChanges tree = new TreeChanges();
    private Optional<Long> drawn = Optional.empty();
    private long printed;

    Run(FollowOptions options, H5File.Follower follower, PrintWriter to) {
      this.options = options;
      this.follower = follower;
      this.to = to;
    }

    int run() {
      if (follower.epoch() == 0 && follower.isWritten()) {
        boolean unused = follower.awaitNext(options.patience());
        if (follower.epoch() == 0 && follower.isWritten()) {
          throw late();
        }
      }
      while (true) {
        print();
        to.flush();
        // The output may be a pipe whose reader has ended.
        if (isLast() || to.checkError()) {
          return 0;
        }
        if (!follower.awaitNext(options.patience())) {
          if (follower.isWritten()) {
            throw late();
          }
          return 0;
        }
      }
    }

    private boolean isLast() {
      return printed == options.epochs() || !follower.isWritten();
    }

    private JobException late() {
      return new JobException(
          "no flush in time: seconds=%d file=%s"
              .formatted(options.patience().toSeconds(), options.what().file()));
    }

    /** Prints the current epoch, or the next one if the writer no longer keeps it. */
    private void print() {
      while (true) {
        try {
          printed++;
          report();
          return;
        } catch (EpochExpiredException e) {
          skip(e);
        } catch (CollectiveException e) {
          if (!(e.getCause() instanceof EpochExpiredException expired)) {
            throw e;
          }
          skip(expired);
        }
      }
    }

    private void skip(EpochExpiredException e) {
      printed--;
      System.err.println("skipped: " + e.getMessage());
      if (!follower.refresh() && !follower.awaitNext(options.patience())) {
        throw late();
      }
    }

    private void report() {
      H5File file = follower.file();
      Optional<String> path = options.what().path();
      if (path.isEmpty()) {
        report(tree.next(file));
        return;
      }
      Optional<Dataset> dataset = dataset(file, path.get());
      if (dataset.isEmpty()) {
        line("no such dataset yet: " + path.get());
        return;
      }
      NewestFrame newest = NewestFrame.of(dataset.get());
      // Everything is read before anything is printed, since the epoch may expire meanwhile.
      List<String> lines = new ArrayList<>();
      if (options.form() == ReportForm.JSON) {
        lines.add(newest.json(begun(), options.values()).text());
      } else {
        lines.addAll(newest.lines(options.values()));
        lines.set(0, "epoch " + follower.epoch() + "  " + lines.getFirst());
      }
      draw(newest);
      lines.forEach(to::println);
    }

    private void draw(NewestFrame newest) {
      if (options.picture().isEmpty()) {
        return;
      }
      FollowOptions.Picture picture = options.picture().get();
      long now = System.nanoTime();
      if (isLast() || drawn.isEmpty() || now - drawn.get() >= picture.every().toNanos()) {
        newest.draw(picture.png());
        drawn = Optional.of(now);
      }
    }

    private static Optional<Dataset> dataset(H5File file, String path) {
      try {
        if (file.object(path) instanceof Dataset dataset) {
          return Optional.of(dataset);
        }
      } catch (NoSuchObjectException e) {
        return Optional.empty();
      }
      throw new JobException("not a dataset: path=" + path);
    }

    private void report(List<TreeChanges.Change> changes) {
      if (options.form() == ReportForm.JSON) {
        Json items = new Json.Items(changes.stream().map(TreeChanges.Change::json).toList());
        to.println(begun().with("changes", items).text());
        return;
      }
      to.println("epoch " + follower.epoch());
      changes.forEach(change -> to.println(change.line()));
    }

    private Json.Members begun() {
      return Json.object().with("epoch", follower.epoch());
    }

    private void line(String text) {
      to.println(
          options.form() == ReportForm.JSON
              ? begun().with("missing", options.what().path().orElseThrow()).text()
              : "epoch " + follower.epoch() + "  " + text);
    }
  }
}
