package io.skerry.jobs.run;

import io.skerry.chunk.text.PrintableText;
import io.skerry.jobs.report.FailureText;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.ReportForm;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Mpi;
import io.skerry.mpi.MpiInstallation;
import io.skerry.mpi.internal.launch.ProgramArguments;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The process in which a command runs: its environment, the arguments of its launcher, its ranks
 * and its standard output. One object per command; not thread-safe.
 */
public final class CommandContext {
  private final Map<String, String> environment;
  private final PrintStream out;
  private final ProgramArguments arguments;
  private boolean mpiWasStarted;

  /**
   * Creates the context of a command.
   *
   * @param environment the environment of the process, including the variables of a launcher
   * @param out the stream that receives the results
   * @param arguments the arguments of the process, including those of a launcher
   */
  public CommandContext(
      Map<String, String> environment, PrintStream out, ProgramArguments arguments) {
    this.environment = Map.copyOf(environment);
    this.out = out;
    this.arguments = arguments;
  }

  /** Returns the environment of the process. */
  public Map<String, String> environment() {
    return environment;
  }

  /** Returns whether a parallel launcher started this process. */
  public boolean isLaunched() {
    return Launch.of(environment).isLaunched();
  }

  /** Returns whether this process is rank 0 or the only process. */
  public boolean isFirst() {
    return Launch.of(environment).isFirst();
  }

  /**
   * Runs a job on the ranks that a launcher started or, without a launcher, on threads of this
   * process.
   *
   * @param ranks the number of threads; ignored under a launcher
   * @param job the job; it runs on every rank and returns the exit code
   * @return the exit code of the job; under a launcher, 1 if the job failed, 2 if MPI could not be
   *     started
   */
  public int onRanks(int ranks, ToIntFunction<Communicator> job) {
    if (isLaunched()) {
      mpiWasStarted = true;
      return Mpi.run(allArguments(), world -> run(job, world), FailureText::unprefixed);
    }
    return LocalRanks.call(ranks, job::applyAsInt).getFirst();
  }

  /**
   * Runs a job on the ranks that a launcher started or, without a launcher, on threads of this
   * process, and prints its report on rank 0.
   *
   * @param ranks the number of threads; ignored under a launcher
   * @param job the job; it runs on every rank and returns the report
   * @param form the form of the report
   * @return 0; under a launcher, 1 if the job failed, 2 if MPI could not be started
   */
  public int onRanks(int ranks, Function<Communicator, Json.Members> job, ReportForm form) {
    return onRanks(
        ranks,
        world -> {
          print(job.apply(world), form, world);
          return 0;
        });
  }

  /**
   * Runs a job on the ranks of the MPI library, even if no launcher has started this process.
   *
   * @param job the job; it runs on every rank and returns the exit code
   * @return the exit code of the job; 1 if the job failed, 2 if there is no usable MPI library
   */
  public int onLibraryRanks(ToIntBiFunction<Communicator, MpiInstallation> job) {
    mpiWasStarted = true;
    return Mpi.runLibrary(
        allArguments(),
        mpi -> run(world -> job.applyAsInt(world, mpi.installation()), mpi.world()),
        System.err,
        FailureText::unprefixed);
  }

  /**
   * Runs a job on rank 0, with a communicator of one rank, and prints its report. On the other
   * ranks that a launcher started, returns immediately without running the job.
   *
   * @return 0
   */
  public int onFirstRank(Function<Communicator, Json.Members> job, ReportForm form) {
    if (isFirst()) {
      Communicator self = Communicator.self();
      print(job.apply(self), form, self);
    }
    return 0;
  }

  /** Prints a report on rank 0 of a communicator. Local. */
  public void print(Json.Members report, ReportForm form, Communicator ranks) {
    if (ranks.rank() == 0) {
      switch (form) {
        case JSON -> out.println(report.text());
        case TEXT ->
            report
                .members()
                .forEach(m -> out.println("%-16s %s".formatted(m.name(), plain(m.value()))));
      }
      out.flush();
    }
  }

  private static String plain(Json value) {
    return value instanceof Json.Text(String text) ? PrintableText.text(text) : value.text();
  }

  /** Returns a new UTF-8 writer for standard output, which the caller must flush. */
  public PrintWriter writer() {
    return new PrintWriter(out, false, StandardCharsets.UTF_8);
  }

  /** Returns standard output. */
  public PrintStream out() {
    return out;
  }

  /**
   * Finishes the command. Starts MPI if {@code mpjrun} started this process and the command did not
   * use MPI, because {@code mpjrun} waits until every rank has started MPI.
   */
  public void end() {
    if (arguments.fromMpjrun() && !mpiWasStarted) {
      Mpi.start(allArguments()).close();
    }
  }

  private String[] allArguments() {
    return Stream.concat(arguments.launcher().stream(), arguments.program().stream())
        .toArray(String[]::new);
  }

  /**
   * Runs a job on this rank of an MPI program. Rank 0 prints a failure on which all ranks have
   * agreed, with the same text as for ranks that are threads; {@link Mpi} aborts the program after
   * any other failure.
   */
  private static int run(ToIntFunction<Communicator> job, Communicator world) {
    try {
      return job.applyAsInt(world);
    } catch (RuntimeException e) {
      if (!AgreedFailure.isAgreed(e, world.rankSet())) {
        throw e;
      }
      if (world.rank() == 0) {
        System.err.println(FailureText.line(e));
      }
      return 1;
    }
  }
}
