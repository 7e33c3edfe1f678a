package io.skerry.mpi.internal.openmpi;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiInstallation;
import io.skerry.mpi.MpiSession;
import io.skerry.mpi.internal.base.KnownIssues;
import io.skerry.mpi.internal.jar.JarClasses;
import io.skerry.mpi.internal.launch.Launcher;
import io.skerry.mpi.internal.launch.LibraryEnvironment;
import io.skerry.mpi.internal.launch.NativeProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A session of Open MPI through its Java bindings, from initialization to finalization; a process
 * can have only one.
 */
public final class OpenMpiSession implements MpiSession {
  private static final String MPI = "mpi.MPI";

  private final OpenMpiCommunicator world;
  private final MpiInstallation installation;

  private OpenMpiSession(OpenMpiCommunicator world, MpiInstallation installation) {
    this.world = world;
    this.installation = installation;
  }

  /**
   * Initializes Open MPI. Only the calling thread may use it afterwards.
   *
   * @param classes the classes of the Java bindings
   * @param jar the jar with the classes, for error messages and the description of the installation
   * @param environment the environment of the process
   * @throws io.skerry.mpi.MpiException if Open MPI cannot be started, or does not belong to the
   *     launcher
   * @throws IllegalStateException if MPI was already started in this process
   */
  public static OpenMpiSession start(
      JarClasses classes, Path jar, Map<String, String> environment) {
    var launcher = Launcher.of(environment);
    try {
      LibraryEnvironment.prepare();
      if (launcher.isEmpty()) {
        LibraryEnvironment.prepareForOneRank();
      }
      int wanted = (int) classes.constant(MPI, "THREAD_FUNNELED");
      if ((boolean) classes.function(MPI, "isInitialized", boolean.class).invokeExact()) {
        throw new IllegalStateException("MPI has already been started in this process");
      }
      var begin = classes.function(MPI, "InitThread", int.class, String[].class, int.class);
      int granted = (int) begin.invokeExact(new String[0], wanted);
      if (granted < wanted) {
        throw JarClasses.unusable(
            "Open MPI offers too few threads: expected=%d actual=%d".formatted(wanted, granted));
      }
      var api = new OpenMpiApi(classes);
      var world = OpenMpiCommunicator.world(api, new JarFailures(classes));
      launcher.ifPresent(found -> requireRanks(found, world));
      return new OpenMpiSession(world, installation(classes, jar, granted, environment));
    } catch (IllegalCallerException e) {
      throw JarClasses.unusable(NativeProcess.denial(), e);
    } catch (RuntimeException e) {
      throw e;
    } catch (LinkageError e) {
      throw JarClasses.unusable(
          "%s and libmpi_java do not fit together: %s; make the jar from the sources of the installed"
                  .formatted(jar, e.getMessage())
              + " version",
          e);
    } catch (Throwable t) {
      throw JarClasses.unusable("Open MPI did not start: " + t.getMessage(), t);
    }
  }

  // Checks that the world contains all ranks of the job. A library that does not support
  // the launcher would start each rank in a separate world.
  private static void requireRanks(Launcher launcher, OpenMpiCommunicator world) {
    int expected = launcher.size().orElse(world.size());
    if (expected != world.size()) {
      throw JarClasses.unusable(
          "Open MPI does not belong to the launcher: launcher=%s expected=%d ranks found=%d; start"
                  .formatted(launcher.kind(), expected, world.size())
              + " the job with Open MPI's mpirun");
    }
  }

  private static MpiInstallation installation(
      JarClasses classes, Path jar, int granted, Map<String, String> environment) throws Throwable {
    var text = (String) classes.function(MPI, "getLibVersion", String.class).invokeExact();
    var library = text.replace("\0", "").strip();
    var version =
        (Object) classes.function(MPI, "getVersion", classes.named("mpi.Version")).invokeExact();
    int major = (int) classes.method("mpi.Version", "getVersion", int.class).invokeExact(version);
    int minor =
        (int) classes.method("mpi.Version", "getSubVersion", int.class).invokeExact(version);
    return new MpiInstallation(
        "openmpi-java",
        jar.toString(),
        library,
        major + "." + minor,
        level(classes, granted),
        KnownIssues.of("Open MPI", library, environment));
  }

  private static String level(JarClasses classes, int granted) {
    for (var name : List.of("SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE")) {
      if (granted == (int) classes.constant(MPI, "THREAD_" + name)) {
        return name;
      }
    }
    return Integer.toString(granted);
  }

  @Override
  public Communicator world() {
    return world;
  }

  @Override
  public MpiInstallation installation() {
    return installation;
  }

  @Override
  public void finish() {
    world.enter("finish");
    world.completeMessages();
    // The library must not be called again, even if it cannot be finalized.
    world.markEnded();
    world.call(
        "finish",
        () -> {
          world.api().end.invokeExact();
        });
  }
}
