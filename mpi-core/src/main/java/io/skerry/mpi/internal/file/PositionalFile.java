package io.skerry.mpi.internal.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MemoryView;
import io.skerry.mpi.file.OpenMode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/**
 * Provides one rank with access to a file that all ranks have opened: positional reads and writes
 * from any thread. An interrupt does not affect a call: the call completes, and the interrupt flag
 * stays set. All back ends open files through this class, so a file that cannot be opened causes
 * the same exception in each of them.
 */
public final class PositionalFile implements AutoCloseable {
  private final RawFile file;
  private final Optional<DirectReads> direct;
  private final Path path;
  private final String communicator;
  private final int rank;

  private PositionalFile(
      RawFile file, Optional<DirectReads> direct, Path path, Communicator communicator) {
    this.file = file;
    this.direct = direct;
    this.path = path;
    this.communicator = communicator.name();
    this.rank = communicator.rank();
  }

  private record Attempt(Optional<FileChannel> channel, MpiErrorClass errorClass, String text) {}

  /** Opens the file on all ranks or on none. Collective. */
  public static PositionalFile openTogether(Communicator communicator, Path path, OpenMode mode) {
    var absolute = path.toAbsolutePath();
    var attempt =
        switch (mode) {
          case READ -> attempt(absolute, Set.of(StandardOpenOption.READ));
          case WRITE ->
              attempt(absolute, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
          case CREATE -> create(communicator, absolute, StandardOpenOption.TRUNCATE_EXISTING);
          case CREATE_NEW -> create(communicator, absolute, StandardOpenOption.CREATE_NEW);
        };
    try {
      agree(communicator, absolute, attempt);
    } catch (MpiException e) {
      if (mode == OpenMode.CREATE_NEW && communicator.rank() == 0) {
        attempt.channel().ifPresent(_ -> remove(absolute));
      }
      throw e;
    }
    var file = raw(absolute, mode, attempt.channel().orElseThrow());
    Optional<DirectReads> direct =
        mode == OpenMode.READ && file instanceof PosixFile posix
            ? Optional.of(new DirectReads(posix))
            : Optional.empty();
    return new PositionalFile(file, direct, absolute, communicator);
  }

  /**
   * Returns the file to use for I/O. The open channel shows that the file can be opened. If POSIX
   * calls can open the same file, they are used instead, and the channel is closed.
   */
  private static RawFile raw(Path path, OpenMode mode, FileChannel channel) {
    var posix = PosixFile.open(path, mode);
    if (posix.isEmpty()) {
      return new ChannelFile(path, mode, channel);
    }
    closeQuietly(channel);
    return posix.get();
  }

  // Only rank 0 creates the file; the option determines the action if the file exists. The
  // other ranks open the file afterwards. If every rank truncated the file, one rank could
  // do so after another had already written to it.
  private static Attempt create(Communicator communicator, Path path, OpenOption ifExists) {
    var existing = Set.<OpenOption>of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    var fresh =
        Set.<OpenOption>of(
            StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE, ifExists);
    var none = new Attempt(Optional.empty(), MpiErrorClass.OTHER, "");
    var first = communicator.rank() == 0 ? attempt(path, fresh) : none;
    boolean failed = communicator.rank() == 0 && first.channel().isEmpty();
    if (communicator.allReduce(failed ? 1 : 0, Reduction.MAX) != 0 || communicator.rank() == 0) {
      return first;
    }
    return attempt(path, existing);
  }

  private static Attempt attempt(Path path, Set<? extends OpenOption> options) {
    if (Files.isDirectory(path)) {
      return new Attempt(Optional.empty(), MpiErrorClass.ACCESS, "the path is a directory");
    }
    try {
      return new Attempt(Optional.of(FileChannel.open(path, options)), MpiErrorClass.OTHER, "");
    } catch (IOException e) {
      return new Attempt(Optional.empty(), classOf(e), textOf(e));
    } catch (UnsupportedOperationException | SecurityException e) {
      return new Attempt(Optional.empty(), MpiErrorClass.ACCESS, e.toString());
    }
  }

  private static void agree(Communicator communicator, Path path, Attempt attempt) {
    int rank = communicator.rank();
    boolean failed = attempt.channel().isEmpty() && !attempt.text().isEmpty();
    long failing = communicator.allReduce(failed ? rank : Long.MAX_VALUE, Reduction.MIN);
    if (failing == Long.MAX_VALUE) {
      return;
    }
    int root = Math.toIntExact(failing);
    var report = attempt.errorClass() + " " + attempt.text();
    var agreed = new String(communicator.broadcast(report.getBytes(UTF_8), root), UTF_8);
    attempt.channel().ifPresent(PositionalFile::closeQuietly);
    int cut = agreed.indexOf(' ');
    throw new MpiException(
        "openFile",
        MpiErrorClass.valueOf(agreed.substring(0, cut)),
        0,
        "cannot open the file, %s: path=%s failingRank=%d"
            .formatted(agreed.substring(cut + 1), path, root),
        communicator.name(),
        rank);
  }

  /** Removes a file that was just created and that another rank cannot open. */
  private static void remove(Path path) {
    try {
      Files.delete(path);
    } catch (IOException e) {
      // Ignored: the caller rethrows the original exception, which reports the actual failure.
    }
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // The channel is no longer used, so this failure has no consequence.
    }
  }

  /** Returns the absolute path of the file. */
  public Path path() {
    return path;
  }

