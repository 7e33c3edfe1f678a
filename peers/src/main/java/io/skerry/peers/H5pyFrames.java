package io.skerry.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Stores frames with h5py in a dense dataset with one chunk per frame and the shuffle and gzip
 * filters at the default level. One Python process performs all runs and measures the times itself,
 * so that they include neither the start of the process nor the creation of full frames.
 */
final class H5pyFrames implements FrameStore {
  private final Path path;
  private final PythonChild python;

  /**
   * Creates a store whose Python process is not started yet.
   *
   * @param material the file that {@link Frames#save} has written
   */
  H5pyFrames(Path material, Path folder) {
    this.path = folder.resolve("h5py.h5");
    this.python = new PythonChild("dense_frames.py", material, path);
  }

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
    return python.ask(command + " " + pace.name().toLowerCase(Locale.ROOT));
  }

  @Override
  public void close() throws IOException {
    python.close();
  }
}
