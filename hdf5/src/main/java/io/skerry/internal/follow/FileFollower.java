package io.skerry.internal.follow;

import io.skerry.H5File;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.live.LiveWatch;
import io.skerry.collective.live.LiveWatch.Seen;
import io.skerry.collective.live.LiveWatch.Writer;
import io.skerry.internal.file.NativeConnector;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.EpochExpiredException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens a file at the newest epoch again and again. Rank 0 observes the live file and the other
 * ranks follow its decisions. If there is no live file, the file is opened like any other.
 */
public final class FileFollower implements H5File.Follower {
  /** The time for which opening is repeated if epochs expire faster than the file opens. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

  private final Path path;
  private final Communicator ranks;
  private final FileOptions options;
  private final LiveWatch watch;
  private Optional<H5File> file = Optional.empty();
  private Seen opened = new Seen(Writer.NONE, 0);
  private boolean closed;

  private FileFollower(Path path, Communicator ranks, FileOptions options) {
    this.path = path;
    this.ranks = ranks;
    this.options = options;
    this.watch = new LiveWatch(path, options.locking());
  }

  /** Follows a file, and opens it if it has an epoch. Collective. */
  public static FileFollower open(Path path, Communicator ranks, FileOptions options) {
    FileFollower follower = new FileFollower(path, ranks, options);
    boolean ready = false;
    try {
      boolean unused = follower.moved(follower.agreed(follower.look()));
      ready = true;
      return follower;
    } finally {
      if (!ready) {
        follower.watch.close();
      }
    }
  }

  @Override
  public H5File file() {
    checkOpen();
    return file.orElseThrow(
        () -> new IllegalStateException("the writer has not flushed the file yet: file=" + path));
  }

  @Override
  public long epoch() {
    return opened.epoch();
  }

  @Override
  public boolean isWritten() {
    return opened.writer() == Writer.WRITING || opened.writer() == Writer.STARTING;
  }

  @Override
  public boolean refresh() {
    checkOpen();
    return moved(agreed(look()));
  }

  @Override
  public boolean awaitNext(Duration limit) {
    checkOpen();
    return moved(agreed(ranks.rank() == 0 ? awaited(limit) : opened));
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the follower is closed: file=" + path);
    }
  }

  /** Waits for a new epoch, or for the end of the writer. Runs on rank 0. */
  private Seen awaited(Duration limit) {
    long start = System.nanoTime();
    long pause = 100_000;
    Seen seen = look();
    while (isCurrent(seen)
        && seen.writer() != Writer.CLOSED
        && System.nanoTime() - start < limit.toNanos()
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE.toNanos());
      seen = look();
    }
    return seen;
  }

  /** Returns whether the file is already open as a state requires. */
  private boolean isCurrent(Seen seen) {
    return seen.equals(opened)
        || file.isPresent()
            && seen.epoch() == opened.epoch()
            && (seen.writer() == Writer.CLOSED || seen.writer() == Writer.WRITING);
  }

  private Seen look() {
    try {
      return watch.look();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** Returns the state that rank 0 has observed. Collective. */
  private Seen agreed(Seen mine) {
    byte[] message = ByteWriter.create().u8(mine.writer().ordinal()).u64(mine.epoch()).toArray();
    ByteReader in = ByteReader.of(MemorySegment.ofArray(ranks.broadcast(message, 0)), "epoch");
    return new Seen(Writer.values()[in.u8()], in.i64());
  }

  /**
   * Opens the file in an observed state. Repeats that if the state changes meanwhile. Collective.
   *
   * @return true if the file is another one now
   */
  private boolean moved(Seen first) {
    Seen seen = first;
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isCurrent(seen) || file.isEmpty() && seen.writer() != Writer.STARTING) {
      try {
        replace(seen);
        return true;
      } catch (CollectiveException e) {
        Seen next = agreed(look());
        boolean isExpired = e.getCause() instanceof EpochExpiredException;
        boolean late = agreedLate(System.nanoTime() - end > 0);
        if (late || next.equals(seen) && !isExpired) {
          throw e;
        }
        seen = next;
      }
    }
    opened = new Seen(seen.writer(), opened.epoch());
    return false;
  }

  private boolean agreedLate(boolean late) {
    return agreed(new Seen(late ? Writer.NONE : Writer.WRITING, 0)).writer() == Writer.NONE;
  }

  private void replace(Seen seen) {
    Optional<H5File> next =
        switch (seen.writer()) {
          case STARTING -> Optional.empty();
          case WRITING ->
              Optional.of(
                  Connectors.open(
                      new EpochConnector(seen.epoch()), path, FileAccess.READ, ranks, options));
          // The live file of a closed file is removed, and the file can be opened like any other.
          case CLOSED, NONE ->
              Optional.of(
                  Connectors.open(new NativeConnector(), path, FileAccess.READ, ranks, options));
        };
    Optional<H5File> last = file;
    file = next;
    opened = seen;
    last.ifPresent(H5File::close);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (watch) {
      file.ifPresent(H5File::close);
    }
  }
}
