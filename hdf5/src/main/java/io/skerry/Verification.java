package io.skerry;

import io.skerry.parallel.FileOptions;
import java.nio.file.Path;

/**
 * Checks a whole file: every structure that can be reached from its superblock, every checksum,
 * every chunk, every value that lies in the global heap, and that no two of them claim the same
 * space. A finding ends the check of one structure, not of those beside it. Local.
 *
 * <p>Not checked: what nothing leads to, and the lists of free space, which are hints.
 */
public final class Verification {
  private Verification() {}

  /** Is told of what is found, as soon as it is found. */
  @FunctionalInterface
  public interface Watcher {
    /** Something is wrong. */
    void finding(Finding finding);

    /** So many more bytes of the file were looked at. */
    default void checked(long bytes) {}
  }

  /**
   * Checks a file.
   *
   * @param watcher told of every finding; the file is clean if there is none
   * @return what was found to take space; nothing if the file cannot be opened, or holds half a
   *     flush that has to be finished first, which is a finding
   */
  public static SpaceReport of(Path path, Watcher watcher) {
    return of(path, FileOptions.standard(), watcher);
  }

  /**
   * Checks a file that is opened with options. A file that it names and that the policy of the
   * options refuses is a finding.
   *
   * @param watcher told of every finding; the file is clean if there is none
   * @return as {@link #of(Path, Watcher)}
   */
  public static SpaceReport of(Path path, FileOptions options, Watcher watcher) {
    return InstalledProvider.get().verify(path, options, watcher);
  }
}
