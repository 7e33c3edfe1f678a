package io.skerry.collective.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.mpi.LocalRanks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BruckExchangeTest {
  /** Returns the message of one rank to another, which is often empty. */
  private static byte[] text(int ranks, int source, int destination) {
    Random random = new Random(1000L * ranks + 31L * source + destination);
    byte[] text = new byte[random.nextInt(3) == 0 ? random.nextInt(100) : 0];
    random.nextBytes(text);
    return text;
  }

  @Test
  void messages_to_all_ranks_are_delivered_from_all_senders() {
    for (int size : new int[] {1, 2, 7, 16, 17, 40}) {
      int ranks = size;
      LocalRanks.run(
          ranks,
          world -> {
            ByteWriter mine = ByteWriter.create().bytes(text(ranks, world.rank(), 0));
            Exchange.Inbox received = Exchange.allGatherSparse(world, mine, "test");
            int expected = 0;
            for (int from = 0; from < ranks; from++) {
              byte[] text = text(ranks, from, 0);
              ByteReader message = received.from(from);
              assertArrayEquals(
                  text, message.slice(message.remaining()).toArray(ValueLayout.JAVA_BYTE));
              expected += text.length > 0 ? 1 : 0;
            }
            assertEquals(expected, received.senders().size(), "ranks=" + ranks);
          });
    }
  }

  @Test
  void each_message_is_delivered_to_its_receiver_only() {
    for (int size = 1; size <= 37; size++) {
      int ranks = size;
      LocalRanks.run(
          ranks,
          world -> {
            SortedMap<Integer, MemorySegment> out = new TreeMap<>();
            for (int to = 0; to < ranks; to++) {
              byte[] text = text(ranks, world.rank(), to);
              if (text.length > 0) {
                out.put(to, MemorySegment.ofArray(text));
              }
            }
            SortedMap<Integer, MemorySegment> in = BruckExchange.deliver(world, out);
            int expected = 0;
            for (int from = 0; from < ranks; from++) {
              byte[] text = text(ranks, from, world.rank());
              if (text.length > 0) {
                expected++;
                assertArrayEquals(text, in.get(from).toArray(ValueLayout.JAVA_BYTE));
              }
            }
            assertEquals(expected, in.size(), "ranks=" + ranks);
          });
    }
  }
}
