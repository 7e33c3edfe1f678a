package io.skerry.jobs.file;

import io.skerry.H5File;
import io.skerry.collective.multifile.FileMembers;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.CommandContext;
import io.skerry.jobs.run.JobException;
import io.skerry.jobs.run.Ranks;
import io.skerry.jobs.run.ServedStore;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Trust;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;

/**
 * Checks and opens input files. The checks cover existence, kind and permissions; their error
 * messages are clearer than those of the open operation.
 */
public final class InputFile {
  private InputFile() {}

  /**
   * Returns the location that a path on the command line names: an HDF5 file, or a file in another
   * store, as in {@code iod:run}.
   */
  public static Connectors.Location location(Path file) {
    return Connectors.Location.parse(file.toString());
  }

  /** Returns whether a path on the command line names a file in another store. */
  public static boolean isStored(Path file) {
    return location(file).scheme().isPresent();
  }

  /** Returns the path of a file within the file system, without the scheme of its store. */
  static Path plain(Path file) {
    return location(file).path();
  }

  private static Optional<Connector> store(Path file) {
    return location(file).scheme().map(Connectors::connector);
  }

  /** Returns whether a path names a file in a store that is not in the file system. */
  static boolean isRemote(Path file) {
    return store(file).filter(connector -> !connector.isInFileSystem()).isPresent();
  }

  /**
   * Returns whether there is a file or anything else at a path or location, even if it is a
   * dangling symbolic link.
   */
  public static boolean isTaken(Path file) {
    return store(file)
        .map(connector -> connector.isTaken(plain(file)))
        .orElseGet(() -> Files.exists(file, LinkOption.NOFOLLOW_LINKS));
  }

  /**
   * Checks that the store of a location is installed. Local.
   *
   * @throws JobException if it is not
   */
  static void checkStore(Path file) {
    location(file)
        .scheme()
        .ifPresent(scheme -> {
          try {
            Connector unused = Connectors.connector(scheme);
          } catch (IllegalArgumentException e) {
            throw new JobException(e.getMessage() + " file=" + file, e);
          }
        });
  }

  private static void checkStored(Path file) {
    checkStore(file);
    if (!isTaken(file)) {
      throw new JobException("no such file: file=" + file);
    }
  }

  /**
   * Checks that a file exists and is readable: a regular file, or the members of a family or multi
   * file. A missing member is not reported here, but when the file is opened. Local.
   *
   * @param file the file, the pattern of a family, the common name of a multi file, or a location
   * @throws JobException if the store of the location is not installed, if there is neither a file
   *     of this name nor a member of such a file, or if the file or an existing member is not a
   *     readable regular file
   */
  public static void check(Path file) {
    if (isStored(file)) {
      checkStored(file);
      return;
    }
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
    return opened(file, FileAccess.READ, ranks, trust);
  }

  /** Opens a file for reading and writing. Collective. */
  public static H5File openForWriting(Path file, Communicator ranks, Trust trust) {
    return opened(file, FileAccess.WRITE, ranks, trust);
  }

  private static H5File opened(Path file, FileAccess access, Communicator ranks, Trust trust) {
    return ServedStore.open(
        file.toString(), access, ranks, FileOptions.standard().withTrust(trust));
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

  /**
   * Opens a file for reading and passes it to a function: on all ranks that compute if other ranks
   * only serve, otherwise on rank 0, as {@link #read(CommandContext, Path, Trust, ToIntFunction)}
   * does.
   *
   * @param body the function to run; it receives the file and the writer for its output, which is
   *     discarded on all ranks but one, and returns the exit code
   * @return the exit code that the function returns; 0 on other ranks
   * @throws JobException if {@link #check} refuses the file
   */
  public static int read(
      CommandContext context,
      Ranks ranks,
      Path file,
      Trust trust,
      ToIntBiFunction<H5File, PrintWriter> body) {
    if (ranks.service().isEmpty()) {
      return read(context, file, trust, opened -> body.applyAsInt(opened, context.writer()));
    }
    return context.onRanks(
        ranks,
        compute -> {
          check(file, compute);
          return Agreement.using(
              compute,
              open(file, compute, trust),
              H5File::close,
              opened -> body.applyAsInt(opened, context.writer(compute)));
        });
  }

  /**
   * Returns the total size, in bytes, of all members of a file, or of all files in the folder of a
   * file in another store.
   */
  public static long bytes(Path file) {
    if (!isStored(file)) {
      return members(file).stream().mapToLong(member -> member.toFile().length()).sum();
    }
    return store(file).orElseThrow().bytes(plain(file));
  }

  /**
   * Returns the members of a family or multi file, the folder of a file in another store, or the
   * file itself. Errors in the members are not reported here, but when the file is opened.
   *
   * @return the paths of the members; empty if the file does not exist or is an ordinary folder
   */
  public static List<Path> members(Path file) {
    if (isStored(file)) {
      return List.of(plain(file));
    }
    if (Files.isDirectory(file)) {
      return List.of();
    }
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
