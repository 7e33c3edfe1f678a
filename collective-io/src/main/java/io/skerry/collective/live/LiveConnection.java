package io.skerry.collective.live;

import io.skerry.format.live.LiveSlot;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * The live file beside a file that is being opened. Local.
 *
 * @param written the live file of a file that is opened for writing; empty if other processes
 *     cannot follow it
 * @param read the epoch at which the file is opened for reading; empty if it is opened otherwise
 */
public record LiveConnection(Optional<LiveFile> written, Optional<EpochView> read) {
  /** The connection of a file without a live file. */
  public static final LiveConnection NONE = new LiveConnection(Optional.empty(), Optional.empty());

  /**
   * Ends the live file of an earlier writer, since readers must not use it while this program
   * changes the file, and creates a new one if the options require it. Runs on rank 0, which holds
   * the lock of the file.
   */
  public static LiveConnection begun(Path path, FileAccess access, FileOptions options)
      throws IOException {
    if (access == FileAccess.READ) {
      return NONE;
    }
    long last = LiveFile.end(path);
    if (options.liveReaders().isEmpty()) {
      return NONE;
    }
    long epoch = access.isCreating() ? last : last + 1;
    LiveSlot initial = LiveSlot.initial(new SecureRandom().nextLong(), epoch);
    return new LiveConnection(
        Optional.of(LiveFile.create(path, options.locking(), initial)), Optional.empty());
  }

  /** Opens the live file that rank 0 has created. Runs on the other ranks. */
  public static LiveConnection joined(Path path, FileAccess access, FileOptions options)
      throws IOException {
    if (access == FileAccess.READ || options.liveReaders().isEmpty()) {
      return NONE;
    }
    LiveFile file =
        LiveFile.open(path, OpenMode.WRITE, options.locking())
            .orElseThrow(
                () -> new IOException("the live file of rank 0 is not visible here: file=" + path));
    return new LiveConnection(Optional.of(file), Optional.empty());
  }

  /**
   * Prepares to read a file at an epoch.
   *
   * @throws io.skerry.parallel.EpochExpiredException if the epoch is no longer kept
   */
  public static LiveConnection at(Path path, EpochPlace place, FileOptions options)
      throws IOException {
    EpochView view =
        place.isClosed()
            ? new ClosedEpoch(path, place)
            : EpochReader.open(path, place.epoch(), options.locking());
    return new LiveConnection(Optional.empty(), Optional.of(view));
  }

  /** Returns the bytes of the file as they are seen at the epoch, if there is one. */
  public MpiFile seen(MpiFile file) {
    return read.isPresent() ? new EpochFile(file, read.get()) : file;
  }

  /**
   * Checks that a file which is read at an epoch was not changed without its live file.
   *
   * @param file the file, as {@link #seen} has returned it
   * @throws io.skerry.exception.FormatException if the superblock is not that of the epoch
   */
  public static void check(MpiFile file) {
    if (file instanceof EpochFile at) {
      at.check();
    }
  }

  /**
   * Closes the live file of a file that could not be opened; rank 0 removes what it has created.
   */
  public void drop(int rank) {
    read.ifPresent(EpochView::close);
    written.ifPresent(file -> {
      if (rank > 0) {
        file.close();
        return;
      }
      try {
        file.discard();
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    });
  }

  /** Closes the live file of a file whose metadata could not be loaded. */
  public void dropWritten(int rank) {
    new LiveConnection(written, Optional.empty()).drop(rank);
  }
}
