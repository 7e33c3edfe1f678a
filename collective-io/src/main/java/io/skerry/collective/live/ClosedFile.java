package io.skerry.collective.live;

import io.skerry.format.live.LiveSlot.FileStamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Detects whether an HDF5 file was changed after its writer had closed it. The live file is removed
 * when the file is closed, so another writer cannot mark it as ended. Local.
 */
final class ClosedFile {
  private static final Duration RECENT = Duration.ofSeconds(10);

  private ClosedFile() {}

  /**
   * Returns the size and the modification time of a file that is about to be closed. If the file
   * was just modified, its time is set to the current time first: file systems often record the
   * time of a write with a resolution of milliseconds, so another write could leave it unchanged.
   */
  static FileStamp stamped(Path hdf5) throws IOException {
    Instant now = Instant.now();
    if (Files.getLastModifiedTime(hdf5).toInstant().isAfter(now.minus(RECENT))) {
      try {
        Files.setLastModifiedTime(hdf5, FileTime.from(now));
      } catch (IOException e) {
        // Only the owner may set the time. Otherwise the time of the last write is used.
      }
    }
    return stamp(hdf5);
  }

  /** Returns the size and the modification time of a file. */
  static FileStamp stamp(Path hdf5) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(hdf5, BasicFileAttributes.class);
    return new FileStamp(attributes.size(), attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
  }

  /** Returns whether a file still exists and has a given size and modification time. */
  static boolean isUnchanged(Path hdf5, FileStamp stamp) {
    try {
      return stamp(hdf5).equals(stamp);
    } catch (IOException e) {
      return false;
    }
  }
}
