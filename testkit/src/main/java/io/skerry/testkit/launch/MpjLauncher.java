package io.skerry.testkit.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts Java programs under MPJ Express with the Java installation and the class path of this JVM.
 * {@code mpjrun} is a script around a main class. This launcher starts the main class directly, so
 * that it can choose ports and several jobs can run at the same time. Immutable; the {@code with}
 * methods return a changed copy.
 *
 * @param device the message transport
 * @param limit the time after which the job is killed
 * @param jvmOptions options for the JVM of each rank, such as {@code -Dname=value}
 */
public record MpjLauncher(Device device, Duration limit, List<String> jvmOptions) {
  private static final Path HOME = Path.of("/usr/share/mpj");
  private static final Path JARS = Path.of("/usr/share/java");
  private static final List<Path> NEEDED =
      List.of(
          HOME.resolve("lib/starter.jar"),
          HOME.resolve("lib/daemon.jar"),
          JARS.resolve("log4j-1.2.jar"),
          JARS.resolve("commons-io.jar"),
          JARS.resolve("commons-codec.jar"));

  /** A message transport of MPJ Express. */
  public enum Device {
    /** Ranks are threads of one JVM, each with its own copies of the classes. */
    MULTICORE,
    /** Ranks are processes that a daemon starts; messages use TCP. */
    NIODEV
  }

  public MpjLauncher {
    jvmOptions = List.copyOf(jvmOptions);
  }

  /**
   * Returns a launcher for the MPJ Express package of Debian, with a limit of two minutes; empty if
   * the package is not installed.
   */
  public static Optional<MpjLauncher> find(Device device) {
    return NEEDED.stream().allMatch(Files::isReadable)
        ? Optional.of(new MpjLauncher(device, Duration.ofMinutes(2), List.of()))
        : Optional.empty();
  }

  /** Returns this launcher with a different time limit. */
  public MpjLauncher withLimit(Duration changed) {
    return new MpjLauncher(device, changed, jvmOptions);
  }

  /** Returns this launcher with one more option for the JVM of each rank. */
  public MpjLauncher withJvmOption(String option) {
    return new MpjLauncher(
        device, limit, Stream.concat(jvmOptions.stream(), Stream.of(option)).toList());
  }

  /**
   * Runs a main class on the given number of ranks. The exit code is that of {@code mpjrun}, which
   * is always 0.
   *
   * @throws AssertionError with the output so far if the job exceeds the time limit
   */
  public MpirunLauncher.Outcome run(int ranks, String mainClass, String... arguments)
      throws InterruptedException {
    try {
      var folder = Files.createTempDirectory("skerry-mpjrun-");
      try {
        return run(folder, ranks, mainClass, List.of(arguments));
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private MpirunLauncher.Outcome run(
      Path folder, int ranks, String mainClass, List<String> arguments)
      throws IOException, InterruptedException {
    var ports = ports(3);
    writeHome(folder, ports);
    var daemon =
        device == Device.NIODEV ? Optional.of(daemon(folder, ports)) : Optional.<Process>empty();
    try {
      var log = folder.resolve("job.log");
      long started = System.nanoTime();
      var job = start(folder, "job.log", command(folder, ports, ranks, mainClass, arguments));
      boolean ended = job.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
      kill(job);
      var output = Files.readString(log, UTF_8);
      if (!ended) {
        throw new AssertionError("mpjrun outlived its limit of " + limit + ":\n" + output);
      }
      var elapsed = Duration.ofNanos(System.nanoTime() - started);
      return new MpirunLauncher.Outcome(job.exitValue(), output, elapsed);
    } finally {
      if (daemon.isPresent()) {
        kill(daemon.get());
      }
    }
  }

  /**
   * Creates the folder that {@code MPJ_HOME} names: it has the layout of the installed package, but
   * configures different ports.
   */
  private static void writeHome(Path folder, List<Integer> ports) throws IOException {
    Files.createSymbolicLink(folder.resolve("lib"), HOME.resolve("lib"));
    Files.createDirectory(folder.resolve("conf"));
    Files.writeString(
        folder.resolve("conf/mpjexpress.conf"),
        """
        mpjexpress.mpjdaemon.port.1=%d
        mpjexpress.mpjdaemon.port.2=%d
        mpjexpress.mpjrun.port.1=%d
        mpjexpress.mpjdaemon.loglevel=OFF
        mpjexpress.mpjrun.loglevel=OFF
        mpjexpress.mpi.loglevel=OFF
        mpjexpress.version=0.44
        mpjexpress.mpi.old.collectives=false
        """
            .formatted(ports.get(0), ports.get(1), ports.get(2)));
    Files.writeString(folder.resolve("machines"), "localhost\n");
  }

  private static List<Integer> ports(int count) throws IOException {
    var sockets = new ArrayList<ServerSocket>();
    try {
      var ports = new ArrayList<Integer>();
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0));
        ports.add(sockets.getLast().getLocalPort());
      }
      return ports;
    } finally {
      for (var socket : sockets) {
        socket.close();
      }
    }
  }

  private static String log4j() {
    return "-Xbootclasspath/a:" + JARS.resolve("log4j-1.2.jar");
  }

  private static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  private static List<String> jvm(String mainClass, Path... classPath) {
    return List.of(
        java().toString(),
        log4j(),
        "-cp",
        String.join(File.pathSeparator, Stream.of(classPath).map(Path::toString).toList()),
        mainClass);
  }

  private static Process daemon(Path folder, List<Integer> ports)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.addAll(
        jvm(
            "runtime.daemon.MPJDaemon",
            HOME.resolve("lib/daemon.jar"),
            HOME.resolve("lib/runtimecommon.jar"),
            JARS.resolve("commons-io.jar"),
            JARS.resolve("commons-codec.jar")));
    command.add(Integer.toString(ports.getFirst()));
    var daemon = start(folder, "daemon.log", command);
    for (int tries = 0; tries < 300 && !answers(ports.getFirst()); tries++) {
      Thread.sleep(100);
    }
    return daemon;
  }

  private static boolean answers(int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private List<String> command(
      Path folder, List<Integer> ports, int ranks, String mainClass, List<String> arguments) {
    var command = new ArrayList<String>();
    command.addAll(
        jvm(
            "runtime.starter.MPJRun",
            HOME.resolve("lib/starter.jar"),
            HOME.resolve("lib/runtimecommon.jar")));
    command.addAll(List.of("-np", Integer.toString(ranks)));
    if (device == Device.NIODEV) {
      command.addAll(
          List.of(
              "-dev",
              "niodev",
              "-dport",
              Integer.toString(ports.getFirst()),
              "-machinesfile",
              folder.resolve("machines").toString()));
    }
    command.addAll(List.of(log4j(), "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    command.add(ChildProgram.QUICK_COMPILER);
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(arguments);
    return command;
  }

  private static Process start(Path folder, String log, List<String> command) throws IOException {
    var builder = new ProcessBuilder(command);
    builder.environment().put("MPJ_HOME", folder.toString());
    // MPJ Express starts the first java on the path.
    var folderOfJava = Path.of(System.getProperty("java.home"), "bin").toString();
    builder.environment().merge("PATH", folderOfJava, (path, own) -> own + ":" + path);
    builder
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(log).toFile())
        .redirectInput(new File("/dev/null"));
    return builder.start();
  }

  private static void kill(Process process) throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
