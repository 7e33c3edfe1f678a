package io.skerry.jobs.inspect;

import io.skerry.H5File;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.run.CommandContext;
import java.util.function.ToIntFunction;

/** Runs {@code dump}: prints the values of a dataset or attribute. */
public final class DumpHandler implements ToIntFunction<DumpOptions> {
  private final CommandContext context;

  public DumpHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(DumpOptions options) {
    return InputFile.read(context, options.file(), options.trust(), file -> print(file, options));
  }

  private int print(H5File file, DumpOptions options) {
    ValuePrinter to =
        switch (options.form()) {
          case TEXT -> new ValueLines(context.writer());
          case JSON -> new ValueJson(context.writer());
        };
    new Dump(file, to).print(options);
    return 0;
  }
}
