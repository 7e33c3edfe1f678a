package io.skerry.jobs.command;

import io.skerry.jobs.run.WorkLimit;
import java.util.OptionalLong;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The option of commands that work through all elements: how many these may be. */
@SuppressWarnings("UnusedVariable") // picocli writes the fields
final class LimitOption {
  @Option(
      names = "--limit",
      paramLabel = "SIZE|none",
      converter = Spelling.class,
      description = {
        "Bytes of elements to work through at most, stored or not; K, M and G are powers of 1024;",
        "those that are written count eight times (default: 256M, or 20000 times the files that hold",
        "them, whichever is more)."
      })
  private WorkLimit limit = WorkLimit.standard();

  /** The limit asked for. */
  WorkLimit limit() {
    return limit;
  }

  /** Reads a limit as it is typed. */
  static final class Spelling implements ITypeConverter<WorkLimit> {
    @Override
    public WorkLimit convert(String text) {
      return text.equals("none")
          ? WorkLimit.none()
          : new WorkLimit(OptionalLong.of(new ByteSize().convert(text)));
    }
  }
}
