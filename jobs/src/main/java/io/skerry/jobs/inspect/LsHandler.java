package io.skerry.jobs.inspect;

import io.skerry.H5File;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.WholeFileOptions;
import io.skerry.jobs.run.CommandContext;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import java.io.PrintWriter;
import java.util.function.ToIntFunction;

/** Runs {@code ls}: prints the tree of a file. */
public final class LsHandler implements ToIntFunction<LsOptions> {
  private final CommandContext context;

  public LsHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(LsOptions options) {
    WholeFileOptions whole = options.whole();
    return switch (options.reading()) {
      case WHOLE_FILE ->
          InputFile.read(context, whole.file(), whole.trust(), file -> print(file, whole));
      case NEWEST_EPOCH -> context.isFirst() ? printNewest(whole) : 0;
    };
  }

  private int printNewest(WholeFileOptions options) {
    if (InputFile.isStored(options.file())) {
      throw new JobException("only HDF5 files can be read live: file=" + options.file());
    }
    InputFile.check(options.file());
    try (H5File.Follower follower =
        H5File.follow(
            options.file(),
            Communicator.self(),
            FileOptions.standard().withTrust(options.trust()))) {
      if (follower.epoch() == 0 && follower.isWritten()) {
        throw new JobException("the writer has not flushed the file yet: file=" + options.file());
      }
      return print(follower.file(), options);
    }
  }

  private int print(H5File file, WholeFileOptions options) {
    PrintWriter to = context.writer();
    switch (options.form()) {
      case TEXT -> TreeListing.walk(file, new TreeText(to)::entry);
      case JSON -> {
        TreeJson json = new TreeJson(options.file(), to);
        TreeListing.walk(file, json::entry);
        json.end();
      }
    }
    to.flush();
    return 0;
  }
}
