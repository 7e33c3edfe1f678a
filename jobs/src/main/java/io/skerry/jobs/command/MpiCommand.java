package io.skerry.jobs.command;

import io.skerry.jobs.mpi.MpiOptions;
import io.skerry.jobs.report.ReportForm;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Reads the arguments of {@code skerry mpi}. */
@Command(
    name = "mpi",
    description = "Print the MPI library, the hosts, and the component that does collective I/O.",
    footer = {
      "",
      "The library is the one that SKERRY_MPI names, else the one installed with the launcher, else",
      "the one in the folder I_MPI_ROOT, OPAL_PREFIX, MPICH_DIR or MPI_HOME, else one with a usual",
      "name.",
      "",
      "Exit code: 0 usable, 1 the folder is not writable, 2 no usable library or wrong arguments.",
      "",
      "Example: ./skerry mpi --ranks 2"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class MpiCommand implements Callable<Integer> {
  private final ToIntFunction<MpiOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private RankOptions parallel = new RankOptions();

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description = "Folder in which to write and remove a small file (default: this folder).")
  private Path folder = Path.of("");

  @Option(names = "--json", description = "Report as one JSON object.")
  private boolean json;

  @Mixin private HelpOption help = new HelpOption();

  public MpiCommand(ToIntFunction<MpiOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    try {
      return handler.applyAsInt(
          new MpiOptions(
              parallel.ranks(),
              parallel.asThreads() ? MpiOptions.RanksAs.THREADS : MpiOptions.RanksAs.LIBRARY,
              folder,
              json ? ReportForm.JSON : ReportForm.TEXT));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
