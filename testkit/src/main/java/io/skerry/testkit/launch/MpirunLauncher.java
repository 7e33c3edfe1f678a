package io.skerry.testkit.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts Java programs under {@code mpirun} with the Java installation and the class path of this
 * JVM. Immutable; the {@code with} methods return a changed copy.
 *
 * @param mpirun the launcher command, preceded by the command that starts the launcher, if there is
 *     one
 * @param family the kind of launcher, which determines its options
 * @param limit the time after which the job is killed
 * @param environment variables added to those of this process and to the settings for Open MPI
 * @param jvmOptions options for the JVM of each rank, such as {@code -Dname=value}
 */
public record MpirunLauncher(
    List<String> mpirun,
    Family family,
    Duration limit,
    Map<String, String> environment,
    List<String> jvmOptions) {

  /** A kind of launcher. Launchers of the same kind accept the same options. */
  public enum Family {
    /** The launcher of Open MPI. */
    OPEN_MPI,
    /** The launcher of MPICH and Intel MPI. */
    HYDRA;

    private static Optional<Family> of(List<String> mpirun) {
      try {
        var asking = Stream.concat(mpirun.stream(), Stream.of("--version")).toList();
        var process = new ProcessBuilder(asking).redirectErrorStream(true).start();
        var version = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (version.contains("HYDRA") || version.contains("Intel(R) MPI")) {
          return Optional.of(HYDRA);
        }
        return version.contains("Open MPI") || version.contains("OpenRTE")
            ? Optional.of(OPEN_MPI)
            : Optional.empty();
      } catch (IOException e) {
        return Optional.empty();
      }
    }
  }

  /** Environment variables that suit many ranks on the few cores of one machine. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "OMPI_MCA_pml", "ob1",
          "OMPI_MCA_btl", "self,vader,tcp",
          "OMPI_MCA_mpi_yield_when_idle", "1",
          "UCX_ERROR_SIGNALS", "");

  /**
   * The result of a job.
   *
   * @param exitCode the exit code of {@code mpirun}
   * @param output the standard output and standard error of all ranks and of {@code mpirun}
   * @param elapsed the time from the start of the job to its end
   */
  public record Outcome(int exitCode, String output, Duration elapsed) {}

  public MpirunLauncher {
    mpirun = List.copyOf(mpirun);
    environment = Map.copyOf(environment);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /**
   * Returns the {@code mpirun} on the path, if there is one, with a limit of two minutes. The
   * system property {@code skerry.mpirun} names a different launcher, by its path or by its name on
   * the path.
   */
  public static Optional<MpirunLauncher> find() {
    return find(System.getProperty("skerry.mpirun", "mpirun"));
  }

  /**
   * Returns the launcher with the given path, or with the given name on the path; empty if there is
   * none.
   */
  public static Optional<MpirunLauncher> find(String name) {
    return file(name).flatMap(found -> startedBy(List.of(found.toString())));
  }

  /**
   * Returns the launcher that a command starts; empty if the command does not start a known
   * launcher.
   */
  public static Optional<MpirunLauncher> startedBy(List<String> mpirun) {
    return Family.of(mpirun)
        .map(family ->
            new MpirunLauncher(mpirun, family, Duration.ofMinutes(2), Map.of(), List.of()));
  }

  private static Optional<Path> file(String name) {
    if (name.contains(File.separator)) {
      return Optional.of(Path.of(name)).filter(Files::isExecutable);
    }
    var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(File.pathSeparator))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Returns this launcher, started by the given command. The launcher command is appended to the
   * words of that command.
   */
  public MpirunLauncher startedWithin(List<String> words) {
    var longer = Stream.concat(words.stream(), mpirun.stream()).toList();
    return new MpirunLauncher(longer, family, limit, environment, jvmOptions);
  }

  /** Returns this launcher with a different time limit. */
  public MpirunLauncher withLimit(Duration changed) {
    return new MpirunLauncher(mpirun, family, changed, environment, jvmOptions);
  }

  /** Returns this launcher with one more environment variable. */
  public MpirunLauncher withEnvironment(String name, String value) {
    return withEnvironment(Map.of(name, value));
  }

  /** Returns this launcher with more environment variables. */
  public MpirunLauncher withEnvironment(Map<String, String> added) {
    var more = new TreeMap<>(environment);
    more.putAll(added);
    return new MpirunLauncher(mpirun, family, limit, more, jvmOptions);
  }

  /** Returns this launcher with one more option for the JVM of each rank. */
  public MpirunLauncher withJvmOption(String option) {
    return new MpirunLauncher(
        mpirun,
        family,
        limit,
        environment,
        Stream.concat(jvmOptions.stream(), Stream.of(option)).toList());
  }

  /** Returns the command that {@link #run} starts. */
  public List<String> command(int ranks, String mainClass, List<String> arguments) {
    var command = new ArrayList<String>();
    command.addAll(mpirun);
    command.addAll(List.of("-n", Integer.toString(ranks)));
    if (family == Family.OPEN_MPI) {
      command.add("--oversubscribe");
      if (isRoot()) {
        command.add("--allow-run-as-root");
      }
      command.addAll(List.of("--timeout", Long.toString(limit.toSeconds())));
    }
    // If the launched program is java itself, Open MPI's mpirun adds the working folder to the
    // front of the class path, and no start cache is valid for such a class path.
    command.add("env");
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    command.addAll(List.of(ChildProgram.QUICK_COMPILER, ChildProgram.SMALL_YOUNG_GENERATION));
    command.addAll(LargePages.options());
    command.addAll(jvmOptions);
    command.addAll(StartCache.options());
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /**
   * Returns a process builder for a job that the caller starts. The standard error of the job is
   * merged into its standard output.
   */
  public ProcessBuilder prepared(int ranks, String mainClass, String... arguments) {
    var builder = new ProcessBuilder(command(ranks, mainClass, List.of(arguments)));
    // Without this removal, a launcher inside a launched process would join the job of that
    // process.
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("(OMPI_COMM|PMIX?_|PRTE_|MPI_LOCAL).*"));
    builder.environment().put("MPIEXEC_TIMEOUT", Long.toString(limit.toSeconds()));
    DEFAULTS.forEach(builder.environment()::putIfAbsent);
    builder.environment().putAll(environment);
    return builder.redirectErrorStream(true);
  }

  /**
   * Runs a main class on the given number of ranks.
   *
   * @throws AssertionError with the output so far if the job is still running 15 seconds after its
   *     time limit
   */
  public Outcome run(int ranks, String mainClass, String... arguments) throws InterruptedException {
    var builder = prepared(ranks, mainClass, arguments);
    try {
      var log = Files.createTempFile("skerry-mpirun-", ".log");
      try {
        builder.redirectOutput(log.toFile());
        long started = System.nanoTime();
        var process = builder.start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(limit.toSeconds() + 15, TimeUnit.SECONDS);
        if (!ended) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly().waitFor();
        }
        var output = Files.readString(log, UTF_8);
        if (!ended) {
          throw new AssertionError("mpirun outlived its limit of " + limit + ":\n" + output);
        }
        var elapsed = Duration.ofNanos(System.nanoTime() - started);
        return new Outcome(process.exitValue(), output, elapsed);
      } finally {
        Files.deleteIfExists(log);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
