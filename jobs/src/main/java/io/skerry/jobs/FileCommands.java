package io.skerry.jobs;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.exception.PrintableText;
import io.skerry.jobs.argument.SelectionSyntax;
import io.skerry.jobs.command.Commands;
import io.skerry.jobs.copy.ConvertJob;
import io.skerry.jobs.copy.ConvertOptions;
import io.skerry.jobs.copy.RepackJob;
import io.skerry.jobs.copy.RepackOptions;
import io.skerry.jobs.file.ChunkBands;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.WholeFileOptions;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.inspect.DefinedOptions;
import io.skerry.jobs.inspect.DefinedText;
import io.skerry.jobs.inspect.Dump;
import io.skerry.jobs.inspect.DumpOptions;
import io.skerry.jobs.inspect.TreeJson;
import io.skerry.jobs.inspect.TreeListing;
import io.skerry.jobs.inspect.TreeText;
import io.skerry.jobs.inspect.ValueJson;
import io.skerry.jobs.inspect.ValueLines;
import io.skerry.jobs.inspect.ValuePrinter;
import io.skerry.jobs.integrity.DigestListing;
import io.skerry.jobs.integrity.DigestOptions;
import io.skerry.jobs.integrity.DigestOutput;
import io.skerry.jobs.integrity.RecoverJob;
import io.skerry.jobs.integrity.VerifyOutput;
import io.skerry.jobs.interchange.ExportJob;
import io.skerry.jobs.interchange.ExportOptions;
import io.skerry.jobs.interchange.ImportJob;
import io.skerry.jobs.interchange.ImportOptions;
import io.skerry.jobs.lcls.InterruptedRun;
import io.skerry.jobs.lcls.LclsJob;
import io.skerry.jobs.lcls.LclsOptions;
import io.skerry.jobs.lcls.LclsOutcome;
import io.skerry.jobs.lcls.StopSignal;
import io.skerry.jobs.mpi.MpiJob;
import io.skerry.jobs.mpi.MpiOptions;
import io.skerry.jobs.pca.MemoryBudget;
import io.skerry.jobs.pca.PcaJob;
import io.skerry.jobs.pca.PcaOptions;
import io.skerry.jobs.report.FailureText;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.Launch;
import io.skerry.jobs.run.WorkBudget;
import io.skerry.jobs.stat.StatOptions;
import io.skerry.jobs.stat.StatReport;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Mpi;
import io.skerry.mpi.MpiInstallation;
import io.skerry.mpi.internal.launch.ProgramArguments;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Trust;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** What the subcommands do, on HDF5 files. */
final class FileCommands implements Commands {
  private final Map<String, String> environment;
  private final PrintStream out;
  private final FrameReader.Opener sources;
  private final ProgramArguments arguments;
  private boolean ranksHaveMet;
  private final BooleanSupplier stopping;

  /**
   * @param environment of the process, for what a launcher says in it
   * @param out where results go; failures are thrown, for {@link Skerry} to report
   * @param arguments for what a launcher says in them
   */
  FileCommands(Map<String, String> environment, PrintStream out, ProgramArguments arguments) {
    this(environment, out, arguments, FrameReader::open, () -> false);
  }

  /** The same on other frames, and with one more way to be asked to stop, for tests. */
  FileCommands(
      Map<String, String> environment,
      PrintStream out,
      ProgramArguments arguments,
      FrameReader.Opener sources,
      BooleanSupplier stopping) {
    this.environment = Map.copyOf(environment);
    this.out = out;
    this.arguments = arguments;
    this.sources = sources;
    this.stopping = stopping;
  }

  @Override
  public int lcls(LclsOptions options) {
    try (StopSignal signal = StopSignal.listen()) {
      BooleanSupplier stop = () -> signal.getAsBoolean() || stopping.getAsBoolean();
      return onRanks(options.ranks(), world -> report(options, world, stop));
    }
  }

