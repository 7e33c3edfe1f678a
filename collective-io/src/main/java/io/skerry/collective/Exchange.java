package io.skerry.collective;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.mpi.Communicator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Messages of any length between any ranks in one collective step. */
public final class Exchange {
  private Exchange() {}

  /** Letters to every rank: one growing buffer each. */
  public static final class Outbox {
    private final ByteWriter[] letters;

    /**
     * @param ranks size of the communicator
     */
    public Outbox(int ranks) {
      letters = new ByteWriter[ranks];
    }

    /** The letter to a rank, begun on first use. */
    public ByteWriter to(int rank) {
      if (letters[rank] == null) {
        letters[rank] = ByteWriter.create();
      }
      return letters[rank];
    }

    private long bytes(int rank) {
      return letters[rank] == null ? 0 : letters[rank].position();
    }
  }

  /**
   * Delivers all letters. Collective.
   *
   * @return per source rank what it sent here, possibly nothing
   */
  public static List<ByteReader> deliver(Communicator ranks, Outbox out, String what) {
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
      ranks.allToAllVariable(
          send, sendCounts, sendAt, receive, receiveCounts, starts(receiveCounts));
      return readers(receive, receiveCounts, what);
    }
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

  /** Every rank's text on every rank. Collective. */
  static List<String> allTexts(Communicator ranks, String mine) {
    List<String> texts = new ArrayList<>();
    ByteWriter letter = ByteWriter.create().bytes(mine.getBytes(StandardCharsets.UTF_8));
    for (ByteReader reader : announce(ranks, letter, "text of a rank")) {
      texts.add(reader.text(reader.remaining()));
    }
    return texts;
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
