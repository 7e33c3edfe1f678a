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
 * The metadata and the unstructured bytes of an HDF5 file that one rank reads by itself. The file
 * has no cache, no threads and no lock. Files that need more than that are not opened; the caller
 * then opens them as a {@link io.skerry.collective.CollectiveFile}, which also reports why a file
 * cannot be opened. Local, thread-safe.
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
   * @return the file; empty if it is a symbolic link, if a journal is beside it, if it is or may be
   *     one of several files with one HDF5 file, or if it cannot be opened for any reason
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

  /** Returns the metadata. Elements are read from its source. Local, thread-safe. */
  public FormatFile format() {
    return format;
  }

  /**
   * Ends the opening. Until then, elements of a small file are copied from the bytes that the
   * opening has read; later, they are read from the file, since another program may change them.
   * Local, thread-safe.
   */
  public void endOpening() {
    source.endOpening();
  }

  /** Closes the file, after all reads of other threads have ended. Local. */
  @Override
  public void close() {
    file.close();
  }
}
