package io.skerry.collective.live;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.live.LiveSlot;
import io.skerry.format.live.LiveSlot.FileStamp;
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
   * @param id the number that distinguishes successive writers; 0 if there is none
   * @param place the newest epoch; its number is 0 if there is none
   */
  public record Seen(Writer writer, long id, EpochPlace place) {
    private static final EpochPlace NO_EPOCH = new EpochPlace(0, FileStamp.NONE);

    /** The observation that there is no live file. */
    public static final Seen NOTHING = new Seen(Writer.NONE, 0, NO_EPOCH);

    private static Seen starting(long id) {
      return new Seen(Writer.STARTING, id, NO_EPOCH);
    }

    /** Returns the number of the newest epoch; 0 if there is none. */
    public long epoch() {
      return place.epoch();
    }

    /** Returns whether two observations concern the same epoch of the same writer. */
    public boolean isAt(Seen other) {
      return id == other.id && epoch() == other.epoch();
    }

    /** Returns this epoch with another state of the writer. */
    public Seen with(Writer state) {
      return new Seen(state, id, place);
    }

    /** Appends this observation to a message. */
    public void encode(ByteWriter to) {
      to.u8(writer.ordinal()).u64(id).u64(place.epoch());
      to.u64(place.closed().size()).u64(place.closed().modified());
    }

    /** Reads an observation from a message. */
    public static Seen decode(ByteReader in) {
      return new Seen(
          Writer.values()[in.u8()],
          in.i64(),
          new EpochPlace(in.i64(), new FileStamp(in.i64(), in.i64())));
    }
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
    if (seen.writer() != Writer.WRITING) {
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
      return Seen.starting(0);
    }
    LiveSlot now = slot.get();
    boolean hasEpoch = now.superblock().length() > 0;
    return switch (now.state()) {
      case ENDED -> Seen.NOTHING;
      case WRITING ->
          hasEpoch
              ? new Seen(Writer.WRITING, now.writer(), new EpochPlace(now.newest(), FileStamp.NONE))
              : Seen.starting(now.writer());
      case CLOSED ->
          hasEpoch && ClosedFile.isUnchanged(hdf5, now.closed())
              ? new Seen(Writer.CLOSED, now.writer(), new EpochPlace(now.newest(), now.closed()))
              : Seen.NOTHING;
    };
  }

  @Override
  public void close() {
    file.ifPresent(LiveFile::close);
    file = Optional.empty();
  }
}
