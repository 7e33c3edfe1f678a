package io.skerry.mpi.internal.backend;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiProvider;
import io.skerry.mpi.MpiSession;
import io.skerry.mpi.Schedule;
import io.skerry.mpi.internal.base.Build;
import io.skerry.mpi.internal.base.WaitLimit;
import io.skerry.mpi.internal.ffm.FfmSession;
import io.skerry.mpi.internal.launch.Launcher;
import io.skerry.mpi.internal.launch.ProgramArguments;
import io.skerry.mpi.internal.local.LocalSession;
import io.skerry.mpi.internal.local.LocalWorld;
import java.util.List;
import java.util.Map;

/**
 * Selects and starts the back ends of this module: a jar with Java bindings or a native MPI library
 * if a launcher has started this process or the caller requests the library, otherwise the local
 * back end, which needs no library.
 */
public final class BackEnds implements MpiProvider {
  /** Creates the provider; called by {@link java.util.ServiceLoader}. */
  public BackEnds() {}

  @Override
  public MpiSession start(List<String> arguments, Map<String, String> environment) {
    requirePatience();
    var given = ProgramArguments.of(arguments.toArray(String[]::new));
    var launcher = Launcher.of(environment);
    var jar = JarBackEnds.start(given, environment, launcher.isPresent());
    if (jar.isEmpty() && launcher.isEmpty()) {
      return new LocalSession();
    }
    return Build.checked(jar.orElseGet(() -> FfmSession.start(launcher)));
  }

  @Override
  public MpiSession startLibrary(List<String> arguments, Map<String, String> environment) {
    requirePatience();
    var given = ProgramArguments.of(arguments.toArray(String[]::new));
    var launcher = Launcher.of(environment);
    var jar = JarBackEnds.start(given, environment, true);
    return Build.checked(jar.orElseGet(() -> FfmSession.start(launcher)));
  }

  /** Rejects an invalid time limit now, since the first wait may follow a long computation. */
  private static void requirePatience() {
    WaitLimit unused = WaitLimit.ofProperty();
  }

  @Override
  public Communicator self() {
    return LocalWorld.self();
  }

  @Override
  public <T> List<T> callOnThreads(int ranks, Schedule schedule, LocalRanks.Function<T> function) {
    return LocalWorld.call(ranks, schedule, function);
  }
}
