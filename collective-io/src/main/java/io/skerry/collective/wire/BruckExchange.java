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
 * Delivers short messages among many ranks, most of which send nothing to each other. In step k,
 * each rank selects all messages whose remaining distance has bit k set, and forwards them to the
 * rank that is 2<sup>k</sup> above it. A message therefore takes one hop for each 1 bit of its
 * distance. Among n ranks, there are log<sub>2</sub> n steps (rounded up), and a rank sends to one
 * other rank in each of them. No rank needs a table with an entry for each rank.
 *
 * <p>Source: Bruck and others, "Efficient algorithms for all-to-all communications in multiport
 * message-passing systems", 1997, section 3, but with blocks of any length, and without empty
 * blocks.
 */
final class BruckExchange {
  private static final int TAG = 7001;
  private static final int MEASURE_TAG = 7000;

  private BruckExchange() {}

  /**
   * A message that is being forwarded.
   *
   * @param source the rank that sent the message
   * @param destination the rank that receives the message
   * @param bytes the content
   */
  private record Message(int source, int destination, MemorySegment bytes) {
    void encode(ByteWriter out) {
      out.u32(source).u32(destination).u64(bytes.byteSize()).bytes(bytes);
    }

    static Message decode(ByteReader in) {
      return new Message((int) in.u32(), (int) in.u32(), in.slice(in.i64()));
    }
  }

  /**
   * Delivers all messages. Collective.
   *
   * @param messages the messages of this rank by receiver
   * @return the messages to this rank by sender, on the heap
   */
  static SortedMap<Integer, MemorySegment> deliver(
      Communicator ranks, SortedMap<Integer, MemorySegment> messages) {
    List<Message> held = new ArrayList<>();
    messages.forEach((to, bytes) -> held.add(new Message(ranks.rank(), to, bytes)));
    for (int hop = 1; hop < ranks.size(); hop *= 2) {
      List<Message> forwarded = takeOut(held, hop, ranks);
      int to = (ranks.rank() + hop) % ranks.size();
      int from = Math.floorMod(ranks.rank() - hop, ranks.size());
      held.addAll(swap(ranks, forwarded, to, from));
    }
    SortedMap<Integer, MemorySegment> received = new TreeMap<>();
    held.forEach(message -> received.put(message.source, message.bytes));
    return received;
  }

  /**
   * Removes and returns the messages whose remaining distance includes a hop of the given length.
   */
  private static List<Message> takeOut(List<Message> held, int hop, Communicator ranks) {
    List<Message> found = new ArrayList<>();
    for (Iterator<Message> each = held.iterator(); each.hasNext(); ) {
      Message message = each.next();
      int distance = Math.floorMod(message.destination - ranks.rank(), ranks.size());
      if ((distance & hop) != 0) {
        found.add(message);
        each.remove();
      }
    }
    return found;
  }

  /** Forwards messages to one rank and receives the messages that another rank forwards. */
  private static List<Message> swap(Communicator ranks, List<Message> out, int to, int from) {
    ByteWriter packed = ByteWriter.create();
    out.forEach(message -> message.encode(packed));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packedSize = arena.allocateFrom(ValueLayout.JAVA_LONG, packed.position());
      MemorySegment incomingSize = arena.allocate(ValueLayout.JAVA_LONG);
      Request.awaitAll(
          List.of(
              ranks.receiveLater(incomingSize, from, MEASURE_TAG),
              ranks.sendLater(packedSize, to, MEASURE_TAG)));
      MemorySegment incoming =
          MemorySegment.ofArray(
              new byte[Math.toIntExact(incomingSize.get(ValueLayout.JAVA_LONG, 0))]);
      List<Request> transfers = new ArrayList<>();
      if (incoming.byteSize() > 0) {
        transfers.add(ranks.receiveLater(incoming, from, TAG));
      }
      if (packed.position() > 0) {
        transfers.add(ranks.sendLater(packed.written(), to, TAG));
      }
      Request.awaitAll(transfers);
      ByteReader in = ByteReader.of(incoming, "messages via rank " + from);
      List<Message> messages = new ArrayList<>();
      while (in.remaining() > 0) {
        messages.add(Message.decode(in));
      }
      return messages;
    }
  }
}
