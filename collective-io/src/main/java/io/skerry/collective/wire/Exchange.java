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

/** Exchanges messages of any length between any ranks in one collective step. */
public final class Exchange {
  private Exchange() {}

  /**
   * The maximum number of ranks with which every rank sends its messages directly to the receivers.
   */
  private static final int FEW_RANKS = 16;

  /** The messages from this rank: one growing buffer for each receiver. */
  public static final class Outbox {
    private final SortedMap<Integer, ByteWriter> messages = new TreeMap<>();

    /** Returns the message to a rank, created on first use. */
    public ByteWriter to(int rank) {
      return messages.computeIfAbsent(rank, _ -> ByteWriter.create());
    }

    private long bytes(int rank) {
      return messages.containsKey(rank) ? to(rank).position() : 0;
    }

    /** Returns the written bytes by receiver. */
    SortedMap<Integer, MemorySegment> written() {
      SortedMap<Integer, MemorySegment> written = new TreeMap<>();
      messages.forEach((rank, message) -> written.put(rank, message.written()));
      return written;
    }
  }

  /** The messages to this rank, in the order of their senders. */
  public static final class Inbox implements Iterable<ByteReader> {
    private final SortedMap<Integer, ByteReader> messages = new TreeMap<>();
    private final String what;

    /**
     * Creates an inbox of received messages.
     *
     * @param received the bytes by sender
     * @param what the content of the messages, for error messages
     */
    public Inbox(SortedMap<Integer, MemorySegment> received, String what) {
      this.what = what;
      received.forEach((rank, message) -> messages.put(rank, ByteReader.of(message, what)));
    }

    /** Returns the message from a rank; a message of 0 bytes if that rank has sent none. */
    public ByteReader from(int rank) {
      return Optional.ofNullable(messages.get(rank))
          .orElseGet(() -> ByteReader.of(MemorySegment.ofArray(new byte[0]), what));
    }

    /** Returns the ranks that have sent a message, ascending. */
    public Set<Integer> senders() {
      return messages.keySet();
    }

    @Override
    public Iterator<ByteReader> iterator() {
      return messages.values().iterator();
    }
  }

  /**
   * Delivers all messages. With n &gt; 16 ranks, each rank sends to log<sub>2</sub> n other ranks
   * (rounded up), regardless of the number of messages. Collective.
   *
   * @param what the content of the messages, for error messages
   * @return the messages to this rank, including its own
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
      // The messages are short and are read after the arena is closed: copy them to the heap.
      SortedMap<Integer, MemorySegment> messages = new TreeMap<>();
      for (int rank = 0; rank < n; rank++) {
        if (receiveCounts[rank] > 0) {
          messages.put(rank, onHeap(receive.asSlice(receiveAt[rank], receiveCounts[rank])));
        }
      }
      return messages;
    }
  }

  private static MemorySegment onHeap(MemorySegment bytes) {
    return MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE));
  }

  /**
   * Sends one short message from every rank to all ranks. Collective.
   *
   * @param what the content of the messages, for error messages
   * @return the messages, indexed by sender
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
   * Sends the message of each rank that has one to all ranks. With n &gt; 16 ranks, each rank sends
   * to log<sub>2</sub> n other ranks (rounded up) before rank 0 broadcasts the messages, and
   * receives at most about twice the total size of the messages. Intended for few senders.
   * Collective.
   *
   * @param mine the message of this rank; 0 bytes if this rank has none
   * @param what the content of the messages, for error messages
   * @return the messages by sender
   */
  public static Inbox allGatherSparse(Communicator ranks, ByteWriter mine, String what) {
    SortedMap<Integer, MemorySegment> gathered = new TreeMap<>();
    if (ranks.size() <= FEW_RANKS) {
      List<ByteReader> messages = announce(ranks, mine, what);
      for (int rank = 0; rank < messages.size(); rank++) {
        ByteReader message = messages.get(rank);
        if (message.remaining() > 0) {
          gathered.put(rank, message.slice(message.remaining()));
        }
      }
      return new Inbox(gathered, what);
    }
    Outbox toFirstRank = new Outbox();
    if (mine.position() > 0) {
      toFirstRank.to(0).bytes(mine.written());
    }
    ByteWriter all = ByteWriter.create();
    BruckExchange.deliver(ranks, toFirstRank.written())
        .forEach((rank, message) -> all.u32(rank).u64(message.byteSize()).bytes(message));
    ByteReader received =
        ByteReader.of(MemorySegment.ofArray(ranks.broadcast(all.toArray(), 0)), what);
    while (received.remaining() > 0) {
      int rank = (int) received.u32();
      gathered.put(rank, received.slice(received.i64()));
    }
    return new Inbox(gathered, what);
  }

  /** Returns the offsets of consecutive blocks with the given lengths. */
  public static long[] starts(long[] counts) {
    long[] starts = new long[counts.length];
    for (int i = 1; i < counts.length; i++) {
      starts[i] = starts[i - 1] + counts[i - 1];
    }
    return starts;
  }

  /** Returns the sum of the counts. */
  public static long total(long[] counts) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  private static List<ByteReader> readers(MemorySegment all, long[] counts, String what) {
    // The messages are short and are read after the arena is closed: copy them to the heap.
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
