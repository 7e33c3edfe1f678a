package io.skerry;

import io.skerry.parallel.FileOptions;
import java.nio.file.Path;

/**
 * Verifies a complete file: every structure that is reachable from the superblock, every checksum,
 * every chunk, every value in the global heap, and that no two structures overlap. A finding ends
 * only the verification of the structure in which the defect was found.
 *
 * <p>Unreachable bytes are not verified, nor are the free-space lists, which are only hints.
 */
public final class Verification {
  private Verification() {}

  /**
   * Receives findings and the progress of a verification. Methods are called on the verifying
   * thread; an exception that they throw ends the verification and reaches its caller.
   */
  @FunctionalInterface
  public interface Watcher {
    /**
     * Receives a finding. Local.
     *
     * @param finding the defect
     */
    void finding(Finding finding);

    /**
     * Receives a note: a circumstance that is not a defect of the file, such as a missing source of
     * a virtual dataset. Does nothing by default. Local.
     *
     * @param note the circumstance
     */
    default void note(Finding note) {}

    /**
     * Receives the progress of the verification. Does nothing by default. Local.
     *
     * @param bytes the number of bytes verified since the last call
     */
    default void checked(long bytes) {}
  }

  /**
   * Verifies a file. Local, thread-safe.
   *
   * @param path the path of the file
   * @param watcher the watcher, which receives every finding; a valid file has none
   * @return the space that all structures occupy; all numbers are 0 if a finding prevents the file
   *     from being opened, such as a damaged superblock or an interrupted flush that must be
   *     completed first
   * @throws io.skerry.parallel.CollectiveException if the file does not exist, cannot be opened for
   *     reading, or is open for writing
   * @throws io.skerry.mpi.MpiException if the file cannot be read
   * @throws java.io.UncheckedIOException if the journal of the file cannot be read
   * @throws OutOfMemoryError if a part of the journal does not fit into memory
   * @throws IllegalArgumentException if the system property {@value
   *     io.skerry.parallel.Locking#PROPERTY} or {@code skerry.patience} has an invalid value
   */
  public static SpaceReport of(Path path, Watcher watcher) {
    return of(path, FileOptions.standard(), watcher);
  }

  /**
   * Verifies a file with options. If the policy in the options refuses another file that the
   * verified file names, this is reported as a finding. Local, thread-safe.
   *
   * @param path the path of the file
   * @param options the options with which the file is opened
   * @param watcher the watcher, which receives every finding; a valid file has none
   * @return the space that all structures occupy; all numbers are 0 if a finding prevents the file
   *     from being opened, such as a damaged superblock or an interrupted flush that must be
   *     completed first
   * @throws io.skerry.parallel.CollectiveException if the file does not exist, cannot be opened for
   *     reading, or is open for writing
   * @throws io.skerry.mpi.MpiException if the file cannot be read
   * @throws java.io.UncheckedIOException if the journal of the file cannot be read
   * @throws OutOfMemoryError if a part of the journal does not fit into memory
   * @throws IllegalArgumentException if the system property {@value
   *     io.skerry.parallel.Locking#PROPERTY} or {@code skerry.patience} has an invalid value
   */
  public static SpaceReport of(Path path, FileOptions options, Watcher watcher) {
    return InstalledProvider.get().verify(path, options, watcher);
  }

  /**
   * Verifies the file at a location, which may name another store, as in {@code iod:run}. Local,
   * thread-safe.
   *
   * @param location the location; {@link io.skerry.spi.Connectors.Location#parse} states its form
   * @param options the options with which the file is opened
   * @param watcher the watcher, which receives every finding; a valid file has none
   * @return the space usage in bytes, which in another store covers only the structures of that
   *     store; all numbers are 0 if a finding prevents the file from being opened
   * @throws io.skerry.exception.UnsupportedFeatureException if the store cannot verify files
   * @throws io.skerry.parallel.CollectiveException if the file does not exist, cannot be opened for
   *     reading, or is open for writing, or if another store cannot be used or fails while it is
   *     read
   * @throws io.skerry.exception.FormatException if another store cannot decode its description of
   *     the file
   * @throws io.skerry.mpi.MpiException if the file cannot be read
   * @throws java.io.UncheckedIOException if the journal of the file cannot be read
   * @throws OutOfMemoryError if a part of the journal does not fit into memory
   * @throws IllegalArgumentException if no store has the scheme of the location, if its path is
   *     invalid, or if the system property {@value io.skerry.parallel.Locking#PROPERTY} or {@code
   *     skerry.patience} has an invalid value
   */
  public static SpaceReport of(String location, FileOptions options, Watcher watcher) {
    return InstalledProvider.get().verify(location, options, watcher);
  }

  /**
   * A defect that a verification found in a file, or a note. Immutable.
   *
   * @param address the address of the structure, in bytes from the base address of the file; -1 in
   *     a store without addresses
   * @param structure the kind of structure, such as {@code object header} or {@code chunk [0, 3]}
   * @param path the path of the object that contains the structure; {@code /} for structures that
   *     belong to the file as a whole
   * @param what the defect, as a clause
   * @param expected the value that the format requires; empty if {@code what} states it
   * @param actual the value that was found; empty if {@code what} states it
   */
  public record Finding(
      long address, String structure, String path, String what, String expected, String actual) {

    /**
     * Returns the finding as one line of text. Local, thread-safe; does not fail.
     *
     * @return the line, without a line break at its end
     */
    @Override
    public String toString() {
      String place = address == -1 ? "" : "0x%x  ".formatted(address);
      String values =
          expected.isEmpty() && actual.isEmpty()
              ? ""
              : ": expected=" + expected + " actual=" + actual;
      return place + structure + "  " + path + "  " + what + values;
    }
  }
}
