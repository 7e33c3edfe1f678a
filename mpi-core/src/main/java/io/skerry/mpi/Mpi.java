package io.skerry.mpi;

import io.skerry.mpi.internal.launch.Launcher;
import io.skerry.mpi.internal.launch.ProgramArguments;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * MPI for this process: started once, used by the thread that started it, ended by {@link #close}.
 *
 * <p>In a process that an MPI launcher started ({@code mpirun}, {@code srun --mpi=pmix}) the world
 * is the job's, through the installed library; in any other it is this one process, and no library
 * is needed.
 */
public final class Mpi implements AutoCloseable {
  private static final int UNUSABLE = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final MpiSession session;
  private final List<String> arguments;
  private boolean closed;

  private Mpi(MpiSession session, List<String> arguments) {
    this.session = session;
    this.arguments = arguments;
  }

  /**
   * Starts MPI. Collective over the job.
   *
   * @throws MpiException under a launcher: of class {@link MpiErrorClass#LIBRARY} if there is no
   *     usable library, naming what was tried; of class {@link MpiErrorClass#MISMATCH} if it does
   *     not belong to the launcher, or ranks run different builds
   */
  public static Mpi start() {
    return start(new String[0]);
  }

  /**
   * The same for a program that MPJ Express's {@code mpjrun} may start, which tells what a rank has
   * to know in front of the arguments of {@code main}; {@link #arguments} has the rest.
   */
  public static Mpi start(String... arguments) {
    var session = provider().start(List.of(arguments), System.getenv());
    return new Mpi(session, ProgramArguments.of(arguments).program());
  }

  /**
   * Starts the MPI library that {@link #start} would use, although no launcher is there: a world of
   * one rank, to see what the library is.
   *
   * @throws MpiException as {@link #start}
   */
  public static Mpi startLibrary(String... arguments) {
    var session = provider().startLibrary(List.of(arguments), System.getenv());
    return new Mpi(session, ProgramArguments.of(arguments).program());
  }

  /**
   * Runs a program between start and end of MPI and returns its exit code. Messages go to {@link
   * System#err}.
   *
   * @see #run(MpiBody, PrintStream)
   */
  public static int run(MpiBody body) {
    return run(body, System.err);
  }

  /**
   * The same with another stream. Without a usable MPI library one line says so, with the remedy,
   * and the answer is 2. What the body throws:
   *
   * <ul>
   *   <li>an {@link AgreedFailure}: rank 0 prints its message, all ranks end MPI in order, the
   *       answer is 1;
   *   <li>anything else: the rank prints it with its stack trace and ends the whole job with code
   *       1, since the other ranks may be waiting for this one.
   * </ul>
   */
  public static int run(MpiBody body, PrintStream err) {
    return run(new String[0], Mpi::start, mpi -> body.run(mpi.world()), err, Mpi::trace);
  }

  /** The same for a program that {@code mpjrun} may start, see {@link #start(String...)}. */
  public static int run(String[] arguments, MpiBody body) {
    return run(arguments, body, Mpi::trace);
  }

  /**
   * The same with a text of the program's own for what is no {@link AgreedFailure}.
   *
   * @param failureText text of a failure, without rank and line end
   */
  public static int run(String[] arguments, MpiBody body, Function<Throwable, String> failureText) {
    return run(arguments, Mpi::start, mpi -> body.run(mpi.world()), System.err, failureText);
  }

  /**
   * The same, but with the MPI library even if no launcher is there, see {@link #startLibrary}.
   *
   * @param failureText text of a failure, without rank and line end
   */
  public static int runLibrary(
      String[] arguments,
      ToIntFunction<Mpi> program,
      PrintStream err,
      Function<Throwable, String> failureText) {
    return run(arguments, Mpi::startLibrary, program::applyAsInt, err, failureText);
  }

  private static int run(
      String[] arguments,
      Function<String[], Mpi> starter,
      Program program,
      PrintStream err,
      Function<Throwable, String> failureText) {
    Mpi mpi;
    try {
      mpi = starter.apply(arguments);
    } catch (MpiException e) {
      return refuse(e, ProgramArguments.of(arguments), err);
    }
    int code;
    try {
      code = program.run(mpi);
    } catch (Throwable t) {
      if (!(t instanceof AgreedFailure)) {
        return mpi.endJob(t, err, failureText);
      }
      if (mpi.world().rank() == 0) {
        err.println(Objects.requireNonNullElse(t.getMessage(), t.toString()));
      }
      code = 1;
    }
    mpi.close();
    return code;
  }

  /**
   * Tells why MPI could not be started. What all ranks know of each other, the first tells for all;
   * what each has found by itself it tells unless the exit of the first has ended the job before.
   */
  private static int refuse(MpiException failure, ProgramArguments given, PrintStream err) {
    var launcher = Launcher.of(given.addTo(System.getenv()));
    boolean first = launcher.map(Launcher::isFirst).orElse(true);
    if (first) {
      err.println("skerry: " + failure.text());
    } else if (failure.errorClass() == MpiErrorClass.LIBRARY && !given.sharesProcess()) {
      try {
        Thread.sleep(PATIENCE);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      var rank = launcher.map(Launcher::rank).orElse(OptionalInt.empty());
      err.println("skerry: rank=%d: %s".formatted(rank.orElse(0), failure.text()));
    }
    return UNUSABLE;
  }

  // One print, so that the ranks' traces do not mix.
  private int endJob(Throwable t, PrintStream err, Function<Throwable, String> failureText) {
    var head = "rank %d of %d failed: ".formatted(world().rank(), world().size());
    err.print(head + failureText.apply(t) + System.lineSeparator());
    err.flush();
    session.abort(1);
    return 1;
  }

  /** Returns the back ends that come with this package. */
  static MpiProvider provider() {
    return Installed.PROVIDER;
  }

  private static String trace(Throwable t) {
    var text = new StringWriter();
    t.printStackTrace(new PrintWriter(text, true));
    return text.toString().stripTrailing();
  }

  /** Returns whether an MPI launcher started this process, judged by its environment. */
  public static boolean underLauncher(Map<String, String> environment) {
    return Launcher.of(environment).isPresent();
  }

  /** All ranks of the job. */
  public Communicator world() {
    return session.world();
  }

  /** The program's arguments, without those that a launcher has put in front. */
  public List<String> arguments() {
    return arguments;
  }

  /** Description of the MPI library in use. Not collective. */
  public MpiInstallation installation() {
    return session.installation();
  }

  /**
   * Ends MPI. Collective over the job; a second call does nothing. Ranks that wait for this one in
   * a {@link CallOrder} of the world get a {@link CallMismatchException}.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    session.end();
  }

  /** The body of a program; rank by rank. */
  @FunctionalInterface
  private interface Program {
    int run(Mpi mpi) throws Exception;
  }

  /** Defers the look-up to the first use. */
  private static final class Installed {
    // The loader is named, since a rank that is a thread of MPJ Express has a loader of its own.
    private static final MpiProvider PROVIDER =
        ServiceLoader.load(MpiProvider.class, Mpi.class.getClassLoader())
            .findFirst()
            .orElseThrow(() ->
                new IllegalStateException(
                    "skerry-mpi-core.jar lacks its service file: service="
                        + MpiProvider.class.getName()));
  }
}
