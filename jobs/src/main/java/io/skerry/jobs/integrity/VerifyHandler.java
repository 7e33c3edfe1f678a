package io.skerry.jobs.integrity;

import io.skerry.Verification;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.WholeFileOptions;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.CommandContext;
import io.skerry.parallel.FileOptions;
import java.util.function.ToIntFunction;

/**
 * Runs {@code verify}: checks every structure and every chunk of a file. The exit code is 1 if
 * there are findings.
 */
public final class VerifyHandler implements ToIntFunction<VerifyOptions> {
  private final CommandContext context;

  public VerifyHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(VerifyOptions options) {
    return context.onServingRank(options.ranks(), () -> verify(options.file()));
  }

  private int verify(WholeFileOptions options) {
    InputFile.check(options.file());
    long bytes = InputFile.bytes(options.file());
    FileOptions reading = FileOptions.standard().withTrust(options.trust());
    try (ProgressDisplay progress =
        ProgressDisplay.ofBytes("verify", bytes, context.environment())) {
      VerifyOutput to = new VerifyOutput(context.writer(), options.form(), progress);
      to.end(Verification.of(options.file().toString(), reading, to));
      return to.isClean() ? 0 : 1;
    }
  }
}
