package io.skerry.mpi.internal.base;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Request;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PositionInquiryTest {
  private static final int TAG = Communicator.MAX_TAG + 3;
  private static final int RANKS = 66;
  private static final WaitLimit PATIENCE = new WaitLimit(Optional.of(Duration.ofSeconds(7)));

  /** A receive that is still pending would receive the message of the other rank. */
  @Test
  void no_receive_is_pending_after_the_end() {
    LocalRanks.run(
        2,
        world -> {
          CheckedCommunicator ranks = (CheckedCommunicator) world;
          PositionInquiry inquiry = new PositionInquiry(ranks);
          inquiry.answer("is in WRITE /a");
          inquiry.end();
          world.barrier();
          MemorySegment message = Arena.ofAuto().allocate(1);
          Request receive = ranks.startReceive(message, Communicator.ANY_SOURCE, TAG);
          Request send = ranks.startSend(Arena.ofAuto().allocate(1), 1 - world.rank(), TAG);
          assertEquals(1 - world.rank(), receive.await().source());
          var unused = send.await();
        });
  }

  @Test
  void messages_of_other_ranks_do_not_prevent_the_end() {
    LocalRanks.run(
        2,
        world -> {
          CheckedCommunicator ranks = (CheckedCommunicator) world;
          PositionInquiry inquiry = new PositionInquiry(ranks);
          inquiry.answer("is in WRITE /a");
          Request send =
              ranks.startSend(MemorySegment.ofArray(new byte[] {2, 'a'}), 1 - world.rank(), TAG);
          world.barrier();
          inquiry.end();
          var unused = send.await();
          world.barrier();
        });
  }

  @Test
  void a_rank_of_a_large_communicator_prints_its_own_position_whatever_its_number() {
    PrintStream before = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, UTF_8));
    try {
      MpiException failure =
          assertThrows(
              MpiException.class,
              () ->
                  LocalRanks.run(
                      RANKS,
                      world -> {
                        if (world.rank() == RANKS - 1) {
                          new PositionInquiry((CheckedCommunicator) world)
                              .endJob("is in WRITE /a", 3, PATIENCE);
                        }
                        world.barrier();
                      }));
      assertEquals(MpiErrorClass.ABORTED, failure.errorClass());
    } finally {
      System.setErr(before);
    }
    String text = printed.toString(UTF_8);
    assertTrue(
        text.contains("seconds=7 rank 65 is in WRITE /a; rank 3, or a rank that it waits for"),
        text);
  }
}
