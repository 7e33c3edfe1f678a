package io.skerry.collective.step;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.mpi.Communicator;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Shares metadata reads: rank 0 runs a step before the other ranks and broadcasts the bytes that it
 * has read, and the other ranks run the step with these bytes.
 *
 * <p>If rank 0 has not read some of the bytes, for example because it already had them in memory,
 * the other ranks read them from the file. The result of a step does not depend on whether a read
 * was shared.
 *
 * <p>Files that are connected by external links share one object per rank. Only the reads of the
 * thread that runs the step are shared.
 */
public sealed class MetadataBroadcast {
  /**
   * The maximum number of bytes in a shared read. Larger reads are assumed to be raw data and are
   * not shared.
   */
  private static final long LARGEST = 1 << 20;

  /** The maximum number of bytes that are shared in one step. */
  private static final long MOST = 16 << 20;

  /** The encoded form of an empty tape. */
  private static final byte[] NOTHING = new byte[Integer.BYTES];

  private volatile Optional<Tape> recorded = Optional.empty();
  private volatile Optional<Tape> replayed = Optional.empty();
  private volatile Optional<RunningStep> running = Optional.empty();
  private int files;

  private MetadataBroadcast() {}

  /**
   * Creates the broadcast that a file shares with all files to which it links. All of these files
   * are open on the given ranks.
   */
  public static MetadataBroadcast among(Communicator ranks) {
    return ranks.size() == 1 ? new OneReader() : new MetadataBroadcast();
  }

  /** The implementation for a single rank, which records nothing. */
  private static final class OneReader extends MetadataBroadcast {
    @Override
    <T> T taking(Communicator ranks, Callable<T> step) throws Exception {
      return step.call();
    }
  }

  /** The reads of one step, by file and address. */
  private static final class Tape {
    private final Thread taker = Thread.currentThread();
    private final Communicator ranks;
    private final Map<Integer, Long> sizes = new TreeMap<>();
    private final Map<Integer, TreeMap<Long, MemorySegment>> pieces = new TreeMap<>();
    private long bytes;

    Tape(Communicator ranks) {
      this.ranks = ranks;
    }

    boolean isHere() {
      return taker.equals(Thread.currentThread());
    }

    void put(int file, long address, MemorySegment piece) {
      TreeMap<Long, MemorySegment> known = pieces.computeIfAbsent(file, _ -> new TreeMap<>());
      MemorySegment old = known.get(address);
      if (old == null || old.byteSize() < piece.byteSize()) {
        bytes += piece.byteSize() - (old == null ? 0 : old.byteSize());
        known.put(address, piece);
      }
    }

    Optional<MemorySegment> find(int file, long address, long length) {
      TreeMap<Long, MemorySegment> known = pieces.get(file);
      Map.Entry<Long, MemorySegment> piece = known == null ? null : known.floorEntry(address);
      if (piece == null || address - piece.getKey() > piece.getValue().byteSize() - length) {
        return Optional.empty();
      }
      return Optional.of(piece.getValue().asSlice(address - piece.getKey(), length));
    }

    byte[] encode() {
      ByteWriter out = ByteWriter.create();
      out.u32(sizes.size());
      sizes.forEach((file, size) -> out.u32(file).u64(size));
      pieces.forEach((file, known) ->
          known.forEach(
              (address, piece) -> out.u32(file).u64(address).u32(piece.byteSize()).bytes(piece)));
      return out.toArray();
    }

    void decode(byte[] encoded) {
      ByteReader in = ByteReader.of(MemorySegment.ofArray(encoded), "reads of the first rank");
      for (long left = in.u32(); left > 0; left--) {
        sizes.put((int) in.u32(), in.i64());
      }
      while (in.remaining() > 0) {
        put((int) in.u32(), in.i64(), in.slice(in.u32()));
      }
    }
  }

  /** Returns the number of the next file. All ranks must call this method in the same order. */
  public synchronized int nextFile() {
    return files++;
  }

