package io.skerry.jobs.mpi;

import io.skerry.jobs.run.CommandContext;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiInstallation;
import java.util.function.ToIntFunction;

/**
 * Runs {@code mpi}: reports the MPI library of the ranks. Collective over all ranks. The exit code
 * is 1 if no file can be written to the folder, and 2 if there is no usable library.
 */
public final class MpiHandler implements ToIntFunction<MpiOptions> {
  private final CommandContext context;

  public MpiHandler(CommandContext context) {
    this.context = context;
  }

  @Override
  public int applyAsInt(MpiOptions options) {
    if (options.ranksAs() == MpiOptions.RanksAs.THREADS && !context.isLaunched()) {
      MpiInstallation threads = MpiInstallation.ofThreads();
      return LocalRanks.call(options.ranks(), world -> report(options, world, threads)).getFirst();
    }
    return context.onLibraryRanks((world, installation) -> report(options, world, installation));
  }

  private int report(MpiOptions options, Communicator world, MpiInstallation installation) {
    context.print(
        new MpiJob(world, installation, context.environment()).run(options.folder()),
        options.report(),
        world);
    return 0;
  }
}
