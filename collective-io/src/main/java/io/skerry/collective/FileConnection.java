package io.skerry.collective;

import io.skerry.collective.commit.JournalRecovery;
import io.skerry.collective.commit.WriterLock;
import io.skerry.collective.live.EpochPlace;
import io.skerry.collective.live.LiveConnection;
import io.skerry.collective.multifile.MultifileSearch;
import io.skerry.collective.multifile.SegmentMap;
import io.skerry.collective.multifile.SegmentedFile;
import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Locking;
import io.skerry.parallel.Operation;
import io.skerry.recovery.FileRecovery;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Access to the bytes of a file that all ranks have open. Created before the metadata is read.
 *
 * @param others the path of the file, and the lookup of the other files that it refers to
 * @param access the mode in which the file is opened
 * @param options the options of the file
 * @param ranks a communicator that only this file uses
 * @param watchdog the watchdog, which reports operations that hang
 * @param outcome the outcome, which turns the failure of one rank into a failure of all ranks
 * @param file the access to the bytes; a family or multi file appears as one address space
 * @param lock this rank's lock on the journal; empty if the file is open for reading only
 * @param live the live file beside the file, if it is written or read while it is being written
 */
record FileConnection(
    ReferencedFiles others,
    FileAccess access,
    FileOptions options,
    Communicator ranks,
    Watchdog watchdog,
    CollectiveOutcome outcome,
    MpiFile file,
    Optional<WriterLock> lock,
    LiveConnection live) {

  /**
   * Opens a file for access to its bytes, and finishes or discards a commit that was interrupted,
   * unless the file is opened for reading without a lock. Collective.
   *
   * @param others the path of the file to open, and the check of its members if it is a family or
   *     multi file
   * @param epoch the epoch at which a file is read that another program may write; the file is then
   *     neither locked nor recovered
   * @param options the options, whose hints are passed to the MPI library; locking may differ
   *     between ranks
   * @param watchdog the watchdog, which reports operations that hang; closed together with the
   *     file, or if the file cannot be opened
   * @param order the call order of the communicator; closed together with the file, or if the file
   *     cannot be opened
   * @throws CollectiveException on all ranks if any rank cannot open the file
   */
  static FileConnection open(
      ReferencedFiles others,
      FileAccess access,
      Optional<EpochPlace> epoch,
      Watchdog watchdog,
      CallOrder order,
      Communicator parent,
      FileOptions options) {
    Path path = others.path();
    boolean begun = false;
    try {
      CollectiveOutcome beginning = new CollectiveOutcome(order, parent, watchdog, path.toString());
      // The operations are compared first, since the calls that follow return only if all ranks
      // open the same file.
      beginning.enter(
          access.isCreating() ? Operation.CREATE_FILE : Operation.OPEN_FILE,
          "",
          "path="
              + path.toAbsolutePath().normalize()
              + " access="
              + access
              + " trust="
              + options.trust()
              + " view="
              + options.virtualView()
              + " missingSources="
              + options.missingSources()
              + options.liveReaders().map(limits -> " " + limits).orElse("")
              + (epoch.isPresent() ? " epoch=" + epoch.get().epoch() : ""),
          new LocalStatus());
      Communicator ranks = parent.duplicate();
      begun = true;
      return open(others, access, epoch, beginning, watchdog, ranks, options);
    } finally {
      if (!begun) {
        watchdog.close();
        order.close();
      }
    }
  }

  private static FileConnection open(
      ReferencedFiles others,
      FileAccess access,
      Optional<EpochPlace> epoch,
      CollectiveOutcome beginning,
      Watchdog watchdog,
      Communicator ranks,
      FileOptions options) {
    Path path = others.path();
    CollectiveOutcome outcome = beginning.movedTo(ranks);
    Optional<WriterLock> lock = Optional.empty();
    LiveConnection live = LiveConnection.NONE;
    Optional<MpiFile> file = Optional.empty();
    boolean opened = false;
    boolean refused = false;
    try {
      LocalStatus status = new LocalStatus();
      byte[] found = {};
      if (ranks.rank() == 0) {
        found = status.attempt(() -> prepare(others, access, epoch, options.locking()), found);
        // Rank 0 takes the lock before the other ranks. Otherwise, two programs could each obtain
        // locks for only some of their ranks.
        lock = taken(path, access, 0, options, status);
        live = status.attempt(() -> LiveConnection.begun(path, access, options), live);
      }
      outcome.agree(status);
      if (ranks.rank() > 0) {
        lock = taken(path, access, ranks.rank(), options, status);
        live = status.attempt(() -> LiveConnection.joined(path, access, options), live);
      }
      if (epoch.isPresent()) {
        EpochPlace at = epoch.get();
        live = status.attempt(() -> LiveConnection.at(path, at, options), live);
      }
      Optional<SegmentMap> segments = SegmentMap.decode(ranks.broadcast(found, 0));
      outcome.agree(status);
      file =
          status.attempt(
              () -> Optional.of(open(path, access, ranks, segments, options.hints())),
              Optional.empty());
      outcome.agree(status);
      outcome.leave();
      MpiFile seen = live.seen(file.orElseThrow());
      opened = true;
      return new FileConnection(
          others, access, options, ranks, watchdog, outcome, seen, lock, live);
    } catch (CollectiveException e) {
      refused = true;
      throw e;
    } finally {
      if (!opened) {
        // Each rank opens a segmented file separately, so it must also close the file itself. The
        // MPI library opens a file on all ranks or on none.
        file.filter(SegmentedFile.class::isInstance).ifPresent(MpiFile::close);
        try {
          live.drop(ranks.rank());
        } finally {
          lock.ifPresent(WriterLock::close);
          watchdog.close();
        }
        if (refused) {
          // As soon as this method fails, a rank may open the file again, even alone, so all
          // ranks must have released their locks by then.
          ranks.barrier();
        }
        ranks.close();
        outcome.order().close();
      }
    }
  }

  private static Optional<WriterLock> taken(
      Path path, FileAccess access, int rank, FileOptions options, LocalStatus status) {
    return access == FileAccess.READ
        ? Optional.empty()
        : status.attempt(
            () -> Optional.of(WriterLock.take(path, rank, options.locking())), Optional.empty());
  }

  /**
   * Recovers a file and searches for its segments. If the file is being created, only removes the
   * journal of the file that it replaces. Runs on rank 0.
   *
   * @return the encoded {@link SegmentMap}; empty if the HDF5 file is stored as a single file or is
   *     being created
   */
  private static byte[] prepare(
      ReferencedFiles others, FileAccess access, Optional<EpochPlace> epoch, Locking locking)
      throws IOException {
    Path path = others.path();
    checkKind(path, access);
    if (epoch.isPresent()) {
      // A live file belongs to a single HDF5 file, whose writer holds the lock.
      return new byte[0];
    }
    if (access.isCreating()) {
      JournalRecovery.forget(path, locking);
      return new byte[0];
    }
    if (access == FileAccess.READ) {
      FileRecovery.forReading(path, locking);
    } else {
      FileRecovery.forWriting(path, locking);
    }
    Optional<SegmentMap> segments = MultifileSearch.find(path);
    if (segments.isEmpty() && !Files.exists(path)) {
      throw new FileNotFoundException("no such file: file=" + path);
    }
    if (segments.isPresent() && access == FileAccess.WRITE) {
      throw new UnsupportedFeatureException(
          "changing a file that is stored in several files", "file=" + path);
    }
    segments.ifPresent(several -> others.checkMembers(several.files()));
    return segments.map(SegmentMap::encode).orElse(new byte[0]);
  }

  /**
   * Checks that the path denotes a regular file or no file, since opening a FIFO may block, and
   * opening a device may have side effects. With {@code CREATE_NEW}, no file may exist.
   */
  private static void checkKind(Path path, FileAccess access) throws IOException {
    if (access == FileAccess.CREATE_NEW && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException("a file of that name exists: file=" + path);
    }
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new IOException(
          Files.isDirectory(path)
              ? "a folder, not a file: file=" + path
              : "not an ordinary file: file=" + path);
    }
  }

  private static MpiFile open(
      Path path,
      FileAccess access,
      Communicator ranks,
      Optional<SegmentMap> segments,
      Map<String, String> hints) {
    return segments.isPresent()
        ? SegmentedFile.open(path, segments.get())
        : ranks.openFile(path, modeOf(access), hints);
  }

  private static OpenMode modeOf(FileAccess access) {
    return switch (access) {
      case CREATE -> OpenMode.CREATE;
      case CREATE_NEW -> OpenMode.CREATE_NEW;
      case READ -> OpenMode.READ;
      case WRITE -> OpenMode.WRITE;
    };
  }
}
