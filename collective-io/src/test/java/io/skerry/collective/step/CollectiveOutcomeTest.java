package io.skerry.collective.step;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.text.PrintableText;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.Operation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CollectiveOutcomeTest {
  private static CollectiveOutcome outcome(Communicator world) {
    return new CollectiveOutcome(world, new Watchdog(world.rank(), System.err), "x.h5");
  }

  @Test
  void a_failure_of_one_rank_throws_the_same_exception_on_all() {
    List<CollectiveException> seen =
        LocalRanks.call(
            4,
            world -> {
              CollectiveOutcome outcome = outcome(world);
              LocalStatus status = new LocalStatus();
              if (world.rank() % 2 == 1) {
                status.attempt(() -> {
                  throw new IOException("disk " + world.rank() + " is full");
                });
              }
              return assertThrows(
                  CollectiveException.class, () -> outcome.enter(Operation.WRITE, "/d", status));
            });
    for (CollectiveException e : seen) {
      assertEquals(seen.getFirst().getMessage(), e.getMessage());
      assertEquals(List.of(1, 3), e.failingRanks());
      assertEquals("disk 1 is full", e.reason());
      assertTrue(e.getMessage().contains("file=x.h5") && e.getMessage().contains("object=/d"));
    }
  }

  @Test
  void names_are_escaped_wherever_the_position_of_a_rank_is_printed() throws Exception {
    String name = "/a\u001b[2J\n\u202eb";
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    CountDownLatch reported = new CountDownLatch(1);
    List<String> messages =
        LocalRanks.call(
            2,
            world -> {
              PrintStream out =
                  new PrintStream(printed, true, StandardCharsets.UTF_8) {
                    @Override
                    public void println(String line) {
                      super.println(line);
                      reported.countDown();
                    }
                  };
              try (Watchdog watchdog = new Watchdog(world.rank(), out, Duration.ofMillis(20))) {
                CollectiveOutcome outcome = new CollectiveOutcome(world, watchdog, "f\u009b.h5");
                Operation mine = world.rank() == 0 ? Operation.WRITE : Operation.READ;
                if (world.rank() == 1) {
                  assertTrue(reported.await(60, TimeUnit.SECONDS), "the watchdog prints nothing");
                }
                return assertThrows(
                        CollectiveException.class,
                        () -> outcome.enter(mine, name, new LocalStatus()))
                    .reason();
              }
            });
    List<String> texts = new ArrayList<>(messages);
    printed.toString(StandardCharsets.UTF_8).lines().forEach(texts::add);
    for (String text : texts) {
      assertTrue(text.contains("/a\\u001b[2J\\u000a\\u202eb"), text);
      assertEquals(PrintableText.text(text), text);
    }
  }

  @Test
  void the_communicator_is_usable_after_a_failure() {
    LocalRanks.run(
        3,
        world -> {
          CollectiveOutcome outcome = outcome(world);
          LocalStatus bad = new LocalStatus();
          if (world.rank() == 2) {
            bad.attempt(() -> {
              throw new IllegalArgumentException("no");
            });
          }
          assertThrows(CollectiveException.class, () -> outcome.enter(Operation.READ, "/d", bad));
          outcome.enter(Operation.READ, "/d", new LocalStatus());
          assertArrayEquals(
              new long[] {2, 0}, outcome.agree(new LocalStatus(), world.rank(), -world.rank()));
          outcome.leave();
        });
  }

  @Test
  void ranks_in_different_operations_throw_an_exception_that_names_the_operations() {
    AtomicInteger abandoned = new AtomicInteger();
    List<String> messages =
        LocalRanks.call(
            3,
            world -> {
              CollectiveOutcome outcome = outcome(world);
              outcome.onMismatch(abandoned::incrementAndGet);
              Operation mine = world.rank() == 1 ? Operation.CLOSE : Operation.WRITE;
              String message =
                  assertThrows(
                          CollectiveException.class,
                          () -> outcome.enter(mine, "/d", new LocalStatus()))
                      .reason();
              assertThrows(
                  IllegalStateException.class,
                  () -> outcome.enter(Operation.CLOSE, "", new LocalStatus()));
              return message;
            });
    assertEquals(3, abandoned.get());
    for (String message : messages) {
      assertTrue(message.contains("rank 0 is in WRITE") && message.contains("rank 1 is in CLOSE"));
    }
  }

  @Test
  void different_arguments_are_named_with_their_ranks() {
    LocalRanks.run(
        3,
        world -> {
          CollectiveOutcome outcome = outcome(world);
          String mine = world.rank() == 2 ? "[5]" : "[4]";
          CollectiveException e =
              assertThrows(
                  CollectiveException.class,
                  () -> outcome.enter(Operation.EXTEND, "/d", mine, new LocalStatus()));
          assertEquals(List.of(2), e.failingRanks());
          assertTrue(
              e.reason().contains("rank 0: /d [4]") && e.reason().contains("rank 2: /d [5]"));
        });
  }
}
