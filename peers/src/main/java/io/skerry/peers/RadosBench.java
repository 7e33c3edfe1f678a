package io.skerry.peers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs Ceph's {@code rados bench} to write and read objects, with the pool and the settings of a
 * container location. The time of a run is the one that the program prints, which excludes its
 * startup.
 *
 * @param command the program with its settings
 * @param size the size of an object in bytes
 * @param isWritten true if objects have been written
 */
record RadosBench(List<String> command, int size, AtomicBoolean isWritten) {
  private static final String RUN = "skerry-bench";
  private static final Pattern LOCATION =
      Pattern.compile("iod\\+rados://([^/?]+)/[^?]*(?:\\?(.*))?");
  private static final Pattern TIME = Pattern.compile("Total time run: +([0-9.]+)");
  private static final Pattern COUNT = Pattern.compile("Total (?:writes|reads) made: +([0-9]+)");

  /** The number of objects that are written at the same time, which is the default of the program. */
  private static final String IN_FLIGHT = "16";

  /** The time in seconds after which a run ends early, which is an error. */
  private static final String LIMIT = "600";

  /** Returns the program for a location; empty if the location is not in a cluster. */
  static Optional<RadosBench> of(String location, int size) {
    Matcher parts = LOCATION.matcher(location);
    if (!parts.matches()) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>(List.of("rados", "--pool", parts.group(1)));
    for (String option : Optional.ofNullable(parts.group(2)).orElse("").split("&")) {
      String value = option.substring(option.indexOf('=') + 1);
      switch (option.substring(0, Math.max(0, option.indexOf('=')))) {
        case "conf" -> command.addAll(List.of("--conf", value));
        case "user" -> command.addAll(List.of("--id", value));
        case "keyring" -> command.addAll(List.of("--keyring", value));
        case "namespace" -> command.addAll(List.of("--namespace", value));
        default -> {
          // The other options concern only containers.
        }
      }
    }
    return Optional.of(new RadosBench(command, size, new AtomicBoolean()));
  }

  /** Removes the objects of the previous run, and writes new ones, several of them at a time. */
  Race.Check write(int objects) throws IOException {
    if (isWritten.getAndSet(true)) {
      delete();
    }
    return timed(
        objects,
        List.of(
            "write",
            "--block-size",
            Integer.toString(size),
            "--object-size",
            Integer.toString(size),
            "--concurrent-ios",
            IN_FLIGHT,
            "--max-objects",
            Integer.toString(objects),
            "--no-cleanup"));
  }

  /** Reads the objects one by one, in the order in which they were written. */
  Race.Check read(int objects) throws IOException {
    return timed(objects, List.of("seq", "--concurrent-ios", "1"));
  }

  void delete() throws IOException {
    var unused = run(List.of("cleanup", "--run-name", RUN));
  }

  private Race.Check timed(int objects, List<String> arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("bench", LIMIT));
    all.addAll(arguments);
    all.addAll(List.of("--run-name", RUN));
    String said = run(all);
    Matcher time = TIME.matcher(said);
    Matcher count = COUNT.matcher(said);
    if (!time.find() || !count.find() || Integer.parseInt(count.group(1)) != objects) {
      throw new IOException("rados bench: expected=" + objects + " objects actual=" + said);
    }
    return new Race.Timed(Double.parseDouble(time.group(1)), () -> objects);
  }

  private String run(List<String> arguments) throws IOException {
    List<String> all = new ArrayList<>(command);
    all.addAll(arguments);
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException("a program failed: command=" + all + " code=" + code + "\n" + said);
      }
      return said;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: command=" + all, e);
    } finally {
      process.destroyForcibly();
    }
  }
}
