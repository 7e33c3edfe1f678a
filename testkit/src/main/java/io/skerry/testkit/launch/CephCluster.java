package io.skerry.testkit.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A real Ceph cluster on this machine, started by {@code testkit/ceph-cluster}: one monitor, three
 * storage daemons, and the pool {@code skerry}. The cluster ends no later than this JVM.
 *
 * @param folder the folder of the cluster
 */
public record CephCluster(Path folder) implements AutoCloseable {
  private static final String SCRIPT = "testkit/ceph-cluster";
  private static final int SECONDS = 180;

  /** The exit code of the script if Ceph is not available. */
  private static final int MISSING = 2;

  /** Thrown if Ceph is not installed and cannot be installed; the message states the reason. */
  public static final class MissingException extends Exception {
    private static final long serialVersionUID = 1L;

    MissingException(String text) {
      super(text);
    }
  }

  private record Ran(int code, String output) {}

  /**
   * Starts a cluster in a new folder.
   *
   * @throws MissingException if Ceph is not installed and cannot be installed
   * @throws IllegalStateException if the cluster does not start
   */
  public static CephCluster start() throws MissingException {
    CephCluster cluster;
    try {
      cluster = new CephCluster(Files.createTempDirectory("ceph").toRealPath());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Ran up = cluster.run("up");
    if (up.code == MISSING) {
      throw new MissingException(up.output);
    }
    cluster.require("up", up);
    return cluster;
  }

  /**
   * Runs a command of the script, such as {@code kill 1} or {@code full}, and requires it to
   * succeed.
   */
  public void command(String... arguments) {
    require(String.join(" ", arguments), run(arguments));
  }

  private void require(String command, Ran ran) {
    if (ran.code != 0) {
      throw new IllegalStateException(
          SCRIPT + " " + command + ": exit code " + ran.code + ": " + ran.output);
    }
  }

  private Ran run(String... arguments) {
    List<String> line = new ArrayList<>(List.of(script().toString()));
    line.addAll(List.of(arguments));
    line.add(folder.toString());
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    String process = String.valueOf(ProcessHandle.current().pid());
    builder.environment().put("SKERRY_CEPH_UNTIL", process);
    try {
      Process started = builder.start();
      started.getOutputStream().close();
      String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!started.waitFor(SECONDS, TimeUnit.SECONDS)) {
        started.destroy();
        throw new IllegalStateException(String.join(" ", line) + " does not end: " + output);
      }
      return new Ran(started.exitValue(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the path of the script in the working directory or the nearest parent that contains it.
   */
  private static Path script() {
    Path folder = Path.of("").toAbsolutePath();
    while (Files.notExists(folder.resolve(SCRIPT))) {
      folder =
          Optional.ofNullable(folder.getParent())
              .orElseThrow(() -> new IllegalStateException("no folder above has " + SCRIPT));
    }
    return folder.resolve(SCRIPT);
  }

  /** Returns the options to append to a location in the cluster, including the question mark. */
  public String options() {
    return "?conf=" + folder + "/ceph.conf&user=skerry";
  }

  /** Stops the cluster and removes its files. */
  @Override
  public void close() {
    command("remove");
  }
}