  /**
   * Writes all of {@code data} at {@code offset}.
   *
   * @param operation the name of the call, for error messages
   */
  public void write(String operation, long offset, MemorySegment data) {
    requireOffset(operation, offset, data);
    try {
      file.write(offset, data);
    } catch (IOException e) {
      throw failure(operation, "cannot write %d bytes at %d".formatted(data.byteSize(), offset), e);
    }
  }

  /**
   * Fills {@code data} with the bytes at {@code offset}. If the file ends too early, throws an
   * exception of class {@link MpiErrorClass#SHORT_READ}.
   */
  public void read(String operation, long offset, MemorySegment data) {
    requireOffset(operation, offset, data);
    if (data.isReadOnly()) {
      throw new IllegalArgumentException(
          "%s into memory that is read-only: bytes=%d path=%s"
              .formatted(operation, data.byteSize(), path));
    }
    try {
      long done = !data.isNative() && direct.isPresent() ? direct.get().read(offset, data) : 0;
      if (done < data.byteSize()) {
        done += file.read(offset + done, data.asSlice(done));
      }
      if (done < data.byteSize()) {
        throw shortRead(operation, offset, data.byteSize(), done);
      }
    } catch (IOException e) {
      throw failure(operation, "cannot read %d bytes at %d".formatted(data.byteSize(), offset), e);
    }
  }

  /** Writes packed bytes to the blocks of a view. */
  public void write(String operation, FileView view, MemorySegment data) {
    long packed = 0;
    for (int i = 0; i < view.blocks(); i++) {
      write(operation, view.offset(i), data.asSlice(packed, view.length(i)));
      packed += view.length(i);
    }
  }

  /** Reads the blocks of a view into packed memory. */
  public void read(String operation, FileView view, MemorySegment data) {
    long packed = 0;
    for (int i = 0; i < view.blocks(); i++) {
      read(operation, view.offset(i), data.asSlice(packed, view.length(i)));
      packed += view.length(i);
    }
  }

  /**
   * Fills blocks of memory with consecutive bytes of the file, if the memory is native and
   * writable, the file is open for reading only, and POSIX calls are available; see {@link
   * io.skerry.mpi.file.MpiFile#scatterAt}.
   *
   * @return true if all blocks were filled; if false, some of them may have been filled
   */
  public boolean scatter(long offset, MemorySegment memory, MemoryView places) {
    if (!memory.isNative() || memory.isReadOnly() || direct.isEmpty()) {
      return false;
    }
    try {
      return direct.get().scatter(offset, memory, places) == places.totalBytes();
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the exception for a file that ends too early. */
  public MpiException shortRead(String operation, long offset, long expected, long actual) {
    return new MpiException(
        operation,
        MpiErrorClass.SHORT_READ,
        0,
        "the file ends too early: offset=%d expected=%d actual=%d path=%s"
            .formatted(offset, expected, actual, path),
        communicator,
        rank);
  }

  /** Returns the current size of the file in bytes. */
  public long size() {
    try {
      return file.size();
    } catch (IOException e) {
      throw failure("size", "cannot determine the size", e);
    }
  }

  /**
   * Returns the number of bytes that can still be written to the file system that contains the
   * file; {@link Long#MAX_VALUE} if unknown.
   */
  public long freeBytes() {
    try {
      return Files.getFileStore(path).getUsableSpace();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Truncates the file to the given size in bytes if the file is longer. Not collective. */
  public void cut(long bytes) {
    try {
      file.cut(bytes);
    } catch (IOException e) {
      throw failure("setSize", "cannot cut to " + bytes, e);
    }
  }

  /**
   * Extends the file with zeros to the given size in bytes if the file is shorter. Not collective;
   * no other rank may write to the file at the same time.
   */
  public void extend(long bytes) {
    try {
      if (bytes > file.size()) {
        file.write(bytes - 1, MemorySegment.ofArray(new byte[1]));
      }
    } catch (IOException e) {
      throw failure("setSize", "cannot extend to " + bytes, e);
    }
  }

  /** Flushes written data to the device. Not collective. */
  public void force() {
    try {
      file.force();
    } catch (IOException e) {
      throw failure("sync", "cannot sync", e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw failure("close", "cannot close", e);
    }
  }

  private void requireOffset(String operation, long offset, MemorySegment data) {
    if (offset < 0 || offset > Long.MAX_VALUE - data.byteSize()) {
      throw new IllegalArgumentException(
          "%s: the bytes must lie within 0 and 2^63-1: offset=%d bytes=%d path=%s"
              .formatted(operation, offset, data.byteSize(), path));
    }
  }

  private MpiException failure(String operation, String what, IOException cause) {
    return new MpiException(
        operation,
        classOf(cause),
        "%s, %s: path=%s".formatted(what, textOf(cause), path),
        communicator,
        rank,
        cause);
  }

  private static MpiErrorClass classOf(IOException e) {
    var text = String.valueOf(e.getMessage());
    return switch (e) {
      case NoSuchFileException _ -> MpiErrorClass.NO_SUCH_FILE;
      case AccessDeniedException _ -> MpiErrorClass.ACCESS;
      default ->
          text.contains("No space left") || text.contains("quota exceeded")
              ? MpiErrorClass.NO_SPACE
              : MpiErrorClass.IO;
    };
  }

  private static String textOf(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file or folder";
      case FileAlreadyExistsException _ -> "a file of that name exists";
      case AccessDeniedException _ -> "access denied";
      default -> String.valueOf(e.getMessage());
    };
  }
}
