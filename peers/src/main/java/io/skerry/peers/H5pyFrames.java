package io.skerry.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A dense dataset of h5py, a chunk per frame, shuffle and gzip of the usual level. One Python
 * process stays alive from run to run and takes the time itself, so that neither its start nor the
 * making of whole frames counts.
 */
final class H5pyFrames implements FrameStore {
  private final Path path;
  private final PythonChild python;

  /**
   * @param material where {@link Frames#save} has put the frames
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