  @Override
  public int repack(RepackOptions options) {
    return onRanks(
        options.ranks(),
        world -> {
          print(new RepackJob(options, environment).run(world), options.report(), world);
          return 0;
        });
  }

  @Override
  public int convert(ConvertOptions options) {
    return onRanks(
        options.ranks(),
        world -> {
          print(new ConvertJob(options, environment).run(world), options.report(), world);
          return 0;
        });
  }

  @Override
  public int mpi(MpiOptions options) {
    if (options.ranksAs() == MpiOptions.RanksAs.THREADS && !Launch.of(environment).isLaunched()) {
      MpiInstallation threads = MpiInstallation.ofThreads();
      return LocalRanks.call(options.ranks(), world -> mpi(options, world, threads)).getFirst();
    }
    ranksHaveMet = true;
    return Mpi.runLibrary(
        all(),
        mpi -> run(world -> mpi(options, world, mpi.installation()), mpi.world()),
        System.err,
        FailureText::told);
  }

  private int mpi(MpiOptions options, Communicator world, MpiInstallation installation) {
    print(
        new MpiJob(world, installation, environment).run(options.folder()),
        options.report(),
        world);
    return 0;
  }

  @Override
  public int pca(PcaOptions options) {
    return onRanks(
        options.ranks(),
        world -> {
          MemoryBudget budget = MemoryBudget.of(world, environment);
          print(new PcaJob(options, budget, environment).run(world), options.report(), world);
          return 0;
        });
  }

  @Override
  public int exportTo(ExportOptions options) {
    return alone(world -> new ExportJob(options, environment).run(world), options.report());
  }

  @Override
  public int importFrom(ImportOptions options) {
    return alone(world -> new ImportJob(options, environment).run(world), options.report());
  }

  /** Only the first rank works and prints, if something launched several. */
  private int alone(Function<Communicator, Json.Members> job, ReportForm form) {
    if (Launch.of(environment).isFirst()) {
      Communicator self = Communicator.self();
      print(job.apply(self), form, self);
    }
    return 0;
  }

