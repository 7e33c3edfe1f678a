package io.skerry.jobs.command;

import io.skerry.jobs.run.WorkLimit;
import java.util.OptionalLong;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/**
 * The {@code --limit} option: the maximum total size, in bytes, of the elements that a command
 * processes. {@code WorkBudget} defines how chunks and written elements are counted.
 */
@SuppressWarnings("UnusedVariable") // picocli writes the fields
final class LimitOption {
  @Option(
      names = "--limit",
      paramLabel = "SIZE|none",
      converter = Spelling.class,
      description = {
        "Maximum size of the processed elements in bytes, stored or not; K, M and G are powers of",
        "1024. Written elements count eight times (default: 256M, or 20000 times the size of the",
        "input files, whichever is more)."
      })
  private WorkLimit limit = WorkLimit.standard();

  /** Returns the limit that was given, or the default. */
  WorkLimit limit() {
    return limit;
  }

  /** Parses a limit: a number of bytes or {@code none}. */
  static final class Spelling implements ITypeConverter<WorkLimit> {
    @Override
    public WorkLimit convert(String text) {
      return text.equals("none")
          ? WorkLimit.none()
          : new WorkLimit(OptionalLong.of(new ByteSize().convert(text)));
    }
  }
}
