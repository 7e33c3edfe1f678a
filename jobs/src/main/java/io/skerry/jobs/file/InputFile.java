package io.skerry.jobs.file;

import io.skerry.H5File;
import io.skerry.collective.multifile.FileMembers;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.CommandContext;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Trust;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Checks and opens input files. The checks cover existence, kind and permissions; their error
 * messages are clearer than those of the open operation.
 */
public final class InputFile {
  private InputFile() {}

  /**
   * Checks that a file exists and is readable: a regular file, or the members of a family or multi
   * file. A missing member is not reported here, but when the file is opened. Local.
   *
   * @param file the file, the pattern of a family, or the common name of a multi file
   * @throws JobException if there is neither a file of this name nor a member of such a file, or if
   *     the file or an existing member is not a readable regular file
   */
  public static void check(Path file) {
    if (Files.isDirectory(file)) {
      throw new JobException("a folder, not a file: file=" + file);
    }
    List<Path> members = members(file);
    if (members.isEmpty()) {
      throw new JobException("no such file: file=" + file);
    }
    members.forEach(InputFile::checkMember);
  }

  /**
   * Checks a file on rank 0, as {@link #check(Path)} does. Collective.
   *
   * @throws JobException on all ranks if rank 0 refuses the file
   */
  public static void check(Path file, Communicator ranks) {
    try (Watchdog watchdog = new Watchdog(ranks.rank(), System.err)) {
      new Agreement(ranks, watchdog, file).first("looking for the input", () -> check(file));
    }
  }

  private static void checkMember(Path file) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new JobException("not an ordinary file: file=" + file);
    }
    if (Files.exists(file) && !Files.isReadable(file)) {
      throw new JobException("the file may not be read: file=" + file);
    }
  }

  /** Opens a file for reading. Collective. */
  public static H5File open(Path file, Communicator ranks, Trust trust) {
    return H5File.open(file, ranks, FileOptions.standard().withTrust(trust));
  }

  /** Opens a file for reading and writing. Collective. */
  public static H5File openForWriting(Path file, Communicator ranks, Trust trust) {
    return H5File.openForWriting(file, ranks, FileOptions.standard().withTrust(trust));
  }

  /**
   * Opens a file for reading on rank 0 and passes it to a function. On the other ranks that a
   * launcher started, returns immediately without opening the file.
   *
   * @param body the function to run on rank 0; it returns the exit code
   * @return the exit code that the function returns; 0 on other ranks
   * @throws JobException if {@link #check} refuses the file
   */
  public static int read(
      CommandContext context, Path file, Trust trust, ToIntFunction<H5File> body) {
    if (!context.isFirst()) {
      return 0;
    }
    check(file);
    try (H5File opened = open(file, Communicator.self(), trust)) {
      return body.applyAsInt(opened);
    }
  }

  /** Returns the total size, in bytes, of all members of a file. */
  public static long bytes(Path file) {
    return members(file).stream().mapToLong(member -> member.toFile().length()).sum();
  }

  /**
   * Returns the members of a family or multi file, or the file itself. Errors in the members are
   * not reported here, but when the file is opened.
   *
   * @return the paths of the members; empty if the file does not exist
   */
  public static List<Path> members(Path file) {
    if (Files.exists(file) && !(Files.isRegularFile(file) && Files.isReadable(file))) {
      return List.of(file);
    }
    try {
      return FileMembers.of(file);
    } catch (FormatException | UnsupportedFeatureException | MemoryLimitException | IOException e) {
      return List.of(file);
    }
  }
}
