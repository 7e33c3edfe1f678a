package io.skerry.internal.follow;

import io.skerry.H5File;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.live.LiveWatch;
import io.skerry.collective.live.LiveWatch.Seen;
import io.skerry.collective.live.LiveWatch.Writer;
import io.skerry.internal.file.NativeConnector;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.EpochExpiredException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens a file at the newest epoch repeatedly. Rank 0 observes the live file, and the other ranks
 * get its observations or its failure. If there is no live file, the file is opened like any other.
 */
public final class FileFollower implements H5File.Follower {
  /** The time for which opening is repeated if epochs expire faster than the file opens. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Duration FIRST_PAUSE = Duration.ofNanos(100_000);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(20);

  /** The first byte of a message from rank 0 that contains its observation. */
  private static final int SUCCESS = 0;

  /** The first byte of a message from rank 0 that contains the text of its failure. */
  private static final int FAILURE = 1;

  private final Path path;
  private final Communicator ranks;
  private final FileOptions options;
  private final LiveWatch watch;
  private volatile State state = new State(Optional.empty(), Seen.NOTHING, Phase.OPEN);

  private enum Phase {
    OPEN,
    CLOSED
  }

  /**
   * The state of this follower.
   *
   * @param file the open file; empty if the writer has not flushed a new file yet
   * @param at the observation at which the file was opened, with the current state of the writer
   */
  private record State(Optional<H5File> file, Seen at, Phase phase) {
    /** Returns whether an observation requires another file to be opened. */
    boolean isBefore(Seen seen) {
      return switch (seen.writer()) {
        case STARTING -> false;
        case WRITING -> !seen.isAt(at);
        // The last epoch can be read while nobody changes the file.
        case CLOSED -> !seen.isAt(at) || file.isEmpty();
        case NONE -> file.isEmpty() || at.id() != 0;
      };
    }
  }

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
      boolean unused = follower.refresh();
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
    return state
        .file()
        .orElseThrow(() ->
            new IllegalStateException("the writer has not flushed the file yet: file=" + path));
  }

  @Override
  public long epoch() {
    return state.at().epoch();
  }

  @Override
  public boolean isWritten() {
    Writer writer = state.at().writer();
    return writer == Writer.WRITING || writer == Writer.STARTING;
  }

  @Override
  public boolean refresh() {
    checkOpen();
    return moved(agreed(watch::look));
  }

  @Override
  public boolean awaitNext(Duration limit) {
    checkOpen();
    return moved(agreed(() -> awaited(limit)));
  }

  private void checkOpen() {
    if (state.phase() == Phase.CLOSED) {
      throw new IllegalStateException("the follower is closed: file=" + path);
    }
  }

  /** Waits for a new epoch, or for the end of the writer. Runs on rank 0. */
  private Seen awaited(Duration limit) throws IOException {
    long start = System.nanoTime();
    Duration pause = FIRST_PAUSE;
    Seen seen = watch.look();
    while (!state.isBefore(seen)
        && (seen.writer() == Writer.WRITING || seen.writer() == Writer.STARTING)
        && Duration.ofNanos(System.nanoTime() - start).compareTo(limit) < 0
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(pause.toNanos());
      pause = pause.multipliedBy(2);
      pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
      seen = watch.look();
    }
    return seen;
  }

  /**
   * Returns what rank 0 observes. Collective.
   *
   * @throws UncheckedIOException on all ranks if the observation fails
   */
  private Seen agreed(Callable<Seen> observation) {
    byte[] message = ranks.rank() == 0 ? observed(observation) : new byte[0];
    byte[] agreed = ranks.broadcast(message, 0);
    if (agreed[0] == FAILURE) {
      String reason =
          new String(agreed, 1, agreed.length - 1, StandardCharsets.UTF_8) + ": file=" + path;
      throw new UncheckedIOException(reason, new IOException(reason));
    }
    ByteReader in = ByteReader.of(MemorySegment.ofArray(agreed), "observation");
    in.skip(1);
    return Seen.decode(in);
  }

  private static byte[] observed(Callable<Seen> observation) {
    try {
      ByteWriter message = ByteWriter.create().u8(SUCCESS);
      observation.call().encode(message);
      return message.toArray();
    } catch (Exception e) {
      // Any failure of rank 0 must reach the other ranks, which wait for its message.
      String reason = "the live file cannot be read: " + e.getMessage();
      return ByteWriter.create()
          .u8(FAILURE)
          .bytes(reason.getBytes(StandardCharsets.UTF_8))
          .toArray();
    }
  }

  /**
   * Opens the file as an observation requires. Repeats that if the state of the writer changes
   * meanwhile. Collective.
   *
   * @return true if the file is another one now
   */
  private boolean moved(Seen first) {
    Seen seen = first;
    long start = System.nanoTime();
    while (state.isBefore(seen)) {
      try {
        replace(seen);
        return true;
      } catch (CollectiveException e) {
        Seen next = agreed(watch::look);
        boolean late = System.nanoTime() - start > PATIENCE.toNanos();
        long expired = e.getCause() instanceof EpochExpiredException ? 1 : 0;
        long[] any = ranks.allReduce(new long[] {expired, late ? 1 : 0}, Reduction.MAX);
        if (any[1] != 0 || any[0] == 0 && next.equals(seen)) {
          throw e;
        }
        seen = next;
        LockSupport.parkNanos(LONGEST_PAUSE.toNanos());
      }
    }
    Seen at = state.at();
    state = new State(state.file(), at.with(seen.writer()), Phase.OPEN);
    return false;
  }

  private void replace(Seen seen) {
    Optional<H5File> last = state.file();
    Connector connector =
        seen.writer() == Writer.NONE ? new NativeConnector() : new EpochConnector(seen.place());
    H5File next = Connectors.open(connector, path, FileAccess.READ, ranks, options);
    state = new State(Optional.of(next), seen, Phase.OPEN);
    last.ifPresent(H5File::close);
  }

  @Override
  public void close() {
    State last = state;
    if (last.phase() == Phase.CLOSED) {
      return;
    }
    state = new State(Optional.empty(), last.at(), Phase.CLOSED);
    try (watch) {
      last.file().ifPresent(H5File::close);
    }
  }
}
