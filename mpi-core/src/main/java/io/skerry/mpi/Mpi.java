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
 * The MPI environment of this process. It is started once, used only by the thread that started it,
 * and finalized by {@link #close}. Afterwards, communicators that use an MPI library count as
 * closed.
 *
 * <p>In a process started by an MPI launcher ({@code mpirun}, {@code srun --mpi=pmix}), the world
 * consists of the ranks of the job, which communicate through the installed library. In any other
 * process, the world is this process alone, and no library is needed.
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
   * @throws MpiException under a launcher, or if the user names a jar as the MPI library: of class
   *     {@link MpiErrorClass#LIBRARY} if there is no usable library (the message names the library,
   *     or all libraries that were tried), or if the library of a jar does not belong to the
   *     launcher, or if the JVM denies the access to native code that the library needs; of class
   *     {@link MpiErrorClass#MISMATCH} if a native library does not belong to the launcher, or if
   *     the ranks run different builds of Skerry; of a different class if the library reports an
   *     error
   * @throws IllegalStateException if an MPI library was already started in this process, even if it
   *     has been finalized since; if the same jar is used again, an {@link MpiException} of class
   *     {@link MpiErrorClass#LIBRARY} is thrown instead
   * @throws IllegalArgumentException if the system property {@code skerry.patience} is not a whole
   *     number of seconds from 0 to 2<sup>63</sup>-1; MPI is then not started
   */
  public static Mpi start() {
    return start(new String[0]);
  }

  /**
   * Starts MPI in a program that {@code mpjrun} of MPJ Express may have started. That launcher
   * inserts the parameters of the rank before the program's own arguments; {@link #arguments}
   * returns the program's own arguments. Collective over the job.
   *
   * @param arguments all arguments of {@code main}
   * @throws MpiException in the same cases as {@link #start()}
   * @throws IllegalStateException in the same cases as {@link #start()}
   * @throws IllegalArgumentException in the same cases as {@link #start()}
   */
  public static Mpi start(String... arguments) {
    var session = provider().start(List.of(arguments), System.getenv());
    return new Mpi(session, ProgramArguments.of(arguments).program());
  }

  /**
   * Starts the MPI library that {@link #start} would use under a launcher. Without a launcher, the
   * world has one rank, which suffices to inspect the library. Collective over the job.
   *
   * @param arguments all arguments of {@code main}
   * @throws MpiException in the same cases as {@link #start()}, even without a launcher
   * @throws IllegalStateException in the same cases as {@link #start()}
   * @throws IllegalArgumentException in the same cases as {@link #start()}
   */
  public static Mpi startLibrary(String... arguments) {
    var session = provider().startLibrary(List.of(arguments), System.getenv());
    return new Mpi(session, ProgramArguments.of(arguments).program());
  }

  /**
   * Starts MPI, runs a program, ends MPI, and returns the exit code. Messages are printed to {@link
   * System#err}. Collective over the job; an {@link MpiException} during the start and failures of
   * the body are printed, not thrown.
   *
   * @return the exit code, as for {@link #run(Body, PrintStream)}
   * @throws MpiException in the same cases as {@link #run(Body, PrintStream)}
   * @throws IllegalStateException in the same cases as {@link #start()}
   * @throws IllegalArgumentException in the same cases as {@link #run(Body, PrintStream)}
   */
  public static int run(Body body) {
    return run(body, System.err);
  }

  /**
   * Starts MPI, runs a program, ends MPI, and returns the exit code. If the start fails with an
   * {@link MpiException}, its description is printed on one line, and the exit code is 2. If the
   * body throws:
   *
   * <ul>
   *   <li>an {@link AgreedFailure} on which all ranks of the job have agreed: rank 0 prints its
   *       message, all ranks end MPI normally, and the exit code is 1;
   *   <li>any other throwable: the rank prints it with its stack trace and aborts the whole job
   *       with code 1, since other ranks may be waiting for this rank. The method returns only if
   *       the job is this process alone.
   * </ul>
   *
   * <p>Collective over the job; these failures are printed, not thrown.
   *
   * @param body the program
   * @param err the stream for error messages
   * @return the exit code: that of the body, 1 if the body has failed, 2 if MPI cannot be started
   * @throws MpiException if the MPI library reports an error when MPI ends, or if the job of a
   *     failed rank cannot be aborted
   * @throws IllegalStateException in the same cases as {@link #start()}
   * @throws IllegalArgumentException if the system property {@code skerry.patience} is not a whole
   *     number of seconds from 0 to 2<sup>63</sup>-1 at the start, in which case the body does not
   *     run, or at the end
   */
  public static int run(Body body, PrintStream err) {
    Objects.requireNonNull(body);
    return run(new String[0], Mpi::start, mpi -> body.run(mpi.world()), err, Mpi::trace);
  }

  /**
   * Like {@link #run(Body)}, but for a program that {@code mpjrun} may have started; see {@link
   * #start(String...)}. Collective over the job; an {@link MpiException} during the start and
   * failures of the body are printed, not thrown.
   *
   * @param arguments the arguments of {@code main}
   * @param body the program
   * @return the exit code, as for {@link #run(Body, PrintStream)}
   * @throws MpiException in the same cases as {@link #run(Body, PrintStream)}
   * @throws IllegalStateException in the same cases as {@link #start()}
   * @throws IllegalArgumentException in the same cases as {@link #run(Body, PrintStream)}
   */
  public static int run(String[] arguments, Body body) {
    return run(arguments, body, Mpi::trace);
  }

  /**
   * Like {@link #run(String[], Body)}, but prints the text that {@code failureText} returns for a
   * throwable that is not an {@link AgreedFailure}. Collective over the job; an {@link
   * MpiException} during the start and failures of the body are printed, not thrown.
   *
   * @param arguments the arguments of {@code main}
   * @param body the program
   * @param failureText the function that returns the text to print for a throwable, without the
   *     rank and without a line terminator. If it throws an exception, the stack trace of the
   *     throwable is printed instead.
   * @return the exit code, as for {@link #run(Body, PrintStream)}
   * @throws MpiException in the same cases as {@link #run(Body, PrintStream)}
   * @throws IllegalStateException in the same cases as {@link #start()}
   * @throws IllegalArgumentException in the same cases as {@link #run(Body, PrintStream)}
   */
  public static int run(String[] arguments, Body body, Function<Throwable, String> failureText) {
    Objects.requireNonNull(body);
    return run(arguments, Mpi::start, mpi -> body.run(mpi.world()), System.err, failureText);
  }

  /**
   * Like {@link #run(String[], Body, Function)}, but uses the MPI library even without a launcher;
   * see {@link #startLibrary}. Collective over the job; an {@link MpiException} during the start
   * and failures of the program are printed, not thrown.
   *
   * @param arguments the arguments of {@code main}
   * @param program the program, which returns the exit code
   * @param err the stream for error messages
   * @param failureText the function that returns the text to print for a throwable, without the
   *     rank and without a line terminator. If it throws an exception, the stack trace of the
   *     throwable is printed instead.
   * @return the exit code, as for {@link #run(Body, PrintStream)}
   * @throws MpiException in the same cases as {@link #run(Body, PrintStream)}
   * @throws IllegalStateException in the same cases as {@link #start()}
   * @throws IllegalArgumentException in the same cases as {@link #run(Body, PrintStream)}
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
    Objects.requireNonNull(err);
    Objects.requireNonNull(failureText);
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
      if (!AgreedFailure.isAgreed(t, mpi.world().rankSet())) {
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
   * Prints why MPI could not be started, and returns the exit code. Rank 0 always prints its
   * failure, as does a process whose rank is unknown. If each rank has its own process, every other
   * rank waits two seconds and then prints its own failure, unless the exit of rank 0 has ended the
   * job by then. Without the wait, the launcher could end rank 0 before it has printed.
   */
  private static int refuse(MpiException failure, ProgramArguments given, PrintStream err) {
    var launcher = Launcher.of(given.addTo(System.getenv()));
    boolean first = launcher.map(Launcher::isFirst).orElse(true);
    if (first) {
      err.println("skerry: " + failure.text());
    } else if (!given.sharesProcess()) {
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

  // Prints the text in a single call, so that the stack traces of several ranks do not mix.
  private int endJob(Throwable t, PrintStream err, Function<Throwable, String> failureText) {
    try {
      var head = "rank %d of %d failed: ".formatted(world().rank(), world().size());
      err.print(head + text(t, failureText) + System.lineSeparator());
      err.flush();
    } finally {
      // The other ranks may be waiting for this rank, even if its failure cannot be printed.
      if (!closed) {
        session.abort(1);
      }
    }
    return 1;
  }

  private static String text(Throwable t, Function<Throwable, String> failureText) {
    try {
      return failureText.apply(t);
    } catch (RuntimeException e) {
      // A throwable cannot suppress itself.
      if (!e.equals(t)) {
        t.addSuppressed(e);
      }
      return trace(t);
    }
  }

  /** Returns the service provider that starts back ends; its implementation is in this module. */
  static MpiProvider provider() {
    return Installed.PROVIDER;
  }

  private static String trace(Throwable t) {
    var text = new StringWriter();
    t.printStackTrace(new PrintWriter(text, true));
    return text.toString().stripTrailing();
  }

  /**
   * Returns whether an MPI launcher started a process, judging by the environment of the process.
   * Local, thread-safe; does not fail.
   *
   * @param environment the environment variables of the process
   * @return true if the environment contains variables of a known launcher
   */
  public static boolean underLauncher(Map<String, String> environment) {
    return Launcher.of(environment).isPresent();
  }

  /** Returns the communicator of all ranks of the job. Local, thread-safe; does not fail. */
  public Communicator world() {
    return session.world();
  }

  /**
   * Returns the arguments of the program, without those that a launcher inserted before them; the
   * list is immutable. Local, thread-safe; does not fail.
   */
  public List<String> arguments() {
    return arguments;
  }

  /**
   * Returns a description of the MPI library in use. Local, thread-safe; also possible after {@link
   * #close}.
   *
   * @throws MpiException if the library does not report its version
   */
  public MpiInstallation installation() {
    return session.installation();
  }

  /**
   * Ends MPI. Collective over the job; waits for the other ranks without a time limit; a second
   * call does nothing. A rank that is waiting for this rank in a {@link CallOrder} of the world
   * throws a {@link CallMismatchException}. From then on, communicators that use an MPI library
   * count as closed; files that are still open on them can only be abandoned. If this method throws
   * an {@link IllegalStateException} or an {@link IllegalArgumentException}, MPI continues to run,
   * and the call can be repeated.
   *
   * @throws MpiException if the library reports an error; a second call then does nothing
   * @throws IllegalStateException if the calling thread did not start MPI and the MPI library is in
   *     use
   * @throws IllegalArgumentException if the system property {@code skerry.patience} has changed
   *     since the start and is not a whole number of seconds from 0 to 2<sup>63</sup>-1
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    try {
      session.end();
      closed = true;
    } catch (MpiException e) {
      // The library must not be finalized twice, even if the first attempt failed.
      closed = true;
      throw e;
    }
  }

  /**
   * A program that runs on each rank and can use the {@link Mpi} object, not only the world
   * communicator.
   */
  @FunctionalInterface
  private interface Program {
    int run(Mpi mpi) throws Exception;
  }

  /** Defers the lookup of the provider to its first use. */
  private static final class Installed {
    // The class loader is given explicitly: if a rank is a thread of MPJ Express, its context class
    // loader may not be the one that loaded this class.
    private static final MpiProvider PROVIDER =
        ServiceLoader.load(MpiProvider.class, Mpi.class.getClassLoader())
            .findFirst()
            .orElseThrow(() ->
                new IllegalStateException(
                    "skerry-mpi-core.jar lacks its service file: service="
                        + MpiProvider.class.getName()));
  }

  /** The part of a program that runs between initialization and finalization of MPI. */
  @FunctionalInterface
  public interface Body {
    /**
     * Runs on every rank and returns the exit code of the process. Collective over the job.
     *
     * @param world the communicator of all ranks of the job
     * @return the exit code
     * @throws Exception if the rank fails; {@link Mpi#run} states the consequences
     */
    int run(Communicator world) throws Exception;
  }
}
