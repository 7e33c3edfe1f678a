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
 * A Python process that answers a line with a line and takes times itself, so that neither its
 * start nor the conversation counts. Starts when it is first asked.
 */
final class PythonChild implements AutoCloseable {
  private final String script;
  private final List<String> arguments;
  private Optional<Child> child = Optional.empty();

  /**
   * @param script of this package; says {@code ready} when it is, and ends with its input
   */
  PythonChild(String script, Object... arguments) {
    this.script = script;
    this.arguments = List.of(arguments).stream().map(Object::toString).toList();
  }

  /** The process and both ends of the conversation. */
  private record Child(Process process, Writer to, BufferedReader from) {}

  /**
   * Answers a command.
   *
   * @throws UnsupportedOperationException if there is no Python with what the script needs
   */
  String ask(String command) throws IOException {
    if (child.isEmpty()) {
      child = Optional.of(start());
    }
    Child python = child.get();
    python.to().write(command + "\n");
    python.to().flush();
    return Optional.ofNullable(python.from().readLine())
        .orElseThrow(() -> new IOException("python ended: command=" + command));
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
    if (child.isPresent()) {
      child.get().to().close();
    }
  }
}
