package io.skerry.collective.source;

import io.skerry.collective.commit.JournalFile;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.file.DriverInfoReader;
import io.skerry.format.file.FormatFile;
import io.skerry.mpi.internal.file.ReadOnlyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An HDF5 file that one rank reads independently, without a chunk cache, worker threads or a lock.
 * Gives access to the metadata and the raw bytes. Files that cannot be read in this way are not
 * opened; the caller then opens them as a {@link io.skerry.collective.CollectiveFile}, which also
 * reports why a file cannot be opened. Local, thread-safe.
 */
public final class SourceFile implements AutoCloseable {
  private final ReadOnlyFile file;
  private final HeadSource source;
  private final FormatFile format;

  private SourceFile(ReadOnlyFile file, HeadSource source, FormatFile format) {
    this.file = file;
    this.source = source;
    this.format = format;
  }

  /**
   * Opens a file. Local.
   *
   * @param path the path of an existing file
   * @return the file; empty if it is a symbolic link, if it has a journal, if it is or may be a
   *     member of a family or multi file, or if it cannot be opened for any other reason
   */
  public static Optional<SourceFile> open(Path path) {
    Optional<ReadOnlyFile> file = ReadOnlyFile.open(path);
    Optional<SourceFile> opened = Optional.empty();
    try {
      opened = file.filter(_ -> !JournalFile.isBeside(path)).flatMap(it -> read(it, path));
      return opened;
    } finally {
      if (opened.isEmpty()) {
        file.ifPresent(ReadOnlyFile::close);
      }
    }
  }

  private static Optional<SourceFile> read(ReadOnlyFile file, Path path) {
    try {
      HeadSource source = HeadSource.of(file, path);
      FormatFile format = FormatFile.open(source);
      return DriverInfoReader.read(source, format.superblock()).isPresent()
          ? Optional.empty()
          : Optional.of(new SourceFile(file, source, format));
    } catch (IOException
        | FormatException
        | UnsupportedFeatureException
        | MemoryLimitException unreadable) {
      return Optional.empty();
    }
  }

  /** Returns the metadata. Its source also reads the bytes of elements. Local, thread-safe. */
  public FormatFile format() {
    return format;
  }

  /**
   * Ends the opening phase. Until then, elements of a small file are copied from the bytes that
   * were read when the file was opened; afterwards, they are read from the file, since another
   * program may change them. Local, thread-safe.
   */
  public void endOpening() {
    source.endOpening();
  }

  /** Closes the file. Must be called after all reads by other threads have ended. Local. */
  @Override
  public void close() {
    file.close();
  }
}
