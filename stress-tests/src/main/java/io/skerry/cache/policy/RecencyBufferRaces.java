package io.skerry.cache.policy;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Races of threads that offer elements to a {@link RecencyBuffer} with a single stripe, and of one
 * thread that drains the buffer. The elements are digits; the drained digits form a number, which
 * reveals losses, repetitions and the order.
 */
public final class RecencyBufferRaces {
  private RecencyBufferRaces() {}

  /** An element. Its field is not final, so that unsafe publication is detected. */
  private static final class Note {
    private int digit;

    Note(int digit) {
      this.digit = digit;
    }
  }

  private static int offer(RecencyBuffer<Note> buffer, int digit) {
    return buffer.offer(new Note(digit)) ? digit : 0;
  }

  private static int drain(RecencyBuffer<Note> buffer) {
    int[] digits = {0};
    buffer.drainTo(note -> digits[0] = 10 * digits[0] + note.digit);
    return digits[0];
  }

  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "taken once, and whole")
  @Outcome(expect = FORBIDDEN, desc = "lost, taken twice, or half made")
  @State
  public static class OfferAndDrain {
    private final RecencyBuffer<Note> buffer = new RecencyBuffer<>(1, 4);

    @Actor
    public void offer() {
      RecencyBufferRaces.offer(buffer, 1);
    }

    @Actor
    public void drain(II_Result r) {
      r.r1 = RecencyBufferRaces.drain(buffer);
    }

    @Arbiter
    public void drainRest(II_Result r) {
      r.r2 = RecencyBufferRaces.drain(buffer);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 2, 12", "1, 2, 21"},
      expect = ACCEPTABLE,
      desc = "both were accepted")
  @Outcome(
      id = {"1, 0, 1", "0, 2, 2"},
      expect = ACCEPTABLE,
      desc = "one was quicker")
  @Outcome(expect = FORBIDDEN, desc = "one was accepted and lost, or refused and there")
  @State
  public static class TwoOffers {
    private final RecencyBuffer<Note> buffer = new RecencyBuffer<>(1, 4);

    @Actor
    public void offer1(III_Result r) {
      r.r1 = offer(buffer, 1);
    }

    @Actor
    public void offer2(III_Result r) {
      r.r2 = offer(buffer, 2);
    }

    @Arbiter
    public void drain(III_Result r) {
      r.r3 = RecencyBufferRaces.drain(buffer);
    }
  }

  /**
   * The ring has two slots, both of which are in use: the next element is stored in the slot of the
   * first element.
   */
  @JCStressTest
  @Outcome(id = "0, 12, 0", expect = ACCEPTABLE, desc = "was still full")
  @Outcome(
      id = {"3, 12, 3", "3, 123, 0"},
      expect = ACCEPTABLE,
      desc = "was drained before")
  @Outcome(expect = FORBIDDEN, desc = "overwritten, wiped out or out of order")
  @State
  public static class OfferToAFullRing {
    private final RecencyBuffer<Note> buffer = new RecencyBuffer<>(1, 2);

    public OfferToAFullRing() {
      RecencyBufferRaces.offer(buffer, 1);
      RecencyBufferRaces.offer(buffer, 2);
    }

    @Actor
    public void offer(III_Result r) {
      r.r1 = RecencyBufferRaces.offer(buffer, 3);
    }

    @Actor
    public void drain(III_Result r) {
      r.r2 = RecencyBufferRaces.drain(buffer);
    }

    @Arbiter
    public void drainRest(III_Result r) {
      r.r3 = RecencyBufferRaces.drain(buffer);
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, 12", "1, 2", "12, 0"},
      expect = ACCEPTABLE,
      desc = "in the order of the hits")
  @Outcome(expect = FORBIDDEN, desc = "lost, taken twice or out of order")
  @State
  public static class TwoOffersOfOneThread {
    private final RecencyBuffer<Note> buffer = new RecencyBuffer<>(1, 2);

    @Actor
    public void offers() {
      RecencyBufferRaces.offer(buffer, 1);
      RecencyBufferRaces.offer(buffer, 2);
    }

    @Actor
    public void drain(II_Result r) {
      r.r1 = RecencyBufferRaces.drain(buffer);
    }

    @Arbiter
    public void drainRest(II_Result r) {
      r.r2 = RecencyBufferRaces.drain(buffer);
    }
  }
}
