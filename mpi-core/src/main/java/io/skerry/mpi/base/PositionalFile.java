package io.skerry.mpi.base;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MemoryPlaces;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.OpenMode;
import io.skerry.mpi.Reduction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/**
 * One rank's channel to a file that all ranks opened, for reads and writes at positions from any
 * thread. Every back end opens files through here, so a file that cannot be opened ends in the same
 * exception under each.
 */
public final class PositionalFile implements AutoCloseable {
  private static final long NATIVE_STEP = 1L << 30;
  // The channel copies heap bytes through a direct buffer that it keeps; keep that one small.
  private static final long HEAP_STEP = 1L << 20;
  // What goes by way of other memory should still be in the nearest caches when it is copied on.
  private static final long STAGE = 256L << 10;

  private final FileChannel channel;
  private final Optional<DirectReads> direct;
  private final Path path;
  private final String communicator;
  private final int rank;

  private PositionalFile(
      FileChannel channel, Optional<DirectReads> direct, Path path, Communicator communicator) {
    this.channel = channel;
    this.direct = direct;
    this.path = path;
    this.communicator = communicator.name();
    this.rank = communicator.rank();
  }

  private record Attempt(Optional<FileChannel> channel, MpiErrorClass errorClass, String text) {}

  /** Opens the file on all ranks or on none; collective. */
  static PositionalFile openTogether(Communicator communicator, Path path, OpenMode mode) {
    var absolute = path.toAbsolutePath();
    var attempt =
        switch (mode) {
          case READ -> attempt(absolute, Set.of(StandardOpenOption.READ));
          case WRITE ->
              attempt(absolute, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
          case CREATE -> create(communicator, absolute);
        };
    agree(communicator, absolute, attempt);
    var channel = attempt.channel().orElseThrow();
    Optional<DirectReads> direct =
        mode == OpenMode.READ ? DirectReads.open(absolute) : Optional.empty();
    if (direct.isPresent()) {
      closeQuietly(channel);
      channel = direct.get().channel();
    }
    return new PositionalFile(channel, direct, absolute, communicator);
  }

  // Only rank 0 creates and cuts, and the others look after it has; else one could cut later.
  private static Attempt create(Communicator communicator, Path path) {
    var existing = Set.<OpenOption>of(StandardOpenOption.READ, StandardOpenOption.WRITE);
    var fresh =
        Set.<OpenOption>of(
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING);
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
    var told = attempt.errorClass() + " " + attempt.text();
    var heard = new String(communicator.broadcast(told.getBytes(UTF_8), root), UTF_8);
    attempt.channel().ifPresent(PositionalFile::closeQuietly);
    int cut = heard.indexOf(' ');
    throw new MpiException(
        "openFile",
        MpiErrorClass.valueOf(heard.substring(0, cut)),
        0,
        "cannot open the file, %s: path=%s failingRank=%d"
            .formatted(heard.substring(cut + 1), path, root),
        communicator.name(),
        rank);
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // The failure that matters is the one about to be thrown.
    }
  }

  /** The absolute path. */
  public Path path() {
    return path;
  }

  /** Writes all of {@code data} at {@code offset}. */
  public void write(String operation, long offset, MemorySegment data) {
    requireOffset(operation, offset, data);
    try {
      long done = 0;
      while (done < data.byteSize()) {
        done += channel.write(step(data, done), offset + done);
      }
    } catch (IOException e) {
      throw failure(operation, "cannot write %d bytes at %d".formatted(data.byteSize(), offset), e);
    }
  }

  /** Fills {@code data} from {@code offset}, or fails with {@link MpiErrorClass#SHORT_READ}. */
  public void read(String operation, long offset, MemorySegment data) {
    requireOffset(operation, offset, data);
    boolean isArray = !data.isNative();
    long done = isArray && direct.isPresent() ? direct.get().read(offset, data) : 0;
    try {
      while (done < data.byteSize()) {
        int got =
            isArray && !(data.heapBase().orElse(null) instanceof byte[])
                ? stage(offset + done, data.asSlice(done))
                : channel.read(step(data, done), offset + done);
        if (got < 0) {
          throw shortRead(operation, offset, data.byteSize(), done);
        }
        done += got;
      }
    } catch (IOException e) {
      throw failure(operation, "cannot read %d bytes at %d".formatted(data.byteSize(), offset), e);
    }
  }

  /** A channel knows no arrays but those of bytes. */
  private int stage(long offset, MemorySegment data) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment part = arena.allocate(Math.min(STAGE, data.byteSize()), 8);
      int done = 0;
      long most = Math.min(data.byteSize(), NATIVE_STEP);
      while (done < most) {
        long wanted = Math.min(part.byteSize(), most - done);
        int got = channel.read(part.asSlice(0, wanted).asByteBuffer(), offset + done);
        if (got < 0) {
          return done == 0 ? got : done;
        }
        MemorySegment.copy(part, 0, data, done, got);
        done += got;
      }
      return done;
    }
  }

  /**
   * Fills places in memory from consecutive bytes, if the file is open only to be read and the
   * system can; see {@link io.skerry.mpi.MpiFile#scatterAt}.
   */
  boolean scatter(long offset, MemorySegment memory, MemoryPlaces places) {
    return memory.isNative()
        && !memory.isReadOnly()
        && direct.isPresent()
        && direct.get().scatter(offset, memory, places) == places.totalBytes();
  }

  /** What to throw when the file ends too early. */
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

  /** The present size in bytes. */
  public long size() {
    try {
      return channel.size();
    } catch (IOException e) {
      throw failure("size", "cannot tell the size", e);
    }
  }

  /** Cuts the file if it is longer; not collective. */
  public void cut(long bytes) {
    try {
      channel.truncate(bytes);
    } catch (IOException e) {
      throw failure("setSize", "cannot cut to " + bytes, e);
    }
  }

  /** Extends the file with zeros if it is shorter; not collective, and nobody else may write. */
  public void extend(long bytes) {
    try {
      if (bytes > channel.size()) {
        channel.write(ByteBuffer.allocate(1), bytes - 1);
      }
    } catch (IOException e) {
      throw failure("setSize", "cannot extend to " + bytes, e);
    }
  }

  /** Forces what was written to the device; not collective. */
  public void force() {
    try {
      channel.force(true);
    } catch (IOException e) {
      throw failure("sync", "cannot sync", e);
    }
  }

  @Override
  public void close() {
    direct.ifPresent(DirectReads::close);
    try {
      channel.close();
    } catch (IOException e) {
      throw failure("close", "cannot close", e);
    }
  }

  private static ByteBuffer step(MemorySegment data, long done) {
    long bytes = Math.min(data.byteSize() - done, data.isNative() ? NATIVE_STEP : HEAP_STEP);
    return data.asSlice(done, bytes).asByteBuffer();
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
      case AccessDeniedException _ -> "access denied";
      default -> String.valueOf(e.getMessage());
    };
  }
}
