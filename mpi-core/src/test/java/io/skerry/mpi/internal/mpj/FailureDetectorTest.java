package io.skerry.mpi.internal.mpj;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FailureDetectorTest {
  private static final int TOKEN = 16;

  /** Connection data of the detector of rank 0, for tests that connect without a detector. */
  private record Offer(byte[] token, int port, String address) {
    static Offer receive(Communicator world) {
      var offer = ByteBuffer.wrap(world.broadcast(new byte[0], 0));
      var token = new byte[TOKEN];
      offer.get(token);
      int port = offer.getInt();
      var addresses = new byte[offer.remaining()];
      offer.get(addresses);
      return new Offer(token, port, new String(addresses, US_ASCII).split(" ")[0]);
    }

    Socket connect(int rank) throws IOException {
      var socket = new Socket(address, port);
      socket
          .getOutputStream()
          .write(ByteBuffer.allocate(TOKEN + Integer.BYTES).put(token).putInt(rank).array());
      return socket;
    }

    /** Connects, and confirms the reply of rank 0. */
    Socket join(int rank) throws IOException {
      var socket = connect(rank);
      assertEquals(1, socket.getInputStream().read());
      socket.getOutputStream().write(3);
      return socket;
    }
  }

  /** The part of a test that rank 1 runs. */
  @FunctionalInterface
  private interface Peer {
    void run(Offer offer, BlockingQueue<Integer> lost) throws IOException, InterruptedException;
  }

  private static void run(Peer peer) {
    BlockingQueue<Integer> lost = new LinkedBlockingQueue<>();
    LocalRanks.run(
        2,
        world -> {
          if (world.rank() == 0) {
            try (var _ = FailureDetector.of(world, lost::add)) {
              world.barrier();
            }
          } else {
            var offer = Offer.receive(world);
            try {
              peer.run(offer, lost);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            world.barrier();
          }
        });
  }

  @Test
  void a_rank_whose_connection_breaks_is_lost() {
    run((offer, lost) -> {
      offer.join(1).close();
      assertEquals(1, lost.poll(10, TimeUnit.SECONDS));
    });
  }

  @Test
  void a_connection_that_a_rank_gave_up_before_it_was_accepted_is_not_a_lost_rank() {
    run((offer, lost) -> {
      offer.connect(1).close();
      assertNull(lost.poll(1, TimeUnit.SECONDS));
      try (Socket used = offer.join(1)) {
        used.getOutputStream().write(2);
      }
      assertNull(lost.poll(100, TimeUnit.MILLISECONDS));
    });
  }

  @Test
  void connected_ranks_that_end_with_a_farewell_are_not_lost() {
    BlockingQueue<Integer> lost = new LinkedBlockingQueue<>();
    LocalRanks.run(
        3,
        world -> {
          try (var _ = FailureDetector.of(world, lost::add)) {
            world.barrier();
          }
        });
    assertEquals(0, lost.size());
  }
}
