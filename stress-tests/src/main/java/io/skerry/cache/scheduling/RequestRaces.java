package io.skerry.cache.scheduling;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.selection.Selection;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * Races of two threads that {@link RequestOrder} or {@link Admission} must order. In most races,
 * the threads share plain fields, so that a missing happens-before edge is detected.
 */
public final class RequestRaces {
  private static final Selection LOW = Selection.box(new long[] {0}, new long[] {10});
  private static final Selection HIGH = Selection.box(new long[] {5}, new long[] {10});

  private RequestRaces() {}

  private static RequestOrder order() {
    return new RequestOrder("/data", 1, new WaitForGraph());
  }

  @JCStressTest
  @Outcome(id = "2", expect = ACCEPTABLE, desc = "one after the other")
  @Outcome(expect = FORBIDDEN, desc = "side by side")
  @State
  public static class OverlappingWrites {
    private final RequestOrder order = order();
    private int count;

    @Actor
    public void writeLow() {
      try (var _ = order.enter(LOW, Kind.WRITE)) {
        count++;
      }
    }

    @Actor
    public void writeHigh() {
      try (var _ = order.enter(HIGH, Kind.WRITE)) {
        count++;
      }
    }

    @Arbiter
    public void sum(I_Result r) {
      r.r1 = count;
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "before or after the write")
  @Outcome(expect = FORBIDDEN, desc = "in the middle of it")
  @State
  public static class ReadWithATicket {
    private final RequestOrder order = order();
    private int first;
    private int second;

    @Actor
    public void write() {
      try (var _ = order.enter(LOW, Kind.WRITE)) {
        first = 1;
        second = 1;
      }
    }

    @Actor
    public void read(II_Result r) {
      try (var _ = order.enter(HIGH, Kind.READ)) {
        r.r1 = second;
        r.r2 = first;
      }
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 0", "1, 1"},
      expect = ACCEPTABLE,
      desc = "before or after the write")
  @Outcome(id = "-1, -1", expect = ACCEPTABLE, desc = "a writer was there, the read is refused")
  @Outcome(expect = FORBIDDEN, desc = "in the middle of it")
  @State
  public static class ReadBetweenStamps {
    private final RequestOrder order = order();
    private volatile int first;
    private volatile int second;

    @Actor
    public void write() {
      try (var _ = order.enter(LOW, Kind.WRITE)) {
        first = 1;
        second = 1;
      }
    }

    @Actor
    public void read(II_Result r) {
      long stamp = order.stamp();
      int one = second;
      int other = first;
      boolean still = order.validate(stamp);
      r.r1 = still ? one : -1;
      r.r2 = still ? other : -1;
    }
  }

  /**
   * Both threads request admission at the same time: one for the entire limit, and one for more
   * than the limit, which must run alone.
   */
  @JCStressTest
  @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "one after the other, and all is given back")
  @Outcome(expect = FORBIDDEN, desc = "side by side, or something is kept")
  @State
  public static class FullAdmissions {
    private final Admission admission = new Admission(100);
    private int count;

    @Actor
    public void all() {
      try (var _ = admission.admit(100)) {
        count++;
      }
    }

    @Actor
    public void more() {
      try (var _ = admission.admit(1000)) {
        count++;
      }
    }

    @Arbiter
    public void sum(JJ_Result r) {
      r.r1 = count;
      r.r2 = admission.used();
    }
  }

  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "admitted, before the limit fell or alone")
  @Outcome(expect = FORBIDDEN, desc = "something is kept")
  @State
  public static class AdmissionAndLimit {
    private final Admission admission = new Admission(100);

    @Actor
    public void admit() {
      admission.admit(60).close();
    }

    @Actor
    public void limit() {
      admission.limit(50);
    }

    @Arbiter
    public void used(J_Result r) {
      r.r1 = admission.used();
    }
  }
}
