package io.skerry.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * A dense dataset of h5py, a chunk per frame, shuffle and gzip of the usual level. One Python
 * process stays alive from run to run and takes the time itself, so that neither its start nor the
 * making of whole frames counts.
 */
final class H5pyFrames implements FrameStore {
  private static final String SCRIPT = "dense_frames.py";

  private final Path path;
  private final Path material;
  private Optional<Child> child = Optional.empty();

  /**
   * @param material where {@link Frames#save} has put the frames
   */
  H5pyFrames(Path material, Path folder) {
    this.path = folder.resolve("h5py.h5");
    this.material = material;
  }

  /** The process and both ends of the conversation. */
  private record Child(Process process, Writer to, BufferedReader from) {}

  @Override
  public String name() {
    return "h5py";
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public Race.Check write(Pace pace) throws IOException {
    double seconds = Double.parseDouble(ask("write", pace));
    return new Race.Timed(seconds, () -> read(Pace.WHOLE).result());
  }

  @Override
  public Race.Check read(Pace pace) throws IOException {
    double seconds = Double.parseDouble(ask("read", pace));
    return new Race.Timed(seconds, () -> Long.parseLong(ask("checksum", pace)));
  }

  private String ask(String command, Pace pace) throws IOException {
    if (child.isEmpty()) {
      child = Optional.of(start());
    }
    Child python = child.get();
    python.to().write(command + " " + pace.name().toLowerCase(Locale.ROOT) + "\n");
    python.to().flush();
    return Optional.ofNullable(python.from().readLine())
        .orElseThrow(() -> new IOException("python ended: command=" + command));
  }

  private Child start() throws IOException {
    String python = Optional.ofNullable(System.getenv("SKERRY_PYTHON")).orElse("python3");
    Process process =
        new ProcessBuilder(List.of(python, "-c", script(), material.toString(), path.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Child started = new Child(process, process.outputWriter(), process.inputReader());
    String ready = Optional.ofNullable(started.from().readLine()).orElse("");
    if (!ready.equals("ready")) {
      process.destroy();
      throw new UnsupportedOperationException("no h5py: python=" + python + " said=" + ready);
    }
    return started;
  }

  private static String script() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(H5pyFrames.class.getResourceAsStream(SCRIPT), SCRIPT)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() throws IOException {
    if (child.isPresent()) {
      // It ends with its input.
      child.get().to().close();
    }
  }
}
