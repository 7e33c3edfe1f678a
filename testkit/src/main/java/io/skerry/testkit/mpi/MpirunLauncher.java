package io.skerry.testkit.mpi;

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
 * Starts Java programs under {@code mpirun} with this JVM's own Java and class path. Immutable; the
 * {@code with} methods answer a changed copy.
 *
 * @param mpirun the launcher, after the words of what it is started in, if anything
 * @param family how it wants to be called
 * @param limit after which the job is killed
 * @param environment added to this process's, over the settings that Open MPI needs
 * @param jvmOptions such as {@code -Dname=value}
 */
public record MpirunLauncher(
    List<String> mpirun,
    Family family,
    Duration limit,
    Map<String, String> environment,
    List<String> jvmOptions) {

  /** Launchers that take the same options. */
  public enum Family {
    /** Open MPI's. */
    OPEN_MPI,
    /** MPICH's and Intel MPI's. */
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

  /** Settings for many ranks on few cores of one machine. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "OMPI_MCA_pml", "ob1",
          "OMPI_MCA_btl", "self,vader,tcp",
          "OMPI_MCA_mpi_yield_when_idle", "1",
          "UCX_ERROR_SIGNALS", "");

  /**
   * What a job left behind.
   *
   * @param exitCode of {@code mpirun}
   * @param output of all ranks and of {@code mpirun}, both streams
   * @param elapsed from start to end
   */
  public record Outcome(int exitCode, String output, Duration elapsed) {}

  public MpirunLauncher {
    mpirun = List.copyOf(mpirun);
    environment = Map.copyOf(environment);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /**
   * The {@code mpirun} on the path, if there is one, with a limit of two minutes. The system
   * property {@code skerry.mpirun} names another, as a path or by its name on the path.
   */
  public static Optional<MpirunLauncher> find() {
    return find(System.getProperty("skerry.mpirun", "mpirun"));
  }

  /** A launcher by its path or its name on the path. */
  public static Optional<MpirunLauncher> find(String name) {
    return file(name).flatMap(found -> startedBy(List.of(found.toString())));
  }

  /** A launcher by the command that starts it, if that is one. */
  public static Optional<MpirunLauncher> startedBy(List<String> mpirun) {
    return Family.of(mpirun)
        .map(family ->
            new MpirunLauncher(mpirun, family, Duration.ofSeconds(120), Map.of(), List.of()));
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

  /** The same, started by a command that takes this one as its last words. */
  public MpirunLauncher startedWithin(List<String> words) {
    var longer = Stream.concat(words.stream(), mpirun.stream()).toList();
    return new MpirunLauncher(longer, family, limit, environment, jvmOptions);
  }

  /** The same with another limit. */
  public MpirunLauncher withLimit(Duration changed) {
    return new MpirunLauncher(mpirun, family, changed, environment, jvmOptions);
  }

  /** The same with one more environment variable. */
  public MpirunLauncher withEnvironment(String name, String value) {
    return withEnvironment(Map.of(name, value));
  }

  /** The same with more environment variables. */
  public MpirunLauncher withEnvironment(Map<String, String> added) {
    var more = new TreeMap<>(environment);
    more.putAll(added);
    return new MpirunLauncher(mpirun, family, limit, more, jvmOptions);
  }

  /** The same with one more option for each rank's JVM. */
  public MpirunLauncher withJvmOption(String option) {
    return new MpirunLauncher(
        mpirun,
        family,
        limit,
        environment,
        Stream.concat(jvmOptions.stream(), Stream.of(option)).toList());
  }

  /** The command that {@link #run} starts. */
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
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(arguments);
    return command;
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** A job ready to be started, both streams in one, for who wants to do something to it. */
  public ProcessBuilder prepared(int ranks, String mainClass, String... arguments) {
    var builder = new ProcessBuilder(command(ranks, mainClass, List.of(arguments)));
    // A launcher inside a launched process would think itself part of that job.
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
   * Runs a main class on ranks.
   *
   * @throws AssertionError with the output so far if the job outlives even its own time limit
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
