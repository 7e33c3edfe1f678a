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
 * Lets one rank read for all. Of a step that all ranks take in the same way the first rank takes it
 * before the others, who get what it has read of the files and take the step from that: among ten
 * thousand ranks, one asks the file system for a header, not ten thousand.
 *
 * <p>What a rank needs besides it reads by itself: it may have forgotten more than the first one,
 * or read something of its own. Nothing depends on whether a read was shared.
 *
 * <p>Files that lead to each other share one of these. Each rank has its own; the reads that count
 * are those of the thread that takes the step.
 */
public final class MetadataBroadcast {
  /** Bytes of a read that is worth sharing: greater ones are data, of which each has its own. */
  private static final long LARGEST = 1 << 20;

  /** Bytes that a step shares. */
  private static final long MOST = 16 << 20;

  /** A tape on which nothing is. */
  private static final byte[] NOTHING = new byte[Integer.BYTES];

  private volatile Optional<Tape> recorded = Optional.empty();
  private volatile Optional<Tape> replayed = Optional.empty();
  private int files;

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

  /** A number for one more file; all ranks ask in the same order. */
  public synchronized int nextFile() {
    return files++;
  }

  /**
   * Takes a step, on the first rank before the others. Collective.
   *
   * @throws Exception whatever the step throws on this rank
   */
  <T> T taking(Communicator ranks, Callable<T> step) throws Exception {
    if (ranks.size() == 1) {
      return step.call();
    }
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
   * Lets the others go on from what was read so far; later reads of the step are not shared. Has to
   * come before whatever all ranks do together within a step.
   */
  public void publish() {
    Optional<Tape> tape = recorded.filter(Tape::isHere);
    if (tape.isPresent()) {
      recorded = Optional.empty();
      // Whatever becomes of it, the others wait for an answer.
      byte[] letter = new LocalStatus().attempt(tape.get()::encode, NOTHING);
      byte[] unused = tape.get().ranks.broadcast(letter, 0);
    }
  }

  /** What the first rank has read there. */
  Optional<MemorySegment> recall(int file, long address, long length) {
    return replayed.filter(Tape::isHere).flatMap(tape -> tape.find(file, address, length));
  }

  /** The size that the file has for the first rank. */
  OptionalLong recallSize(int file) {
    return replayed
        .filter(Tape::isHere)
        .map(tape -> tape.sizes.get(file))
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  /** This rank has read something. */
  void remember(int file, long address, MemorySegment piece) {
    recorded
        .filter(Tape::isHere)
        .filter(tape -> piece.byteSize() <= LARGEST && tape.bytes + piece.byteSize() <= MOST)
        .ifPresent(tape -> tape.put(file, address, HeapBytes.copyOf(piece)));
  }

  /** This rank has asked for the size. */
  void rememberSize(int file, long size) {
    recorded.filter(Tape::isHere).ifPresent(tape -> tape.sizes.put(file, size));
  }
}
