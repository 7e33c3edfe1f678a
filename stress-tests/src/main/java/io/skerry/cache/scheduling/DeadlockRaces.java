package io.skerry.cache.scheduling;

import static io.skerry.cache.scheduling.RequestOrder.Kind.WRITE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.skerry.cache.scheduling.RequestOrder.Ticket;
import io.skerry.selection.Selection;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races of two threads that enter the same two request orders; {@code RacesTest} runs them. */
public final class DeadlockRaces {
  private static final Selection ELEMENT = Selection.at(7);

  private DeadlockRaces() {}

  /**
   * If each thread has entered the order that the other needs next, one thread is refused, and the
   * other proceeds.
   */
  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "one was refused")
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "one after the other")
  @Outcome(expect = FORBIDDEN, desc = "both were refused")
  @State
  public static class OppositeOrders {
    private final WaitForGraph waits = new WaitForGraph();
    private final RequestOrder a = new RequestOrder("/a", 1, waits);
    private final RequestOrder b = new RequestOrder("/b", 1, waits);

    @Actor
    public void first(ZZ_Result r) {
      r.r1 = both(a, b);
    }

    @Actor
    public void second(ZZ_Result r) {
      r.r2 = both(b, a);
    }

    private static boolean both(RequestOrder outer, RequestOrder inner) {
      try (Ticket _ = outer.enter(ELEMENT, WRITE);
          Ticket _ = inner.enter(ELEMENT, WRITE)) {
        return true;
      } catch (IllegalStateException e) {
        return false;
      }
    }
  }
}
