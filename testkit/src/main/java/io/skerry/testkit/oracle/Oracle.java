package io.skerry.testkit.oracle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Another program that reads or writes HDF5 files. The methods that find a program return an empty
 * result if it is not installed, so that a test can be skipped.
 *
 * @param name the name of the program, usually with the version of its HDF5 library
 * @param hdf5 the version of its HDF5 library, such as {@code 1.10.8}, or {@code none}
 * @param command the command that starts the program
 */
public record Oracle(String name, String hdf5, List<String> command) {
  private static final long LIMIT_SECONDS = 600;

  /** Copies the command into an immutable list. */
  public Oracle {
    command = List.copyOf(command);
  }

  /** Returns one of the command-line tools of HDF5, such as {@code h5dump}, if it is installed. */
  public static Optional<Oracle> tool(String name) {
    return Tools.FOUND.computeIfAbsent(name, Oracle::findTool);
  }

  /** The command-line tools, each found once per JVM. */
  private static final class Tools {
    static final Map<String, Optional<Oracle>> FOUND = new ConcurrentHashMap<>();
  }

  private static Optional<Oracle> findTool(String name) {
    return succeeding(List.of(name, "--version"))
        .map(ran -> ran.out().replaceAll("(?s).*Version ([0-9.]+).*", "$1"))
        .map(version -> new Oracle(name + " " + version, version, List.of(name)));
  }

  /** Returns the Python installations with h5py, one for each version of HDF5. */
  public static List<Oracle> h5py() {
    return Installed.H5PY;
  }

  /** The Python installations with h5py, found once per JVM, and the server of each. */
  private static final class Installed {
    static final List<Oracle> H5PY = withH5py();
    static final Map<Oracle, PythonServer> SERVERS =
        H5PY.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    oracle -> oracle, oracle -> new PythonServer(oracle.command.getFirst())));
  }

  private static List<Oracle> withH5py() {
    Map<String, Oracle> found = new LinkedHashMap<>();
    for (String python : pythons()) {
      succeeding(List.of(python, "-c", "import h5py; print(h5py.version.hdf5_version)"))
          .map(ran -> ran.out().strip())
          .ifPresent(version ->
              found.putIfAbsent(
                  version, new Oracle("h5py on HDF5 " + version, version, List.of(python))));
    }
    return List.copyOf(found.values());
  }

  /** Returns the Python installation whose h5py uses the given version of HDF5, if there is one. */
  public static Optional<Oracle> h5py(String hdf5) {
    return h5py().stream().filter(oracle -> oracle.hdf5.equals(hdf5)).findFirst();
  }

  /** Returns a Python installation with numpy, for {@code tools/read_sparse.py}. */
  public static Optional<Oracle> numpy() {
    return WithNumpy.FOUND;
  }

  /** The Python installation with numpy, found once per JVM. */
  private static final class WithNumpy {
    static final Optional<Oracle> FOUND = findNumpy();
  }

  private static Optional<Oracle> findNumpy() {
    return pythons().stream()
        .filter(python -> succeeding(List.of(python, "-c", "import numpy")).isPresent())
        .map(python -> new Oracle("numpy", "none", List.of(python)))
        .findFirst();
  }

  /**
   * Returns Node.js with h5wasm and its plugins, if they are installed in the folder that the
   * environment variable {@code SKERRY_NODE_MODULES} names.
   */
  public static Optional<Oracle> node() {
    return Optional.ofNullable(System.getenv("SKERRY_NODE_MODULES"))
        .filter(modules -> Files.exists(Path.of(modules, "h5wasm-plugins")))
        .flatMap(modules -> succeeding(List.of("node", "--version")))
        .map(ran -> new Oracle("h5wasm on node " + ran.out().strip(), "1.14.6", List.of("node")));
  }

  private static List<String> pythons() {
    List<String> pythons = new ArrayList<>();
    Optional.ofNullable(System.getenv("SKERRY_PYTHON")).ifPresent(pythons::add);
    pythons.addAll(List.of("python3", "/usr/bin/python3"));
    repository()
        .map(root -> root.resolve(".skerry/venv/bin/python"))
        .ifPresent(python -> pythons.add(python.toString()));
    return pythons;
  }

  /** Returns the {@code tools} folder of the repository that contains the working folder. */
  public static Path tools() {
    return repository()
        .orElseThrow(() -> new IllegalStateException("not inside the repository: no tools folder"))
        .resolve("tools");
  }

  private static Optional<Path> repository() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("tools/read_sparse.py"))) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  /**
   * Runs the program in a folder. Python with h5py runs scripts and programs in forks of a process
   * that has already loaded h5py.
   */
  public ProcessResult run(Path folder, Object... arguments) {
    List<String> line = new ArrayList<>(command);
    for (Object argument : arguments) {
      line.add(argument.toString());
    }
    Optional<PythonServer> server = Optional.ofNullable(Installed.SERVERS.get(this));
    try {
      return server.isPresent()
          ? collect(line, (out, err) -> serve(server.get(), folder, line, out, err))
          : start(folder, line);
    } catch (IOException e) {
      throw new IllegalStateException("cannot run: command=" + line, e);
    }
  }

  /**
   * Runs a script in a folder with this Python installation. The script is a resource of this
   * package.
   *
   * @param script the name of the script, such as {@code check.py}
   */
  public ProcessResult script(Path folder, String script, Object... arguments) {
    List<Object> line = new ArrayList<>(List.of(copyScript(folder, script)));
    line.addAll(List.of(arguments));
    return run(folder, line.toArray());
  }

  /**
   * Copies a script that is a resource of this package into a folder, where other scripts can
   * import it.
   */
  public static Path copyScript(Path folder, String script) {
    Path copy = folder.resolve(script);
    try (InputStream in = Oracle.class.getResourceAsStream(script)) {
      if (in == null) {
        throw new IllegalArgumentException("no such script: name=" + script);
      }
      Files.write(copy, in.readAllBytes());
    } catch (IOException e) {
      throw new IllegalStateException("cannot copy a script: name=" + script, e);
    }
    return copy;
  }

  private static Optional<ProcessResult> succeeding(List<String> line) {
    try {
      return Optional.of(start(Path.of(""), line)).filter(ran -> ran.code() == 0);
    } catch (IOException noSuchProgram) {
      return Optional.empty();
    }
  }

  private static ProcessResult start(Path folder, List<String> line) throws IOException {
    return collect(line, (out, err) -> runProcess(folder, line, out, err));
  }

  /** Runs a program with files for its outputs, and returns its exit code. */
  private interface Execution {
    int run(Path out, Path err) throws IOException, InterruptedException, TimeoutException;
  }

  private static ProcessResult collect(List<String> line, Execution execution) throws IOException {
    Path out = Files.createTempFile("oracle", ".out");
    Path err = Files.createTempFile("oracle", ".err");
    try {
      int code = execution.run(out, err);
      return new ProcessResult(line, code, Files.readString(out), Files.readString(err));
    } catch (TimeoutException e) {
      throw new IllegalStateException("did not end in time: command=" + line, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted: command=" + line, e);
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static int serve(PythonServer server, Path folder, List<String> line, Path out, Path err)
      throws IOException, InterruptedException, TimeoutException {
    return server.run(folder, line.subList(1, line.size()), out, err, LIMIT_SECONDS);
  }

  private static int runProcess(Path folder, List<String> line, Path out, Path err)
      throws IOException, InterruptedException, TimeoutException {
    ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toAbsolutePath().toFile());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    process.getOutputStream().close();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new TimeoutException();
    }
    return process.exitValue();
  }

  @Override
  public String toString() {
    return name;
  }
}
