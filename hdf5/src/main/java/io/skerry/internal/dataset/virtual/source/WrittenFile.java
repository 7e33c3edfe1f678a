package io.skerry.internal.dataset.virtual.source;

import io.skerry.internal.dataset.HdfFile;
import io.skerry.parallel.FileAccess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The file with the virtual datasets, used as a source of them while it is open for writing. If a
 * single rank has the file open, the open file itself is the source. If several ranks have it open,
 * they may need different sources, but must open the datasets of the open file in the same order.
 * Each rank therefore opens the file a second time, as of the last flush, until the read ends.
 * Local, not thread-safe.
 */
final class WrittenFile {
  private Optional<HdfFile> file = Optional.empty();
  private Optional<OpenSource> open = Optional.empty();

  /** The examined paths; true if a path leads to the file. */
  private final Map<Path, Boolean> places = new HashMap<>();

  /** Sets the file with the virtual datasets. */
  void is(HdfFile opened) {
    file = Optional.of(opened);
  }

  /**
   * Returns whether the file can be a source. A new file cannot be opened a second time before its
   * first flush.
   *
   * @throws io.skerry.collective.share.UnstoredChangesException if the ranks must flush the file
   *     before they read
   */
  boolean isReadable() {
    file.filter(own -> own.collective().needsOtherRanks())
        .ifPresent(own -> own.collective().steps().requireStored());
    return file.stream()
        .allMatch(own ->
            !own.collective().needsOtherRanks()
                || !own.collective().access().isCreating()
                || isFlushed(own.path()));
  }

  /** Returns whether a new file already has a superblock, which the first flush writes. */
  private static boolean isFlushed(Path path) {
    try (InputStream in = Files.newInputStream(path)) {
      return in.read() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns whether the file is open for writing. Thread-safe. */
  boolean isWritten() {
    return file.filter(own -> own.collective().access() != FileAccess.READ).isPresent();
  }

  /** Returns whether the file is open for writing and a path leads to it. */
  boolean isAt(Path path) {
    return file.filter(_ -> isWritten())
        .filter(own -> places.computeIfAbsent(path, other -> isSame(own.path(), other)))
        .isPresent();
  }

  private static boolean isSame(Path own, Path other) {
    try {
      return Files.isSameFile(own, other);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns the file as a source.
   *
   * @param again a supplier that opens the file a second time
   */
  OpenSource source(Path path, Supplier<HdfFile> again) {
    OpenSource source =
        open.orElseGet(() ->
            file.filter(own -> !own.collective().needsOtherRanks())
                .map(own -> OpenSource.within(path, own))
                .orElseGet(() -> OpenSource.of(path, again.get())));
    open = Optional.of(source);
    return source;
  }

  /** Releases the datasets of the file, because they may change after the read. */
  void release() {
    Optional<OpenSource> used = open;
    open = Optional.empty();
    places.clear();
    used.ifPresent(OpenSource::close);
  }
}
