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
 * MPI for this process: started once, used by the thread that started it, finalised by {@link
 * #close}.
 *
 * <p>In a process started by an MPI launcher ({@code mpirun}, {@code srun --mpi=pmix}), the world
 * consists of the ranks of the job, through the installed library. In any other process, the world
 * is this process alone, and no library is needed.
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
   *     usable library, with the libraries tried; of class {@link MpiErrorClass#MISMATCH} if the
   *     library does not belong to the launcher, or ranks run different builds
   */
  public static Mpi start() {
    return start(new String[0]);
  }

  /**
   * Starts MPI in a program that {@code mpjrun} of MPJ Express may have started. That launcher
   * passes the parameters of a rank before the arguments of {@code main}; {@link #arguments}
   * returns the rest. Collective over the job.
   *
   * @throws MpiException in the cases of {@link #start()}
   */
  public static Mpi start(String... arguments) {
    var session = provider().start(List.of(arguments), System.getenv());
    return new Mpi(session, ProgramArguments.of(arguments).program());
  }

  /**
   * Starts the MPI library that {@link #start} would use, even without a launcher: a world of one
   * rank, for inspecting the library. Local.
   *
   * @throws MpiException in the cases of {@link #start}
   */
  public static Mpi startLibrary(String... arguments) {
    var session = provider().startLibrary(List.of(arguments), System.getenv());
    return new Mpi(session, ProgramArguments.of(arguments).program());
  }

  /**
   * Runs a program between the start and the end of MPI and returns its exit code. Messages are
   * printed to {@link System#err}. Collective over the job; failures are printed, not thrown.
   *
   * @see #run(Body, PrintStream)
   */
  public static int run(Body body) {
    return run(body, System.err);
  }

  /**
   * Runs a program between the start and the end of MPI and returns its exit code. Without a usable
   * MPI library, one line with the error and its remedy is printed, and the exit code is 2. If the
   * body throws:
   *
   * <ul>
   *   <li>an {@link AgreedFailure}: rank 0 prints its message, all ranks end MPI in order, and the
   *       exit code is 1;
   *   <li>any other throwable: the rank prints it with its stack trace and ends the whole job with
   *       code 1, since other ranks may be waiting for this one.
   * </ul>
   *
   * <p>Collective over the job; failures are printed, not thrown.
   */
  public static int run(Body body, PrintStream err) {
    return run(new String[0], Mpi::start, mpi -> body.run(mpi.world()), err, Mpi::trace);
  }

  /**
   * Runs a program that {@code mpjrun} may have started, see {@link #start(String...)}. Collective
   * over the job; failures are printed, not thrown.
   */
  public static int run(String[] arguments, Body body) {
    return run(arguments, body, Mpi::trace);
  }

  /**
   * Runs a program as {@link #run(String[], Body)} does, with its own text for throwables that are
   * not an {@link AgreedFailure}. Collective over the job; failures are printed, not thrown.
   *
   * @param arguments the arguments of {@code main}
   * @param body the program
   * @param failureText returns the text of a throwable, without rank and line end
   */
  public static int run(String[] arguments, Body body, Function<Throwable, String> failureText) {
    return run(arguments, Mpi::start, mpi -> body.run(mpi.world()), System.err, failureText);
  }

  /**
   * Runs a program with the MPI library even without a launcher, see {@link #startLibrary}.
   * Collective over the job; failures are printed, not thrown.
   *
   * @param arguments the arguments of {@code main}
   * @param program the program
   * @param err the stream for messages
   * @param failureText returns the text of a throwable, without rank and line end
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
   * Prints the reason why MPI could not be started. Rank 0 prints failures that all ranks know. For
   * a missing library, each other rank prints its own failure too, unless the exit of rank 0 has
   * ended the job before.
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

  // A single print, so that the stack traces of several ranks do not mix.
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

  /**
   * Returns whether an MPI launcher started this process, judged by its environment. Local,
   * thread-safe; does not fail.
   */
  public static boolean underLauncher(Map<String, String> environment) {
    return Launcher.of(environment).isPresent();
  }

  /** Communicator of all ranks of the job. Local, thread-safe; does not fail. */
  public Communicator world() {
    return session.world();
  }

  /**
   * Arguments of the program, without those that a launcher has inserted before them. Local,
   * thread-safe; does not fail.
   */
  public List<String> arguments() {
    return arguments;
  }

  /** Description of the MPI library in use. Local, thread-safe; does not fail. */
  public MpiInstallation installation() {
    return session.installation();
  }

  /**
   * Ends MPI. Collective over the job; a second call does nothing. Ranks that wait for this rank in
   * a {@link CallOrder} of the world get a {@link CallMismatchException}.
   *
   * @throws MpiException if the library reports an error
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    session.end();
  }

  /** Body of a program, run on each rank. */
  @FunctionalInterface
  private interface Program {
    int run(Mpi mpi) throws Exception;
  }

  /** Defers the lookup of the provider to its first use. */
  private static final class Installed {
    // The class loader is explicit, since a rank that is a thread of MPJ Express has its own
    // loader.
    private static final MpiProvider PROVIDER =
        ServiceLoader.load(MpiProvider.class, Mpi.class.getClassLoader())
            .findFirst()
            .orElseThrow(() ->
                new IllegalStateException(
                    "skerry-mpi-core.jar lacks its service file: service="
                        + MpiProvider.class.getName()));
  }

  /** The part of a program that runs between initialisation and finalisation of MPI. */
  @FunctionalInterface
  public interface Body {
    /** Runs on every rank and returns the exit code of the process. */
    int run(Communicator world) throws Exception;
  }
}
