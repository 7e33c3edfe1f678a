package io.skerry.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A Python interpreter with h5py, the reference implementation of the tests.
 *
 * @param command the command of the interpreter
 * @param library the version of the HDF5 library that h5py uses
 */
public record Interpreter(String command, String library) {

  /** Time limit of a call in seconds. */
  private static final int LIMIT = 120;

  private static final List<Interpreter> FOUND = List.copyOf(find());

  /**
   * Returns the interpreters that have h5py, one per HDF5 version; the one named by the environment
   * variable comes first.
   */
  public static List<Interpreter> all() {
    return FOUND;
  }

  /**
   * Returns the interpreters for one of several cases of the same kind: in turn one of them, or all
   * with {@code -Dskerry.thorough=true}.
   *
   * @param number the number of the case
   */
  public static List<Interpreter> inTurn(int number) {
    return FOUND.isEmpty() || Boolean.getBoolean("skerry.thorough")
        ? FOUND
        : List.of(FOUND.get(number % FOUND.size()));
  }

  private static List<Interpreter> find() {
    List<Interpreter> found = new ArrayList<>();
    String wanted = Optional.ofNullable(System.getenv("SKERRY_PYTHON")).orElse("python3");
    for (String command : List.of(wanted, "python3", "/usr/bin/python3")) {
      try {
        String version =
            call(List.of(command, "-c", "import h5py;print(h5py.version.hdf5_version)"));
        if (found.stream().noneMatch(f -> f.library.equals(version.strip()))) {
          found.add(new Interpreter(command, version.strip()));
        }
      } catch (IOException | IllegalStateException e) {
        System.err.println("without h5py: " + command);
      }
    }
    return found;
  }

  /**
   * Returns whether h5py can list all chunks at once; listing them one by one takes quadratic time.
   */
  public boolean listsChunks() {
    return !library.startsWith("1.10.") && !library.startsWith("1.12.");
  }

  /** Runs a script and returns its output. The script is stored in the given directory. */
  public String run(Path directory, String script, Object... arguments) throws IOException {
    Path file = Files.createTempFile(directory, "oracle", ".py");
    Files.writeString(file, script);
    List<String> line = new ArrayList<>(List.of(command, file.toString()));
    for (Object argument : arguments) {
      line.add(argument.toString());
    }
    return call(line);
  }

  /** Runs a command and returns its output. */
  public static String call(List<String> line) throws IOException {
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    process.getOutputStream().close();
    CompletableFuture.delayedExecutor(LIMIT, TimeUnit.SECONDS).execute(process::destroyForcibly);
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException(line + " failed: " + printed);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return printed;
  }

  @Override
  public String toString() {
    return "HDF5 " + library;
  }
}
