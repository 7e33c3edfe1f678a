package io.skerry.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A Python process that answers each command line with one line. The process measures times itself,
 * so that they include neither the start of the process nor the communication with it. The first
 * command starts the process.
 */
final class PythonChild implements AutoCloseable {
  private final String script;
  private final List<String> arguments;
  private Optional<Child> child = Optional.empty();

  /**
   * Creates a process that is not yet started.
   *
   * @param script the name of a script resource of this package; the script prints {@code ready}
   *     after its start, and ends when its input ends
   * @param arguments the arguments of the script
   */
  PythonChild(String script, Object... arguments) {
    this.script = script;
    this.arguments = List.of(arguments).stream().map(Object::toString).toList();
  }

  /** The process, its input and its output. */
  private record Child(Process process, Writer to, BufferedReader from) {}

  /**
   * Sends a command and returns the answer.
   *
   * @throws UnsupportedOperationException if Python runs but the script does not, for example
   *     because h5py is missing
   */
  String ask(String command) throws IOException {
    send(command);
    return answer();
  }

  /**
   * Sends a command without waiting for the answer, which {@link #answer} returns, so that several
   * processes can work at the same time.
   *
   * @throws UnsupportedOperationException if Python runs but the script does not, for example
   *     because h5py is missing
   */
  void send(String command) throws IOException {
    if (child.isEmpty()) {
      child = Optional.of(start());
    }
    Child python = child.get();
    try {
      python.to().write(command + "\n");
      python.to().flush();
    } catch (IOException e) {
      throw ended(python, Optional.of(e));
    }
  }

  /** Returns the answer to the oldest command whose answer has not been read. */
  String answer() throws IOException {
    Child python = child.orElseThrow(() -> new IllegalStateException("no command was sent"));
    Optional<String> line = Optional.ofNullable(python.from().readLine());
    if (line.isEmpty()) {
      throw ended(python, Optional.empty());
    }
    return line.get();
  }

  /**
   * Returns the exception for a process that has ended; the exit code of a killed process is 137.
   */
  private IOException ended(Child python, Optional<IOException> cause) {
    String code = python.process().onExit().thenApply(Process::exitValue).join().toString();
    IOException ended = new IOException("python ended: script=" + script + " exit code=" + code);
    cause.ifPresent(ended::initCause);
    return ended;
  }

  private Child start() throws IOException {
    String python = Optional.ofNullable(System.getenv("SKERRY_PYTHON")).orElse("python3");
    List<String> command = new ArrayList<>(List.of(python, "-c", text()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Child started = new Child(process, process.outputWriter(), process.inputReader());
    String ready = Optional.ofNullable(started.from().readLine()).orElse("");
    if (!ready.equals("ready")) {
      process.destroy();
      throw new UnsupportedOperationException("no h5py: python=" + python + " said=" + ready);
    }
    return started;
  }

  private String text() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(PythonChild.class.getResourceAsStream(script), script)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() throws IOException {
    if (child.filter(python -> python.process().isAlive()).isPresent()) {
      child.get().to().close();
      Process unused = child.get().process().onExit().join();
    }
  }
}
