package io.skerry.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MpiTest {
  private static final String PATIENCE = "skerry.patience";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream err = new PrintStream(bytes, true, UTF_8);

  private static final class Agreed extends RuntimeException implements AgreedFailure {
    private static final long serialVersionUID = 1;

    Agreed(String message) {
      super(message);
    }

    @Override
    public Communicator.RankSet agreedRanks() {
      return Communicator.RankSet.of(1);
    }
  }

  @Test
  void launchers_are_detected_from_the_environment() {
    assertTrue(Mpi.underLauncher(Map.of("OMPI_COMM_WORLD_SIZE", "2")));
    assertTrue(Mpi.underLauncher(Map.of("PMIX_RANK", "0")));
    assertTrue(Mpi.underLauncher(Map.of("PMI_RANK", "0")));
    assertFalse(Mpi.underLauncher(Map.of("SLURM_PROCID", "0", "PATH", "/bin")));
  }

  @Test
  void without_a_launcher_the_world_has_one_rank() {
    try (var mpi = Mpi.start()) {
      assertEquals(1, mpi.world().size());
      assertEquals(42, mpi.world().allReduce(42, Reduction.SUM));
    }
  }

  @Test
  void the_result_of_the_body_is_the_exit_code() {
    assertEquals(7, Mpi.run(_ -> 7, err));
    assertEquals("", bytes.toString(UTF_8));
  }

  @Test
  void an_invalid_patience_is_refused_before_the_program_runs() {
    var runs = new AtomicInteger();
    System.setProperty(PATIENCE, "soon");
    try {
      var refusal =
          assertThrows(
              IllegalArgumentException.class, () -> Mpi.run(_ -> runs.incrementAndGet(), err));
      assertTrue(refusal.getMessage().contains("skerry.patience=soon"), refusal.getMessage());
    } finally {
      System.clearProperty(PATIENCE);
    }
    assertEquals(0, runs.get());
  }

  @Test
  void a_close_that_is_refused_can_be_repeated() {
    var mpi = Mpi.start();
    System.setProperty(PATIENCE, "soon");
    try {
      assertThrows(IllegalArgumentException.class, mpi::close);
      assertThrows(IllegalArgumentException.class, mpi::close);
    } finally {
      System.clearProperty(PATIENCE);
    }
    mpi.close();
  }

  @Test
  void an_agreed_failure_prints_only_its_message_and_returns_1() {
    assertEquals(
        1,
        Mpi.run(
            _ -> {
              throw new Agreed("disk full: path=/a");
            },
            err));
    assertEquals("disk full: path=/a", bytes.toString(UTF_8).strip());
  }

  @Test
  void any_other_throwable_is_printed_once_with_its_rank_and_stack_trace() {
    assertEquals(
        1,
        Mpi.run(
            _ -> {
              throw new IOException("gone");
            },
            err));
    var text = bytes.toString(UTF_8);
    assertTrue(text.startsWith("rank 0 of 1 failed: java.io.IOException: gone"), text);
    assertTrue(text.contains("at io.skerry.mpi.MpiTest"), text);
    assertEquals(text.indexOf("gone"), text.lastIndexOf("gone"));
  }

  @Test
  void a_failure_whose_text_fails_is_printed_with_its_stack_trace() {
    var before = System.err;
    System.setErr(err);
    try {
      assertEquals(
          1,
          Mpi.run(
              new String[0],
              _ -> {
                throw new IOException("gone");
              },
              _ -> {
                throw new IllegalStateException("no text");
              }));
    } finally {
      System.setErr(before);
    }
    var text = bytes.toString(UTF_8);
    assertTrue(text.startsWith("rank 0 of 1 failed: java.io.IOException: gone"), text);
    assertTrue(text.contains("Suppressed: java.lang.IllegalStateException: no text"), text);
  }

  @Test
  void a_failure_that_its_text_throws_again_is_printed_with_its_stack_trace() {
    var before = System.err;
    System.setErr(err);
    try {
      var failure = new IllegalStateException("gone");
      assertEquals(
          1,
          Mpi.run(
              new String[0],
              _ -> {
                throw failure;
              },
              _ -> {
                throw failure;
              }));
    } finally {
      System.setErr(before);
    }
    var text = bytes.toString(UTF_8);
    assertTrue(text.startsWith("rank 0 of 1 failed: java.lang.IllegalStateException: gone"), text);
  }
}
