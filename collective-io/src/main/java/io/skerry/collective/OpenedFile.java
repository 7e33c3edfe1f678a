package io.skerry.collective;

import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.collective.CollectiveFile.Access;
import io.skerry.collective.commit.Recovery;
import io.skerry.collective.spread.Spread;
import io.skerry.collective.spread.SpreadFile;
import io.skerry.collective.spread.SpreadSearch;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiFile;
import io.skerry.mpi.OpenMode;
import io.skerry.mpi.Watchdog;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A file that all ranks have open, its content still unknown.
 *
 * @param ranks a communicator of the file's own
 * @param watchdog tells of ranks that wait long
 * @param outcome makes failures of one rank those of all
 * @param file its bytes, laid together if they are in several files
 */
record OpenedFile(Communicator ranks, Watchdog watchdog, CollectiveOutcome outcome, MpiFile file) {

  /** Opens a file, as {@link CollectiveFile#open} has it. Collective. */
  static OpenedFile open(Path path, Access access, Communicator parent) {
    Communicator ranks = parent.duplicate();
    Watchdog watchdog = new Watchdog(ranks.rank(), System.err);
    CollectiveOutcome outcome = new CollectiveOutcome(ranks, watchdog, path.toString());
    boolean opened = false;
    try {
      LocalStatus status = new LocalStatus();
      outcome.enter(
          access == Access.CREATE ? Operation.CREATE_FILE : Operation.OPEN_FILE, "", status);
      byte[] found = {};
      if (ranks.rank() == 0) {
        found = status.attempt(() -> prepare(path, access), found);
      }
      outcome.agree(status);
      Optional<Spread> spread = Spread.decode(ranks.broadcast(found, 0));
      Optional<MpiFile> file =
          status.attempt(() -> Optional.of(open(path, access, ranks, spread)), Optional.empty());
      outcome.agree(status);
      outcome.leave();
      opened = true;
      return new OpenedFile(ranks, watchdog, outcome, file.orElseThrow());
    } finally {
      if (!opened) {
        watchdog.close();
        ranks.close();
      }
    }
  }

  /** The files that the path stands for, as {@link Spread#encode} has them, if several. */
  private static byte[] prepare(Path path, Access access) throws IOException {
    if (access == Access.CREATE) {
      Recovery.forget(path);
      return new byte[0];
    }
    FileRecovery.recover(path);
    Optional<Spread> spread = SpreadSearch.find(path);
    if (spread.isEmpty() && !Files.exists(path)) {
      throw new FileNotFoundException("no such file: file=" + path);
    }
    if (spread.isPresent() && access == Access.WRITE) {
      throw new UnsupportedFeatureException(
          "changing a file that is spread over several files", "file=" + path);
    }
    return spread.map(Spread::encode).orElse(new byte[0]);
  }

  private static MpiFile open(
      Path path, Access access, Communicator ranks, Optional<Spread> spread) {
    return spread.isPresent()
        ? SpreadFile.open(path, spread.get())
        : ranks.openFile(path, modeOf(access), Map.of());
  }

  private static OpenMode modeOf(Access access) {
    return switch (access) {
      case CREATE -> OpenMode.CREATE;
      case READ -> OpenMode.READ;
      case WRITE -> OpenMode.WRITE;
    };
  }
}
