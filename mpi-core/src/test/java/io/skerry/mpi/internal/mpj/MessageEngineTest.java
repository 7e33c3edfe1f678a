package io.skerry.mpi.internal.mpj;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.CallOrder;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Reduction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests {@link MessageEngine} with ranks that exchange packets through queues in this JVM. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class MessageEngineTest {

  /** A link that adds each packet to the queue of its receiver. */
  private record QueueLink(int rank, List<LinkedBlockingQueue<Arrival>> queues)
      implements PacketLink {
    @Override
    public int size() {
      return queues.size();
    }

    @Override
    public void send(int to, byte[] packet, int length) {
      assertTrue(length <= LONGEST, "a packet of " + length);
      queues.get(to).add(new Arrival(rank, Arrays.copyOf(packet, length), Optional.empty()));
    }

    @Override
    public Optional<Arrival> poll() {
      return Optional.ofNullable(queues.get(rank).poll());
    }

    @Override
    public Arrival take() {
      try {
        return queues.get(rank).take();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @FunctionalInterface
  private interface Body {
    void run(Communicator world) throws Exception;
  }

  private static void onRanks(int ranks, Body body) throws Exception {
    var queues = new ArrayList<LinkedBlockingQueue<PacketLink.Arrival>>();
    for (int rank = 0; rank < ranks; rank++) {
      queues.add(new LinkedBlockingQueue<>());
    }
    try (var threads = Executors.newFixedThreadPool(ranks)) {
      var calls = new ArrayList<Callable<Boolean>>();
      for (int rank = 0; rank < ranks; rank++) {
        var link = new QueueLink(rank, queues);
        calls.add(() -> {
          body.run(MpjCommunicator.world(new MessageEngine(link), _ -> {}));
          return true;
        });
      }
      for (var done : threads.invokeAll(calls)) {
        assertTrue(done.get());
      }
    }
  }

  private static byte[] random(int bytes, long seed) {
    var random = new byte[bytes];
    new Random(seed).nextBytes(random);
    return random;
  }

  @Test
  void messages_of_any_length_arrive_complete_whether_posted_before_or_after() throws Exception {
    int most = Packet.MOST;
    int stretch = 8 << 20;
    onRanks(
        2,
        world -> {
          int peer = 1 - world.rank();
          for (int bytes :
              new int[] {0, 1, most, most + 1, 3 * most, stretch, stretch + 1, 2 * stretch + 77}) {
            var receive = MemorySegment.ofArray(new byte[bytes + 5]);
            if (world.rank() == 0) {
              world.barrier();
            }
            var incoming = world.receiveLater(receive, peer, 3);
            if (world.rank() == 1) {
              world.barrier();
            }
            var sent = world.sendLater(MemorySegment.ofArray(random(bytes, world.rank())), peer, 3);
            assertEquals(bytes, incoming.await().bytes());
            sent.await();
            assertArrayEquals(
                random(bytes, peer), receive.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
          }
        });
  }

  @Test
  void a_long_message_that_does_not_fit_is_refused_and_its_sender_continues() throws Exception {
    onRanks(
        2,
        world -> {
          int peer = 1 - world.rank();
          var sent = world.sendLater(MemorySegment.ofArray(new byte[1 << 20]), peer, 1);
          var error =
              assertThrows(
                  MpiException.class,
                  () -> world.receive(MemorySegment.ofArray(new byte[10]), peer, 1));
          assertEquals(MpiErrorClass.TRUNCATED, error.errorClass());
          sent.await();
          assertEquals(2, world.allReduce(1, Reduction.SUM));
        });
  }

  @Test
  void long_messages_to_one_receiver_do_not_mix() throws Exception {
    int bytes = 1 << 20;
    onRanks(
        3,
        world -> {
          if (world.rank() > 0) {
            world.send(MemorySegment.ofArray(random(bytes, world.rank())), 0, 9);
            world.send(MemorySegment.ofArray(random(bytes, 10 + world.rank())), 0, 9);
            return;
          }
          var heard = new int[3];
          for (int i = 0; i < 4; i++) {
            var receive = MemorySegment.ofArray(new byte[bytes]);
            int source = world.receive(receive, Communicator.ANY_SOURCE, 9).source();
            assertArrayEquals(
                random(bytes, 10L * heard[source]++ + source),
                receive.toArray(ValueLayout.JAVA_BYTE));
          }
        });
  }

  @Test
  void ranks_with_different_numbers_of_splits_agree_on_contexts() throws Exception {
    onRanks(
        4,
        world -> {
          Deque<Communicator> open = new ArrayDeque<>();
          for (int round = 0; round < 20; round++) {
            var part = world.split((world.rank() + round) % 3 == 0 ? 0 : 1, world.rank());
            if (part.size() % 2 == 0) {
              open.push(part.duplicate());
            }
            open.push(part);
          }
          for (var part : open) {
            assertEquals(part.size(), part.allReduce(1, Reduction.SUM));
            part.close();
          }
        });
  }

  @Test
  void calls_after_the_end_of_mpi_are_refused() throws Exception {
    onRanks(
        2,
        world -> {
          var part = world.duplicate();
          var order = part.callOrder();
          var pending = world.receiveLater(MemorySegment.ofArray(new byte[1]), 1 - world.rank(), 4);
          ((MpjCommunicator) world).markEnded();
          assertThrows(IllegalStateException.class, world::barrier);
          assertThrows(IllegalStateException.class, () -> part.allReduce(1, Reduction.SUM));
          assertThrows(IllegalStateException.class, () -> part.split(0, 0));
          assertThrows(IllegalStateException.class, () -> world.abort(1));
          assertThrows(IllegalStateException.class, pending::done);
          assertThrows(
              IllegalStateException.class,
              () -> order.begin(CallOrder.Call.of("READ", "", "file")));
          // Nothing can be freed any more, so these calls have no effect.
          part.close();
          order.close();
        });
  }

  @Test
  void a_broken_link_ends_a_wait_with_its_failure() {
    var queues =
        List.of(
            new LinkedBlockingQueue<PacketLink.Arrival>(),
            new LinkedBlockingQueue<PacketLink.Arrival>());
    var world = MpjCommunicator.world(new MessageEngine(new QueueLink(0, queues)), _ -> {});
    queues
        .getFirst()
        .add(new PacketLink.Arrival(-1, new byte[0], Optional.of(new IOException("cable"))));
    for (int i = 0; i < 2; i++) {
      var error = assertThrows(MpiException.class, world::barrier);
      assertEquals(MpiErrorClass.PEER_FAILED, error.errorClass());
      assertTrue(error.text().contains("cable"), error.text());
    }
  }
}
