package io.skerry.cache.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.RandomSelections;
import io.skerry.cache.Requester;
import io.skerry.cache.Requester.Stage;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.cache.scheduling.RequestOrder.Ticket;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Starts, ends and interrupts requests one at a time, in random order. After each step, a model
 * predicts for each thread whether it runs or waits, and the test checks that.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestOrderModelTest {
  private static final int SEEDS = Boolean.getBoolean("skerry.thorough") ? 1000 : 400;
  private static final int STEPS = 40;

  /** A request in the model: its elements as bits, and whether it conflicts with all others. */
  private record Modeled(long elements, Reach reach, Kind kind, Requester<Ticket> requester) {
    boolean conflictsWith(Modeled other) {
      boolean writes = kind == Kind.WRITE || other.kind == Kind.WRITE;
      boolean whole = reach == Reach.WHOLE || other.reach == Reach.WHOLE;
      return writes && (whole || (elements & other.elements) != 0);
    }
  }

  private enum Reach {
    ELEMENTS,
    WHOLE
  }

  /** The run of one seed. */
  private static final class Run {
    private final Random random;
    private final RandomSelections selections;
    private final RequestOrder order = new RequestOrder("/a", 2, new WaitForGraph());
    private final List<Modeled> unfinished = new ArrayList<>();
    private long lastStamp = order.stamp();

    Run(long seed) {
      random = new Random(seed);
      selections = new RandomSelections(random);
    }

    void steps() {
      for (int step = 0; step < STEPS; step++) {
        int dice = random.nextInt(10);
        if (dice < 5 && unfinished.size() < 10) {
          arrive();
        } else if (dice < 8) {
          any(this::runs).ifPresent(this::end);
        } else {
          any(request -> !runs(request)).ifPresent(this::interrupt);
        }
        check();
      }
      while (!unfinished.isEmpty()) {
        end(any(this::runs).orElseThrow());
        check();
      }
      assertEquals(0, order.unfinished());
    }

    private Optional<Modeled> any(Predicate<Modeled> which) {
      List<Modeled> some = unfinished.stream().filter(which).toList();
      return some.isEmpty() ? Optional.empty() : Optional.of(some.get(random.nextInt(some.size())));
    }

    private boolean runs(Modeled request) {
      return unfinished.subList(0, unfinished.indexOf(request)).stream()
          .noneMatch(request::conflictsWith);
    }

    private void arrive() {
      Kind kind = random.nextBoolean() ? Kind.READ : Kind.WRITE;
      long before = order.stamp();
      if (random.nextInt(8) == 0) {
        add(0, Reach.WHOLE, kind, () -> order.enterAll(kind));
      } else {
        Selection selection = selections.next();
        long elements = RandomSelections.elements(selection);
        add(elements, Reach.ELEMENTS, kind, () -> order.enter(selection, kind));
      }
      assertEquals(kind == Kind.WRITE, before != order.stamp());
    }

    private void add(long elements, Reach reach, Kind kind, Supplier<Ticket> enter) {
      int others = order.unfinished();
      unfinished.add(new Modeled(elements, reach, kind, Requester.start(enter)));
      // The next request must not enter before this one.
      Requester.until(() -> order.unfinished() > others);
    }

    private void end(Modeled request) {
      request.requester().end();
      unfinished.remove(request);
    }

    private void interrupt(Modeled request) {
      request.requester().interrupt();
      unfinished.remove(request);
    }

    private void check() {
      for (Modeled request : unfinished) {
        if (runs(request)) {
          request.requester().awaitRunning();
        } else {
          request.requester().awaitWaiting();
        }
      }
      // Requests that were checked first may have continued while the last ones were checked.
      for (Modeled request : unfinished) {
        assertEquals(runs(request) ? Stage.RUNNING : Stage.COMING, request.requester().stage());
      }
      boolean writer = unfinished.stream().anyMatch(request -> request.kind() == Kind.WRITE);
      long stamp = order.stamp();
      assertEquals(writer ? 1 : 0, stamp % 2);
      assertEquals(!writer, order.validate(stamp));
      assertTrue(stamp >= lastStamp);
      lastStamp = stamp;
      assertEquals(unfinished.size(), order.unfinished());
    }
  }

  @Test
  void each_request_waits_only_for_earlier_conflicting_ones() {
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        new Run(seed).steps();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }
}
