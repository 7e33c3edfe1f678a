package io.skerry.collective.wire;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.mpi.Communicator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Messages of any length between any ranks in one collective step. */
public final class Exchange {
  private Exchange() {}

  /** Communicators of up to so many ranks let every pair of ranks exchange something. */
  private static final int FEW_RANKS = 16;

  /** Letters to some of the ranks: one growing buffer each. */
  public static final class Outbox {
    private final SortedMap<Integer, ByteWriter> letters = new TreeMap<>();

    /** The letter to a rank, begun on first use. */
    public ByteWriter to(int rank) {
      return letters.computeIfAbsent(rank, _ -> ByteWriter.create());
    }

    private long bytes(int rank) {
      return letters.containsKey(rank) ? to(rank).position() : 0;
    }

    /** What was written, by receiver. */
    SortedMap<Integer, MemorySegment> written() {
      SortedMap<Integer, MemorySegment> written = new TreeMap<>();
      letters.forEach((rank, letter) -> written.put(rank, letter.written()));
      return written;
    }
  }

  /** Letters from some of the ranks, in the order of ranks. */
  public static final class Inbox implements Iterable<ByteReader> {
    private final SortedMap<Integer, ByteReader> letters = new TreeMap<>();
    private final String what;

    /**
     * @param received bytes by sender
     * @param what they are, for messages
     */
    public Inbox(SortedMap<Integer, MemorySegment> received, String what) {
      this.what = what;
      received.forEach((rank, letter) -> letters.put(rank, ByteReader.of(letter, what)));
    }

    /** The letter of a rank; without bytes if there is none. */
    public ByteReader from(int rank) {
      return Optional.ofNullable(letters.get(rank))
          .orElseGet(() -> ByteReader.of(MemorySegment.ofArray(new byte[0]), what));
    }

    /** The ranks from which something came, ascending. */
    public Set<Integer> senders() {
      return letters.keySet();
    }

    @Override
    public Iterator<ByteReader> iterator() {
      return letters.values().iterator();
    }
  }

  /**
   * Delivers all letters. Collective. Of many ranks each talks to as many others as the number of
   * ranks has binary digits, however many letters there are.
   *
   * @return what others, and this rank itself, sent here
   */
  public static Inbox deliver(Communicator ranks, Outbox out, String what) {
    return new Inbox(
        ranks.size() <= FEW_RANKS
            ? direct(ranks, out)
            : BruckExchange.deliver(ranks, out.written()),
        what);
  }

  private static SortedMap<Integer, MemorySegment> direct(Communicator ranks, Outbox out) {
    int n = ranks.size();
    long[] sendCounts = new long[n];
    for (int rank = 0; rank < n; rank++) {
      sendCounts[rank] = out.bytes(rank);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment send = arena.allocate(Math.max(1, total(sendCounts)), 8);
      long[] sendAt = starts(sendCounts);
      for (int rank = 0; rank < n; rank++) {
        if (sendCounts[rank] > 0) {
          MemorySegment.copy(out.to(rank).written(), 0, send, sendAt[rank], sendCounts[rank]);
        }
      }
      long[] receiveCounts = ranks.allToAll(sendCounts);
      MemorySegment receive = arena.allocate(Math.max(1, total(receiveCounts)), 8);
      long[] receiveAt = starts(receiveCounts);
      ranks.allToAllVariable(send, sendCounts, sendAt, receive, receiveCounts, receiveAt);
      // The letters are read after the arena is gone, and they are short: copy them to the heap.
      SortedMap<Integer, MemorySegment> letters = new TreeMap<>();
      for (int rank = 0; rank < n; rank++) {
        if (receiveCounts[rank] > 0) {
          letters.put(rank, onHeap(receive.asSlice(receiveAt[rank], receiveCounts[rank])));
        }
      }
      return letters;
    }
  }

  private static MemorySegment onHeap(MemorySegment bytes) {
    return MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  /**
   * Gives every rank's letter to all. Collective; for short letters.
   *
   * @return per source rank what it said
   */
  public static List<ByteReader> announce(Communicator ranks, ByteWriter mine, String what) {
    long[] counts = ranks.allGather(mine.position());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment send = arena.allocate(Math.max(1, mine.position()), 8);
      MemorySegment.copy(mine.written(), 0, send, 0, mine.position());
      MemorySegment receive = arena.allocate(Math.max(1, total(counts)), 8);
      ranks.allGatherVariable(send.asSlice(0, mine.position()), receive, counts, starts(counts));
      return readers(receive, counts, what);
    }
  }

  /**
   * Gives the letters of those ranks that have something to say to all. Collective; for what every
   * rank has to know and few say. Of many ranks each talks to as many others as the number of ranks
   * has binary digits, and receives as much as is said.
   *
   * @return what was said
   */
  public static Inbox allGatherSparse(Communicator ranks, ByteWriter mine, String what) {
    SortedMap<Integer, MemorySegment> said = new TreeMap<>();
    if (ranks.size() <= FEW_RANKS) {
      List<ByteReader> letters = announce(ranks, mine, what);
      for (int rank = 0; rank < letters.size(); rank++) {
        ByteReader letter = letters.get(rank);
        if (letter.remaining() > 0) {
          said.put(rank, letter.slice(letter.remaining()));
        }
      }
      return new Inbox(said, what);
    }
    Outbox toTheFirst = new Outbox();
    if (mine.position() > 0) {
      toTheFirst.to(0).bytes(mine.written());
    }
    ByteWriter all = ByteWriter.create();
    BruckExchange.deliver(ranks, toTheFirst.written())
        .forEach((rank, letter) -> all.u32(rank).u64(letter.byteSize()).bytes(letter));
    ByteReader told = ByteReader.of(MemorySegment.ofArray(ranks.broadcast(all.toArray(), 0)), what);
    while (told.remaining() > 0) {
      int rank = (int) told.u32();
      said.put(rank, told.slice(told.i64()));
    }
    return new Inbox(said, what);
  }

  /** Where each of consecutive blocks begins. */
  public static long[] starts(long[] counts) {
    long[] starts = new long[counts.length];
    for (int i = 1; i < counts.length; i++) {
      starts[i] = starts[i - 1] + counts[i - 1];
    }
    return starts;
  }

  /** Sum of the counts. */
  public static long total(long[] counts) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  private static List<ByteReader> readers(MemorySegment all, long[] counts, String what) {
    // The letters are read after the arena is gone, and they are short: copy them to the heap.
    MemorySegment kept =
        MemorySegment.ofArray(all.asSlice(0, total(counts)).toArray(ValueLayout.JAVA_BYTE));
    long[] starts = starts(counts);
    List<ByteReader> readers = new ArrayList<>(counts.length);
    for (int rank = 0; rank < counts.length; rank++) {
      readers.add(ByteReader.of(kept.asSlice(starts[rank], counts[rank]), what));
    }
    return readers;
  }
}
