package io.skerry.collective.wire;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Delivers short letters among many ranks of which most have nothing to say to each other. In step
 * k each rank passes on, to the rank 2<sup>k</sup> above it, what still has that binary digit in
 * its way: so a letter takes as many hops as the distance has ones, a rank meets one other per
 * digit of the number of ranks, and nobody needs a table with a row per rank.
 *
 * <p>Source: Bruck and others, "Efficient algorithms for all-to-all communications in multiport
 * message-passing systems", 1997, section 3, with blocks of any length and empty ones left out.
 */
final class BruckExchange {
  private static final int TAG = 7001;
  private static final int MEASURE_TAG = 7000;

  private BruckExchange() {}

  /**
   * A letter under way.
   *
   * @param source who wrote it
   * @param destination who is to have it
   */
  private record Letter(int source, int destination, MemorySegment text) {
    void encode(ByteWriter out) {
      out.u32(source).u32(destination).u64(text.byteSize()).bytes(text);
    }

    static Letter decode(ByteReader in) {
      return new Letter((int) in.u32(), (int) in.u32(), in.slice(in.i64()));
    }
  }

  /**
   * Collective.
   *
   * @param letters by receiver
   * @return letters by sender, on the heap
   */
  static SortedMap<Integer, MemorySegment> deliver(
      Communicator ranks, SortedMap<Integer, MemorySegment> letters) {
    List<Letter> held = new ArrayList<>();
    letters.forEach((to, text) -> held.add(new Letter(ranks.rank(), to, text)));
    for (int hop = 1; hop < ranks.size(); hop *= 2) {
      List<Letter> passedOn = takeOut(held, hop, ranks);
      int to = (ranks.rank() + hop) % ranks.size();
      int from = Math.floorMod(ranks.rank() - hop, ranks.size());
      held.addAll(swap(ranks, passedOn, to, from));
    }
    SortedMap<Integer, MemorySegment> received = new TreeMap<>();
    held.forEach(letter -> received.put(letter.source, letter.text));
    return received;
  }

  /** Takes out what has a hop of this length in its way. */
  private static List<Letter> takeOut(List<Letter> held, int hop, Communicator ranks) {
    List<Letter> found = new ArrayList<>();
    for (Iterator<Letter> each = held.iterator(); each.hasNext(); ) {
      Letter letter = each.next();
      int way = Math.floorMod(letter.destination - ranks.rank(), ranks.size());
      if ((way & hop) != 0) {
        found.add(letter);
        each.remove();
      }
    }
    return found;
  }

  /** Passes letters on to one rank and takes in those of another. */
  private static List<Letter> swap(Communicator ranks, List<Letter> out, int to, int from) {
    ByteWriter parcel = ByteWriter.create();
    out.forEach(letter -> letter.encode(parcel));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment measure = arena.allocateFrom(ValueLayout.JAVA_LONG, parcel.position());
      MemorySegment measured = arena.allocate(ValueLayout.JAVA_LONG);
      Request.awaitAll(
          List.of(
              ranks.receiveLater(measured, from, MEASURE_TAG),
              ranks.sendLater(measure, to, MEASURE_TAG)));
      MemorySegment coming =
          MemorySegment.ofArray(new byte[Math.toIntExact(measured.get(ValueLayout.JAVA_LONG, 0))]);
      List<Request> transfers = new ArrayList<>();
      if (coming.byteSize() > 0) {
        transfers.add(ranks.receiveLater(coming, from, TAG));
      }
      if (parcel.position() > 0) {
        transfers.add(ranks.sendLater(parcel.written(), to, TAG));
      }
      Request.awaitAll(transfers);
      ByteReader in = ByteReader.of(coming, "letters by way of rank " + from);
      List<Letter> letters = new ArrayList<>();
      while (in.remaining() > 0) {
        letters.add(Letter.decode(in));
      }
      return letters;
    }
  }
}
