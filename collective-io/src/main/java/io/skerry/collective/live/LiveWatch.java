package io.skerry.collective.live;

import io.skerry.format.live.LiveSlot;
import io.skerry.mpi.file.OpenMode;
import io.skerry.parallel.Locking;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Observes which epochs of an HDF5 file its writer has published. Local; not thread-safe. */
public final class LiveWatch implements AutoCloseable {
  private final Path hdf5;
  private final Locking locking;
  private Optional<LiveFile> file = Optional.empty();

  /** The state of the writer. */
  public enum Writer {
    /** There is no live file: no writer publishes epochs. */
    NONE,
    /** The writer has not published an epoch yet. */
    STARTING,
    /** The writer publishes epochs, or it was killed. */
    WRITING,
    /** The writer has closed the file, whose content is the newest epoch. */
    CLOSED
  }

  /**
   * An observation.
   *
   * @param writer the state of the writer
   * @param epoch the number of the newest epoch; 0 if there is none
   */
  public record Seen(Writer writer, long epoch) {
    /** The observation that there is no live file. */
    static final Seen NOTHING = new Seen(Writer.NONE, 0);
  }

  /**
   * Creates a watch.
   *
   * @param hdf5 the path of the HDF5 file
   * @param locking the use of locks by the readers of this process
   */
  public LiveWatch(Path hdf5, Locking locking) {
    this.hdf5 = hdf5;
    this.locking = locking;
  }

  /**
   * Returns the current state. After a writer has closed the file, this method also finds the live
   * file of the next writer.
   *
   * @throws IOException if the file at the path of the live file must not be used
   */
  public Seen look() throws IOException {
    Seen seen = seen();
    if (seen.writer() == Writer.NONE || seen.writer() == Writer.CLOSED) {
      Optional<LiveFile> next = LiveFile.open(hdf5, OpenMode.READ, locking);
      if (next.isPresent()) {
        close();
        file = next;
        return seen();
      }
    }
    return seen;
  }

  private Seen seen() {
    if (file.isEmpty()) {
      return Seen.NOTHING;
    }
    Optional<LiveSlot> slot = file.get().slot();
    if (slot.isEmpty()) {
      // The live file is being created, or both slots are being written.
      return new Seen(Writer.STARTING, 0);
    }
    boolean hasEpoch = slot.get().superblock().length() > 0;
    return switch (slot.get().state()) {
      case ENDED -> Seen.NOTHING;
      case WRITING ->
          hasEpoch ? new Seen(Writer.WRITING, slot.get().newest()) : new Seen(Writer.STARTING, 0);
      case CLOSED -> hasEpoch ? new Seen(Writer.CLOSED, slot.get().newest()) : Seen.NOTHING;
    };
  }

  @Override
  public void close() {
    file.ifPresent(LiveFile::close);
    file = Optional.empty();
  }
}
