package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.Verification.Watcher;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.file.FormatFile;
import io.skerry.internal.file.NativeFile;
import io.skerry.internal.file.NativeFileOpener;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.UntrustedFileException;
import java.nio.file.Path;
import java.util.Map;

/** Verifies one HDF5 file, as {@link Verification} describes. Local. */
public final class FileVerification {
  private static final SpaceReport NOTHING = new SpaceReport(0, 0, Map.of(), 0, 0, 0);

  private FileVerification() {}

  /** Verifies a file; implements {@link Verification#of(Path, FileOptions, Watcher)}. */
  public static SpaceReport of(Path path, FileOptions options, Watcher watcher) {
    try {
      return verified(path, options, watcher);
    } catch (WatcherFailure e) {
      throw e.thrown();
    }
  }

  private static SpaceReport verified(Path path, FileOptions options, Watcher watcher) {
    if (JournalCheck.isMidFlush(path, new Findings(watcher))) {
      return NOTHING;
    }
    NativeFile file;
    try {
      file = NativeFileOpener.open(path, FileAccess.READ, Communicator.self(), options);
    } catch (CollectiveException e) {
      if (e.getCause() instanceof FormatException
          || e.getCause() instanceof UnsupportedFeatureException
          || e.getCause() instanceof MemoryLimitException
          || e.getCause() instanceof UntrustedFileException) {
        new Findings(watcher)
            .add(new Findings.Place(0, "beginning of the file"), (RuntimeException) e.getCause());
        return NOTHING;
      }
      throw e;
    }
    try (file) {
      return run(file, new Findings(watcher));
    }
  }

  private static SpaceReport run(NativeFile file, Findings findings) {
    FormatFile format = file.tree().format();
    long end = format.superblock().endOfFile();
    SpaceClaims claims = new SpaceClaims(findings, end);
    new SuperblockWalk(format, findings, claims).walk();
    ValueWalk values = new ValueWalk(format, claims);
    DataWalk data = new DataWalk(file, findings, claims, values);
    long objects = new ObjectWalk(format, findings, claims, values, data).walk();
    long unclaimed = claims.reportOverlaps();
    long beyond = Math.max(0, format.source().size() - end);
    return new SpaceReport(objects, claims.count(), claims.bytes(), unclaimed, end, beyond);
  }
}
