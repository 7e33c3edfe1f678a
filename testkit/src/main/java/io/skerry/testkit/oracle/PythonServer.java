package io.skerry.testkit.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A Python process that has loaded h5py and runs each program in a fork of itself, because loading
 * h5py takes longer than most programs. The process ends when this JVM ends, because its standard
 * input is then closed.
 */
final class PythonServer {
  private static final String SCRIPT = "serve.py";

  private final String python;
  private Optional<Connection> connection = Optional.empty();

  /**
   * Creates a server. Its process starts when the first program is run.
   *
   * @param python the interpreter
   */
  PythonServer(String python) {
    this.python = python;
  }

  /** The process and its streams. */
  private record Connection(Process process, Writer requests, BufferedReader answers) {
    /** Sends a request and returns the answer, which is empty if the process has ended. */
    Optional<String> ask(String request) {
      try {
        requests.write(request + "\n");
        requests.flush();
        return Optional.ofNullable(answers.readLine());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void kill() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /**
   * Runs a program.
   *
   * @param arguments the arguments of the interpreter: a script, or {@code -c} and a program,
   *     followed by the arguments of the program
   * @param out an existing file for the standard output
   * @param err an existing file for the error output
   * @return the exit code, or 128 plus the number of the signal that ended the program
   * @throws IOException if the interpreter does not start or does not answer
   * @throws TimeoutException if the program does not end in time; it is killed
   */
  synchronized int run(Path folder, List<String> arguments, Path out, Path err, long seconds)
      throws IOException, InterruptedException, TimeoutException {
    List<String> fields = new ArrayList<>();
    fields.add(folder.toAbsolutePath().toString());
    fields.add(out.toAbsolutePath().toString());
    fields.add(err.toAbsolutePath().toString());
    fields.addAll(arguments);
    String request = Base64.getEncoder().encodeToString(String.join("\0", fields).getBytes(UTF_8));
    Connection to = connection();
    // The common pool may have a single thread, and the wait for a program would occupy it.
    CompletableFuture<Optional<String>> answer =
        CompletableFuture.supplyAsync(
            () -> to.ask(request), Thread.ofPlatform().daemon().name("python-server")::start);
    boolean answered = false;
    try {
      String code =
          answer
              .get(seconds, TimeUnit.SECONDS)
              .orElseThrow(() -> new IOException("the interpreter has ended: command=" + python));
      answered = true;
      return Integer.parseInt(code);
    } catch (ExecutionException e) {
      throw new IOException("the interpreter does not answer: command=" + python, e.getCause());
    } finally {
      if (!answered) {
        to.kill();
        connection = Optional.empty();
      }
    }
  }

  private Connection connection() throws IOException {
    if (connection.isEmpty()) {
      connection = Optional.of(start());
    }
    return connection.get();
  }

  private Connection start() throws IOException {
    String script;
    try (InputStream in =
        Objects.requireNonNull(PythonServer.class.getResourceAsStream(SCRIPT), SCRIPT)) {
      script = new String(in.readAllBytes(), UTF_8);
    }
    ProcessBuilder builder =
        new ProcessBuilder(python, "-c", script).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    // The threads of a linear algebra library would start again in each fork.
    builder.environment().put("OPENBLAS_NUM_THREADS", "1");
    Process process = builder.start();
    return new Connection(process, process.outputWriter(UTF_8), process.inputReader(UTF_8));
  }
}
