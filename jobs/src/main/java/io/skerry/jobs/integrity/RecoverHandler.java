package io.skerry.jobs.integrity;

import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.WholeFileOptions;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.run.CommandContext;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import java.util.function.ToIntFunction;

/** Runs {@code recover}: finishes or discards an interrupted flush. */
public final class RecoverHandler implements ToIntFunction<RecoverOptions> {
  private final CommandContext context;

  public RecoverHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(RecoverOptions options) {
    if (context.isFirst()) {
      WholeFileOptions asked = options.file();
      InputFile.check(asked.file());
      if (InputFile.isStored(asked.file())) {
        throw new JobException(
            "only an HDF5 file needs recovery; another store recovers when it is opened: file="
                + asked.file());
      }
      Json.Members report =
          switch (options.journal()) {
            case FOUND -> RecoverJob.run(asked.file());
            case LOST -> RecoverJob.runWithoutJournal(asked.file());
          };
      context.print(report, asked.form(), Communicator.self());
      RecoverJob.check(asked.file(), asked.trust());
    }
    return 0;
  }
}
