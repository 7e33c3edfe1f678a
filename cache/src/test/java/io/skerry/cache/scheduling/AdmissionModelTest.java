package io.skerry.cache.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.Requester;
import io.skerry.cache.Requester.Stage;
import io.skerry.cache.scheduling.Admission.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Starts, ends and interrupts requests one at a time, and changes the limit, in random order. After
 * each step, a simple model predicts for each thread whether it runs or waits, and the test checks
 * that.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AdmissionModelTest {
  private static final int SEEDS = Boolean.getBoolean("skerry.thorough") ? 1000 : 400;
  private static final int STEPS = 60;

  /** A request in the model. */
  private static final class Modeled {
    private final long bytes;
    private final Requester<Grant> requester;
    private Stage stage = Stage.COMING;
    private long granted;
    private boolean alone;
    private int overtaken;

    Modeled(long bytes, Requester<Grant> requester) {
      this.bytes = bytes;
      this.requester = requester;
    }
  }

  /** The run of one seed. */
  private static final class Run {
    private final Random random;
    private long limit = 100;
    private final Admission admission = new Admission(limit);
    private final List<Modeled> unfinished = new ArrayList<>();
    private long waits;

    Run(long seed) {
      random = new Random(seed);
    }

    void steps() {
      for (int step = 0; step < STEPS; step++) {
        int dice = random.nextInt(16);
        if (dice < 9 && unfinished.size() < 12) {
          arrive();
        } else if (dice < 13) {
          any(Stage.RUNNING).ifPresent(this::end);
        } else if (dice < 15) {
          any(Stage.COMING).ifPresent(this::interrupt);
        } else {
          limit = random.nextInt(6) * 40;
          admission.limit(limit);
          admit();
        }
        check();
      }
      while (!unfinished.isEmpty()) {
        end(any(Stage.RUNNING).orElseThrow());
        check();
      }
      assertEquals(0, admission.used());
    }

    private Optional<Modeled> any(Stage stage) {
      List<Modeled> some = at(stage);
      return some.isEmpty() ? Optional.empty() : Optional.of(some.get(random.nextInt(some.size())));
    }

    private List<Modeled> at(Stage stage) {
      return unfinished.stream().filter(request -> request.stage == stage).toList();
    }

    private void arrive() {
      long bytes = random.nextInt(4) == 0 ? random.nextInt(250) : random.nextInt(20);
      Modeled come = new Modeled(bytes, Requester.start(() -> admission.admit(bytes)));
      unfinished.add(come);
      admit();
      waits += come.stage == Stage.COMING ? 1 : 0;
    }

    private void end(Modeled request) {
      request.requester.end();
      unfinished.remove(request);
      admit();
    }

    private void interrupt(Modeled request) {
      request.requester.interrupt();
      unfinished.remove(request);
      admit();
    }

    /** Admits the first request that may run, until none is left. */
    private void admit() {
      boolean moved = true;
      while (moved) {
        Optional<Modeled> next = at(Stage.COMING).stream().filter(this::mayGo).findFirst();
        next.ifPresent(this::go);
        moved = next.isPresent();
      }
    }

    private boolean mayGo(Modeled request) {
      boolean overtakes =
          earlier(request).stream()
              .anyMatch(before -> before.overtaken == Admission.MOST_OVERTAKEN);
      List<Modeled> running = at(Stage.RUNNING);
      boolean fits = request.bytes > limit ? running.isEmpty() : used() + request.bytes <= limit;
      return fits && !overtakes && running.stream().noneMatch(other -> other.alone);
    }

    private List<Modeled> earlier(Modeled request) {
      return unfinished.subList(0, unfinished.indexOf(request)).stream()
          .filter(before -> before.stage == Stage.COMING)
          .toList();
    }

    private void go(Modeled request) {
      earlier(request).forEach(before -> before.overtaken++);
      request.alone = request.bytes > limit;
      request.granted = Math.min(request.bytes, limit);
      request.stage = Stage.RUNNING;
    }

    private long used() {
      return at(Stage.RUNNING).stream().mapToLong(request -> request.granted).sum();
    }

    private void check() {
      for (Modeled request : unfinished) {
        if (request.stage == Stage.RUNNING) {
          request.requester.awaitRunning();
          assertEquals(request.granted, request.requester.held().bytes());
          assertEquals(request.alone, request.requester.held().isAlone());
        } else {
          request.requester.awaitWaiting();
        }
        assertTrue(request.overtaken <= Admission.MOST_OVERTAKEN);
      }
      // Requests that were checked first may have continued while the last ones were checked.
      for (Modeled request : unfinished) {
        assertEquals(request.stage, request.requester.stage());
      }
      assertEquals(used(), admission.used());
      assertEquals(waits, admission.waits());
      assertEquals(at(Stage.COMING).size(), admission.waiting());
    }
  }

  @Test
  void each_request_is_admitted_when_it_fits_and_may_overtake() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        new Run(seed).steps();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