  private void print(Json.Members report, ReportForm form, Communicator world) {
    if (world.rank() == 0) {
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

  /** On the ranks that a launcher started, else on so many threads. */
  private int onRanks(int ranks, ToIntFunction<Communicator> job) {
    if (Launch.of(environment).isLaunched()) {
      ranksHaveMet = true;
      return Mpi.run(all(), world -> run(job, world), FailureText::told);
    }
    return LocalRanks.call(ranks, job::applyAsInt).getFirst();
  }

  private String[] all() {
    return Stream.concat(arguments.launcher().stream(), arguments.program().stream())
        .toArray(String[]::new);
  }

  /** Ends the command: {@code mpjrun} waits until its ranks have met, though they had no need. */
  void end() {
    if (arguments.fromMpjrun() && !ranksHaveMet) {
      Mpi.start(all()).close();
    }
  }

  /**
   * One rank of a launched job. A failure that all ranks share is told by the first, in the same
   * words as without a launcher; any other is left to {@link Mpi#run}, which ends the job.
   */
  private static int run(ToIntFunction<Communicator> job, Communicator world) {
    try {
      return job.applyAsInt(world);
    } catch (RuntimeException e) {
      if (!(e instanceof AgreedFailure)) {
        throw e;
      }
      if (world.rank() == 0) {
        System.err.println(FailureText.line(e));
      }
      return 1;
    }
  }

  private int report(LclsOptions options, Communicator world, BooleanSupplier stop) {
    LclsOutcome report = LclsJob.run(options, world, environment, sources, stop);
    if (world.rank() == 0) {
      switch (options.report()) {
        case TABLE -> out.print(report.toTable());
        case JSON -> out.println(report.toJson());
      }
      out.flush();
      if (report instanceof InterruptedRun interrupted) {
        System.err.println("skerry: " + PrintableText.text(interrupted.hint()));
      }
    }
    return report.exitCode();
  }

  @Override
  public int ls(WholeFileOptions asked) {
    return reading(
        asked.file(),
        asked.trust(),
        file -> {
          PrintWriter to = writer();
          switch (asked.form()) {
            case TEXT -> TreeListing.walk(file, new TreeText(to)::entry);
            case JSON -> {
              TreeJson json = new TreeJson(asked.file(), to);
              TreeListing.walk(file, json::entry);
              json.end();
            }
          }
          to.flush();
          return 0;
        });
  }

  @Override
  public int defined(DefinedOptions options) {
    return reading(
        options.file(),
        options.trust(),
        file -> {
          Dataset dataset = file.dataset(options.dataset());
          Shape shape = dataset.shape();
          if (shape.rank() == 0) {
            throw new JobException("a single value has no coordinates: path=" + options.dataset());
          }
          Selection asked =
              options
                  .selection()
                  .map(text -> SelectionSyntax.parseArgument(text, shape))
                  .orElse(Selection.all());
          PrintWriter to = writer();
          new DefinedText(options, shape, asked, definedParts(dataset, asked)).print(to);
          to.flush();
          return 0;
        });
  }

  private static DefinedText.Parts definedParts(Dataset dataset, Selection asked) {
    return visitor ->
        ChunkBands.forEach(dataset, asked, part -> visitor.accept(dataset.defined(part)));
  }

  @Override
  public int digest(DigestOptions options) {
    return reading(
        options.file(),
        options.trust(),
        file -> {
          DigestOutput to = new DigestOutput(writer(), options.form());
          DigestListing.walk(
              file, new WorkBudget(options.limit(), "digest", WorkBudget.Effort.READ), to::entry);
          to.end();
          return to.isIncomplete() ? 1 : 0;
        });
  }

  @Override
  public int dump(DumpOptions options) {
    return reading(
        options.file(),
        options.trust(),
        file -> {
          ValuePrinter to =
              switch (options.form()) {
                case TEXT -> new ValueLines(writer());
                case JSON -> new ValueJson(writer());
              };
          new Dump(file, to).print(options);
          return 0;
        });
  }

  @Override
  public int stat(StatOptions options) {
    return reading(
        options.file(),
        options.trust(),
        file -> new StatReport(options, writer()).print(file) ? 0 : 1);
  }

  @Override
  public int verify(WholeFileOptions asked) {
    if (!Launch.of(environment).isFirst()) {
      return 0;
    }
    InputFile.check(asked.file());
    long bytes = InputFile.bytes(asked.file());
    try (ProgressDisplay progress = ProgressDisplay.ofBytes("verify", bytes, environment)) {
      VerifyOutput to = new VerifyOutput(writer(), asked.form(), progress);
      to.end(Verification.of(asked.file(), FileOptions.standard().withTrust(asked.trust()), to));
      return to.isClean() ? 0 : 1;
    }
  }

  @Override
  public int recover(WholeFileOptions asked) {
    return recovering(asked, RecoverJob::run);
  }

  @Override
  public int recoverWithoutJournal(WholeFileOptions asked) {
    return recovering(asked, RecoverJob::runWithoutJournal);
  }

  private int recovering(WholeFileOptions asked, Function<Path, Json.Members> job) {
    if (Launch.of(environment).isFirst()) {
      InputFile.check(asked.file());
      print(job.apply(asked.file()), asked.form(), Communicator.self());
      RecoverJob.check(asked.file(), asked.trust());
    }
    return 0;
  }

  /** Only the first rank reads and prints, if something launched several. */
  private int reading(Path path, Trust trust, ToIntFunction<H5File> body) {
    if (!Launch.of(environment).isFirst()) {
      return 0;
    }
    InputFile.check(path);
    try (H5File file = InputFile.open(path, Communicator.self(), trust)) {
      return body.applyAsInt(file);
    }
  }

  private PrintWriter writer() {
    return new PrintWriter(out, false, StandardCharsets.UTF_8);
  }
}
