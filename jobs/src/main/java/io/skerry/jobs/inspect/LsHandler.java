package io.skerry.jobs.inspect;

import io.skerry.H5File;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.WholeFileOptions;
import io.skerry.jobs.run.CommandContext;
import java.io.PrintWriter;
import java.util.function.ToIntFunction;

/** Runs {@code ls}: prints the tree of a file. */
public final class LsHandler implements ToIntFunction<WholeFileOptions> {
  private final CommandContext context;

  public LsHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(WholeFileOptions options) {
    return InputFile.read(context, options.file(), options.trust(), file -> print(file, options));
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
