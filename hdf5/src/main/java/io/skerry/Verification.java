package io.skerry;

import io.skerry.parallel.FileOptions;
import java.nio.file.Path;

/**
 * Verifies a whole file: every structure that is reachable from the superblock, every checksum,
 * every chunk, every value in the global heap, and that no two structures claim the same space. A
 * finding ends the verification of one structure only. Local.
 *
 * <p>Unreachable bytes and the lists of free space, which are hints, are not verified.
 */
public final class Verification {
  private Verification() {}

  /** Receives findings as they are made, and the progress. */
  @FunctionalInterface
  public interface Watcher {
    /** Receives a finding. */
    void finding(Finding finding);

    /** Receives the number of bytes that were verified since the last call. */
    default void checked(long bytes) {}
  }

  /**
   * Verifies a file.
   *
   * @param watcher receives every finding; a sound file has none
   * @return the space of all structures; none if the file cannot be opened, or an interrupted flush
   *     has to be finished first, which is a finding
   */
  public static SpaceReport of(Path path, Watcher watcher) {
    return of(path, FileOptions.standard(), watcher);
  }

  /**
   * Verifies a file with options. Another file that it names and that the policy refuses is a
   * finding.
   *
   * @param watcher receives every finding; a sound file has none
   * @return the space of all structures, as of {@link #of(Path, Watcher)}
   */
  public static SpaceReport of(Path path, FileOptions options, Watcher watcher) {
    return InstalledProvider.get().verify(path, options, watcher);
  }

  /**
   * Something wrong in a file.
   *
   * @param address of the structure, from the base address of the file
   * @param structure what stands there, such as {@code object header} or {@code chunk [0, 3]}
   * @param path of the object that it belongs to; {@code /} for what belongs to the whole file
   * @param what what is wrong, a clause
   * @param expected what the format demands
   * @param actual what was found
   */
  public record Finding(
      long address, String structure, String path, String what, String expected, String actual) {

    /** One line. */
    @Override
    public String toString() {
      return "0x%x  %s  %s  %s: expected=%s actual=%s"
          .formatted(address, structure, path, what, expected, actual);
    }
  }
}
