package io.skerry.testkit.launch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * JVM options that let child programs load the classes of this JVM. If the system property {@code
 * skerry.test.cache} is true, the classes of jars come from an AOT cache, which halves the
 * processor time of startup. The first process to need the cache records it in the folder {@code
 * target}; until it exists, and if it cannot be recorded, programs start without it.
 */
final class StartCache {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Keeps messages of the JVM out of the output that tests compare. */
  private static final List<String> SILENT = List.of("-Xlog:aot=off", "-Xlog:cds=off");

  private final List<Path> jars;
  private final Path file;

  private StartCache(List<Path> jars, Path file) {
    this.jars = jars;
    this.file = file;
  }

  /** Returns the class path, and the cache if it exists. */
  static List<String> options() {
    List<Path> all =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .toList();
    List<Path> jars = all.stream().filter(Files::isRegularFile).toList();
    List<String> options = new ArrayList<>();
    recorded(jars).ifPresent(cache -> options.add("-XX:AOTCache=" + cache));
    if (!options.isEmpty()) {
      options.addAll(SILENT);
    }
    // A cache is valid for a class path that begins with the jars whose classes it contains.
    Stream<Path> others = all.stream().filter(path -> !Files.isRegularFile(path));
    options.addAll(List.of("-cp", joined(Stream.concat(jars.stream(), others).toList())));
    return options;
  }

  private static Optional<Path> recorded(List<Path> jars) {
    Path folder = Path.of("target");
    boolean trainable = jars.contains(Path.of(StartTraining.location()));
    if (!Boolean.getBoolean("skerry.test.cache") || !trainable || !Files.isDirectory(folder)) {
      return Optional.empty();
    }
    Path file = folder.resolve("start-" + stamp(jars) + ".aot").toAbsolutePath();
    if (!Files.exists(file)) {
      new StartCache(jars, file).record();
    }
    return Optional.of(file).filter(Files::exists);
  }

  /**
   * Returns a number that changes when a jar changes, because the JVM rejects a cache of other
   * jars.
   */
  private static String stamp(List<Path> jars) {
    long hash = 1;
    try {
      for (Path jar : jars) {
        long state = Files.size(jar) * 31 + Files.getLastModifiedTime(jar).toMillis();
        hash = hash * 1_000_003 + state * 31 + jar.hashCode();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Long.toHexString(hash);
  }

  /**
   * Records the cache, unless another process or thread is recording it or an earlier recording
   * failed.
   */
  private void record() {
    Path failed = file.resolveSibling(file.getFileName() + ".failed");
    Path lock = file.resolveSibling(file.getFileName() + ".lock");
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.tryLock()) {
      if (held != null && !Files.exists(file) && !Files.exists(failed) && !trained()) {
        Files.writeString(failed, "");
      }
    } catch (OverlappingFileLockException e) {
      // Another thread of this JVM is recording the cache.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean trained() throws IOException {
    // In the folder of the cache, so that the move is atomic: a JVM that maps an incomplete cache
    // would crash.
    Path work = Files.createTempDirectory(file.getParent(), "start");
    Path configuration = work.resolve("recorded");
    Path cache = work.resolve("cache");
    boolean done =
        ends(
                "-XX:AOTMode=record",
                "-XX:AOTConfiguration=" + configuration,
                "-cp",
                joined(jars),
                StartTraining.class.getName(),
                work.resolve("training.h5").toString())
            && ends(
                "-XX:AOTMode=create",
                "-XX:AOTConfiguration=" + configuration,
                "-XX:AOTCache=" + cache,
                "-cp",
                joined(jars));
    if (done) {
      Files.move(cache, file, StandardCopyOption.ATOMIC_MOVE);
    }
    try (Stream<Path> left = Files.list(work)) {
      for (Path each : left.toList()) {
        Files.delete(each);
      }
    }
    Files.delete(work);
    return done;
  }

  /** Runs a JVM, and returns true if it exits with code 0 within the time limit. */
  private static boolean ends(String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(SILENT);
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      return process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      process.destroyForcibly();
    }
  }

  private static String joined(List<Path> paths) {
    return String.join(File.pathSeparator, paths.stream().map(Path::toString).toList());
  }
}