  /**
   * Runs a step, first on rank 0 and then on the other ranks. Collective.
   *
   * @throws Exception the exception that the step throws on this rank
   */
  <T> T taking(Communicator ranks, Callable<T> step) throws Exception {
    if (ranks.rank() == 0) {
      recorded = Optional.of(new Tape(ranks));
      try {
        return step.call();
      } finally {
        publish();
      }
    }
    Optional<Tape> outer = replayed;
    Tape tape = new Tape(ranks);
    tape.decode(ranks.broadcast(new byte[0], 0));
    replayed = Optional.of(tape);
    try {
      return step.call();
    } finally {
      replayed = outer;
    }
  }

  /**
   * Runs the body of a step.
   *
   * @throws Exception the exception that the body throws
   */
  <T> T during(RunningStep step, Callable<T> body) throws Exception {
    return during(Optional.of(step), body);
  }

  private <T> T during(Optional<RunningStep> step, Callable<T> body) throws Exception {
    Optional<RunningStep> outer = running;
    running = step;
    try {
      return body.call();
    } finally {
      running = outer;
    }
  }

  /**
   * Runs a part of a step on another file; the part also reads a file that uses this broadcast.
   *
   * @param taking the broadcast of the file on which the step runs
   * @throws Exception the exception that the part throws
   */
  public <T> T within(MetadataBroadcast taking, Callable<T> part) throws Exception {
    return during(taking.running, part);
  }

  /**
   * Broadcasts the bytes that have been read so far, and checks that all ranks have reached the
   * same point of the step; later reads of the step are not shared. Must be called before any
   * collective call within a step: a rank that has failed does not reach that call, and the other
   * ranks do not start the step before they receive the bytes. Collective, within a step.
   *
   * @param point the name of the point
   * @throws io.skerry.parallel.CollectiveException on all ranks if at least one of them failed
   *     earlier in the step or has reached another point
   */
  public void meet(String point) {
    publish();
    running.ifPresent(step -> step.agree(point));
  }

  /** Returns whether a step is running. Local; the caller excludes other operations. */
  public boolean isTaking() {
    return running.isPresent();
  }

  private void publish() {
    Optional<Tape> tape = recorded.filter(Tape::isHere);
    if (tape.isPresent()) {
      recorded = Optional.empty();
      // The broadcast takes place even if the encoding fails, since the other ranks wait for it.
      byte[] message = new LocalStatus().attempt(tape.get()::encode, NOTHING);
      byte[] unused = tape.get().ranks.broadcast(message, 0);
    }
  }

  /**
   * Returns the bytes at an address that rank 0 has read and shared in the current step of this
   * thread; empty if it has not shared them.
   */
  Optional<MemorySegment> recall(int file, long address, long length) {
    return replayed.filter(Tape::isHere).flatMap(tape -> tape.find(file, address, length));
  }

  /**
   * Returns the size of the file that rank 0 has shared in the current step of this thread; empty
   * if it has not shared a size.
   */
  OptionalLong recallSize(int file) {
    return replayed
        .filter(Tape::isHere)
        .map(tape -> tape.sizes.get(file))
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  /**
   * Records bytes that this rank has read, if its reads are shared with the other ranks and the
   * limits on shared bytes are not exceeded.
   */
  void remember(int file, long address, MemorySegment piece) {
    recorded
        .filter(Tape::isHere)
        .filter(tape -> piece.byteSize() <= LARGEST && tape.bytes + piece.byteSize() <= MOST)
        .ifPresent(tape -> tape.put(file, address, HeapBytes.copyOf(piece)));
  }

  /**
   * Records the size of the file as seen by this rank, if its reads are shared with the other
   * ranks.
   */
  void rememberSize(int file, long size) {
    recorded.filter(Tape::isHere).ifPresent(tape -> tape.sizes.put(file, size));
  }
}
