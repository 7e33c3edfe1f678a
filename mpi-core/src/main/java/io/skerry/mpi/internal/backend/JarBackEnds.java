package io.skerry.mpi.internal.backend;

import io.skerry.mpi.MpiSession;
import io.skerry.mpi.internal.jar.JarClasses;
import io.skerry.mpi.internal.jar.MpiJar;
import io.skerry.mpi.internal.launch.Launcher;
import io.skerry.mpi.internal.launch.LibraryEnvironment;
import io.skerry.mpi.internal.launch.ProgramArguments;
import io.skerry.mpi.internal.mpj.MpjSession;
import io.skerry.mpi.internal.openmpi.OpenMpiSession;
import java.util.Map;
import java.util.Optional;

/** Selects and starts a back end that uses Java bindings from a jar, if one was requested. */
public final class JarBackEnds {
  private JarBackEnds() {}

  /**
   * Returns the name of the MPI library that the user has chosen (see {@link
   * LibraryEnvironment#named}) if it names a jar; otherwise empty.
   */
  public static Optional<String> named(Map<String, String> environment) {
    return LibraryEnvironment.named(environment).filter(name -> name.endsWith(".jar"));
  }

  /**
   * Starts a back end that uses Java bindings from a jar, if {@code mpjrun} has started this rank,
   * or if the user has named a jar and {@code launched} is true.
   *
   * @param arguments the arguments of {@code main}
   * @param environment the environment of the process
   * @param launched true if a launcher has started this process, or if the MPI library must be
   *     started even without a launcher
   * @return the session; empty if another back end must be used
   * @throws io.skerry.mpi.MpiException if the jar cannot be used or does not match the launcher, or
   *     if its library cannot be started
   */
  public static Optional<MpiSession> start(
      ProgramArguments arguments, Map<String, String> environment, boolean launched) {
    var named = named(environment);
    if (arguments.fromMpjrun()) {
      return Optional.of(startUnderMpjrun(arguments, environment, named));
    }
    if (named.isEmpty()) {
      return Optional.empty();
    }
    var jar = MpiJar.open(named.get(), environment);
    return switch (jar.kind()) {
      case OPEN_MPI ->
          launched
              ? Optional.of(OpenMpiSession.start(jar.classes(), jar.path(), environment))
              : Optional.empty();
      case MPJ_EXPRESS ->
          throw JarClasses.unusable(
              "MPJ Express needs what its launcher tells: expected=rank, configuration and device"
                  + " before main's own arguments found=%s; start the job with mpjrun, and let main"
                      .formatted(launcher(environment))
                  + " call Mpi.start(arguments)");
    };
  }

  private static String launcher(Map<String, String> environment) {
    return Launcher.of(environment).map(found -> found.kind().toString()).orElse("no launcher");
  }

  private static MpiSession startUnderMpjrun(
      ProgramArguments arguments, Map<String, String> environment, Optional<String> named) {
    // The classes that mpjrun provides take precedence, since ranks that are threads share some of
    // them.
    var jar =
        MpiJar.visibleTo(JarBackEnds.class.getClassLoader())
            .or(() -> named.map(name -> MpiJar.open(name, environment)))
            .orElseThrow(() ->
                JarClasses.unusable(
                    "mpjrun has started this rank, but MPJ Express is not on its class path:"
                        + " let SKERRY_MPI name mpj.jar"));
    LibraryEnvironment.named(environment)
        .filter(name ->
            named.isEmpty() || MpiJar.open(name, environment).kind() != MpiJar.Kind.MPJ_EXPRESS)
        .ifPresent(name -> {
          throw JarClasses.unusable(
              "two back ends at once: launcher=mpjrun SKERRY_MPI=%s; unset SKERRY_MPI, or start"
                      .formatted(name)
                  + " the job with that MPI's launcher");
        });
    if (jar.kind() != MpiJar.Kind.MPJ_EXPRESS) {
      throw JarClasses.unusable(
          "mpjrun has started this rank, but its class path has another MPI: found=%s in %s"
              .formatted(jar.kind().title(), jar.path()));
    }
    if (!arguments.device().equals("smpdev") && !arguments.device().equals("niodev")) {
      throw JarClasses.unusable(
          "a device of MPJ Express that Skerry does not know: expected=multicore or niodev found=%s"
              .formatted(arguments.device()));
    }
    return MpjSession.start(jar.classes(), jar.path().toString(), arguments, environment);
  }
}
