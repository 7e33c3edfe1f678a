package io.skerry.mpi.internal.base;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PositionInquiryTest {
  private static final int RANKS = 66;
  private static final WaitLimit PATIENCE = new WaitLimit(Optional.of(Duration.ofSeconds(7)));

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
