package io.skerry.mpi.internal.mpj;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.MpiInstallation;
import io.skerry.mpi.MpiSession;
import io.skerry.mpi.internal.jar.JarClasses;
import io.skerry.mpi.internal.launch.ProgramArguments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A session of MPJ Express, from initialization to finalization. */
public final class MpjSession implements MpiSession {
  /** Maximum time for which a rank that ends the job waits until the other ranks are notified. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final MpjApi api;
  private final MpjLink link;
  private final MessageEngine engine;
  private final MpjCommunicator world;
  private final MpiInstallation installation;
  private final ProgramArguments arguments;
  // Ranks that are threads end with their process and need no detector.
  private final Optional<FailureDetector> detector;

  private MpjSession(
      MpjApi api, String library, ProgramArguments arguments, Map<String, String> environment) {
    this.api = api;
    this.arguments = arguments;
    this.link = new MpjLink(api, MpjSession::halt);
    this.engine = new MessageEngine(link);
    this.world = MpjCommunicator.world(engine, this::endJob);
    this.detector =
        arguments.sharesProcess()
            ? Optional.empty()
            : Optional.of(FailureDetector.of(world, rank -> endWithout(rank, world.rank())));
    this.installation =
        new MpiInstallation(
            "mpj-express",
            library,
            version(environment) + ", device " + arguments.device(),
            "1.2",
            "FUNNELED",
            List.of(
                "mpjrun ends with exit code 0 even if the job has failed; look at what it prints"));
  }

  /**
   * Initializes MPJ Express. Only the calling thread may use the session afterwards.
   *
   * @param classes the classes of MPJ Express
   * @param library the file of MPJ Express, for the description of the installation
   * @param arguments the arguments of {@code main}
   * @param environment the environment of the process
   */
  public static MpjSession start(
      JarClasses classes,
      String library,
      ProgramArguments arguments,
      Map<String, String> environment) {
    var api = MpjApi.start(classes, arguments.launcher().toArray(String[]::new));
    return new MpjSession(api, library, arguments, environment);
  }

  private static String version(Map<String, String> environment) {
    var configuration =
        Path.of(environment.getOrDefault("MPJ_HOME", "")).resolve("conf/mpjexpress.conf");
    try (var lines = Files.lines(configuration)) {
      return lines
          .filter(line -> line.startsWith("mpjexpress.version="))
          .map(line -> "MPJ Express " + line.substring(line.indexOf('=') + 1).strip())
          .findFirst()
          .orElse("MPJ Express of unknown version");
    } catch (IOException | UncheckedIOException e) {
      return "MPJ Express of unknown version";
    }
  }

  private static void endWithout(int lost, int rank) {
    System.err.printf("skerry: a rank was lost: lost=%d rank=%d%n", lost, rank);
    halt(1);
  }

  // MPJ Express ignores MPI_Abort. Ranks that are threads end with this process.
  private void endJob(int code) {
    // The other ranks are notified by messages, so they must not report this rank as lost.
    detector.ifPresent(FailureDetector::close);
    if (!arguments.sharesProcess()) {
      var notification =
          Thread.ofPlatform().daemon().name("skerry-mpj-abort").start(() -> engine.abort(code));
      try {
        notification.join(PATIENCE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    halt(code);
  }

  private static void halt(int code) {
    System.out.flush();
    System.err.flush();
    Runtime.getRuntime().halt(code);
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
    world.barrier();
    detector.ifPresent(FailureDetector::close);
    world.markEnded();
    try {
      if (world.size() > 1) {
        engine.leave();
        link.join();
      }
      api.end();
    } catch (MpiException | Error e) {
      throw e;
    } catch (Throwable t) {
      // The exceptions of MPJ Express are unchecked.
      throw new MpiException(
          "finish", MpiErrorClass.OTHER, "MPJ Express did not end: " + t, "world", world.rank(), t);
    }
  }
}
