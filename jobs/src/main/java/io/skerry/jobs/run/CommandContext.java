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
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The process in which a command runs: its environment, the arguments of its launcher, its ranks
 * and its standard output. One object per command; not thread-safe.
 */
public final class CommandContext {
  /** The exit code of a command whose arguments are wrong. */
  static final int WRONG_ARGUMENTS = 2;

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
   * @param ranks the number of threads, which is ignored under a launcher, and the ranks that only
   *     serve
   * @param job the job; it runs on every rank that computes and returns the exit code
   * @return the exit code of the job; under a launcher, 1 if the job failed, 2 if MPI could not be
   *     started; 2 if no rank would be left to compute
   */
  public int onRanks(Ranks ranks, ToIntFunction<Communicator> job) {
    ToIntFunction<Communicator> whole = withService(ranks, job);
    if (isLaunched()) {
      mpiWasStarted = true;
      return Mpi.run(allArguments(), world -> run(whole, world), FailureText::unprefixed);
    }
    return LocalRanks.call(ranks.number(), whole::applyAsInt).getFirst();
  }

  /** Returns a job for all ranks that runs the given job on the compute ranks only. */
  private static ToIntFunction<Communicator> withService(
      Ranks ranks, ToIntFunction<Communicator> job) {
    if (ranks.service().isEmpty()) {
      return job;
    }
    Ranks.Service service = ranks.service().get();
    // The compute ranks report a failure on which they have agreed, because the I/O ranks take no
    // part in that agreement.
    return world -> ServedStore.run(service, world, compute -> run(job, compute));
  }

  /**
   * Runs a job on the ranks that a launcher started or, without a launcher, on threads of this
   * process, and prints its report on rank 0.
   *
   * @param ranks the number of threads, which is ignored under a launcher, and the ranks that only
   *     serve
   * @param job the job; it runs on every rank that computes and returns the report
   * @param form the form of the report
   * @return 0; under a launcher, 1 if the job failed, 2 if MPI could not be started; 2 if no rank
   *     would be left to compute
   */
  public int onRanks(Ranks ranks, Function<Communicator, Json.Members> job, ReportForm form) {
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

  /**
   * Runs a local job on the first of the ranks that only serve, or on rank 0 if all ranks compute.
   * On the other ranks that a launcher started, returns immediately without running the job.
   *
   * @return the exit code of the job; 0 on the other ranks; 2 on all ranks if no rank would be left
   *     to compute
   */
  public int onServingRank(Ranks ranks, IntSupplier job) {
    Launch launch = Launch.of(environment);
    int all = launch.isLaunched() ? launch.size().orElse(0) : ranks.number();
    if (ranks.service().isEmpty() || all == 0) {
      return launch.isFirst() ? job.getAsInt() : 0;
    }
    Ranks.Service service = ranks.service().get();
    Optional<String> refusal = service.refusal(all);
    if (refusal.isPresent()) {
      launch.letFirstEndTheJob();
      if (launch.isFirst()) {
        System.err.println(refusal.get());
      }
      return WRONG_ARGUMENTS;
    }
    int serving = all - service.number();
    return launch.rank().orElse(serving) == serving ? job.getAsInt() : 0;
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

  /**
   * Returns a new UTF-8 writer for standard output on rank 0, and on other ranks one that discards
   * the text. The caller must flush it.
   */
  public PrintWriter writer(Communicator ranks) {
    return ranks.rank() == 0 ? writer() : new PrintWriter(Writer.nullWriter());
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
