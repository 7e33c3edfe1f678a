package io.skerry.jobs.inspect;

import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.run.CommandContext;
import io.skerry.spi.Connectors;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.ToIntFunction;

/** Runs {@code iod}: prints a container in terms of its store. */
public final class IodHandler implements ToIntFunction<IodOptions> {
  private final CommandContext context;

  public IodHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(IodOptions options) {
    if (!context.isFirst()) {
      return 0;
    }
    Connectors.Location container = options.container();
    InputFile.check(Path.of(container.toString()));
    PrintWriter out = context.writer();
    switch (options.action()) {
      case DUMP ->
          Connectors.connector(container.scheme().orElseThrow())
              .dump(container.path(), out::println);
    }
    out.flush();
    return 0;
  }
}
