package io.skerry.jobs.inspect;

import io.skerry.H5File;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.run.CommandContext;
import java.io.PrintWriter;
import java.util.function.ToIntFunction;

/** Runs {@code dump}: prints the values of a dataset or attribute. */
public final class DumpHandler implements ToIntFunction<DumpOptions> {
  private final CommandContext context;

  public DumpHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(DumpOptions options) {
    return InputFile.read(
        context,
        options.ranks(),
        options.file(),
        options.trust(),
        (file, writer) -> print(file, options, writer));
  }

  private static int print(H5File file, DumpOptions options, PrintWriter writer) {
    ValuePrinter to =
        switch (options.form()) {
          case TEXT -> new ValueLines(writer);
          case JSON -> new ValueJson(writer);
        };
    new Dump(file, to).print(options);
    return 0;
  }
}
