package io.skerry.cache.table;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races of two threads that access one {@link NumberTable}; {@code RacesTest} runs them. */
public final class NumberTableRaces {
  private static final long[] COLLIDING = NumberedItem.colliding(3);

  private NumberTableRaces() {}

  private static NumberedItem put(NumberTable<NumberedItem> table, long number, int value) {
    return table.putIfAbsent(new NumberedItem(number, value));
  }

  @JCStressTest
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "not there yet")
  @Outcome(id = "42", expect = ACCEPTABLE, desc = "there, and whole")
  @Outcome(expect = FORBIDDEN, desc = "seen before it was made")
  @State
  public static class Publication {
    private final NumberTable<NumberedItem> table = NumberedItem.table();

    @Actor
    public void putOne() {
      put(table, 5, 42);
    }

    @Actor
    public void get(I_Result r) {
      r.r1 = table.get(5).value();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 2"},
      expect = ACCEPTABLE,
      desc = "both know the one that was first")
  @Outcome(expect = FORBIDDEN, desc = "two entries with one number")
  @State
  public static class TwoPuts {
    private final NumberTable<NumberedItem> table = NumberedItem.table();

    @Actor
    public void put1(II_Result r) {
      r.r1 = put(table, 5, 1).value();
    }

    @Actor
    public void put2(II_Result r) {
      r.r2 = put(table, 5, 2).value();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"-1, -1", "-1, 1", "2, 1"},
      expect = ACCEPTABLE,
      desc = "in the order of the puts")
  @Outcome(expect = FORBIDDEN, desc = "the later without the earlier, or half made")
  @State
  public static class OrderOfPuts {
    private final NumberTable<NumberedItem> table = NumberedItem.table();

    @Actor
    public void puts() {
      put(table, 5, 1);
      put(table, 6, 2);
    }

    @Actor
    public void gets(II_Result r) {
      r.r1 = table.get(6).value();
      r.r2 = table.get(5).value();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"-1, 1", "2, -1", "2, 1"},
      expect = ACCEPTABLE,
      desc = "somebody was first")
  @Outcome(expect = FORBIDDEN, desc = "neither saw what the other had put")
  @State
  public static class PutThenLookForTheOther {
    private final NumberTable<NumberedItem> table = NumberedItem.table();

    @Actor
    public void one(II_Result r) {
      put(table, 5, 1);
      r.r1 = table.get(6).value();
    }

    @Actor
    public void two(II_Result r) {
      put(table, 6, 2);
      r.r2 = table.get(5).value();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"true, false", "false, true"},
      expect = ACCEPTABLE,
      desc = "removed once")
  @Outcome(expect = FORBIDDEN, desc = "removed twice or never")
  @State
  public static class TwoRemovals {
    private final NumberTable<NumberedItem> table = NumberedItem.table();
    private final NumberedItem item = put(table, 5, 1);

    @Actor
    public void remove1(ZZ_Result r) {
      r.r1 = table.remove(item);
    }

    @Actor
    public void remove2(ZZ_Result r) {
      r.r2 = table.remove(item);
    }
  }

  @JCStressTest
  @Outcome(id = "1, -1", expect = ACCEPTABLE, desc = "put in vain, then removed")
  @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "removed, then put")
  @Outcome(expect = FORBIDDEN, desc = "an entry is lost or back")
  @State
  public static class RemovalAndPut {
    private final NumberTable<NumberedItem> table = NumberedItem.table();
    private final NumberedItem item = put(table, 5, 1);

    @Actor
    public void remove() {
      table.remove(item);
    }

    @Actor
    public void putOther(II_Result r) {
      r.r1 = put(table, 5, 2).value();
    }

    @Arbiter
    public void get(II_Result r) {
      r.r2 = table.get(5).value();
    }
  }

  @JCStressTest
  @Outcome(id = "3", expect = ACCEPTABLE, desc = "found behind what was removed")
  @Outcome(expect = FORBIDDEN, desc = "lost")
  @State
  public static class RemovalInFront {
    private final NumberTable<NumberedItem> table = NumberedItem.table();
    private final NumberedItem first = put(table, COLLIDING[0], 1);
    private final NumberedItem second = put(table, COLLIDING[1], 2);

    public RemovalInFront() {
      put(table, COLLIDING[2], 3);
    }

    @Actor
    public void remove() {
      table.remove(second);
      table.remove(first);
    }

    @Actor
    public void get(I_Result r) {
      r.r1 = table.get(COLLIDING[2]).value();
    }
  }

  /** The marks that replace both removed entries are cleared, and the first slot is reused. */
  @JCStressTest
  @Outcome(
      id = {"2, 2", "2, -1", "2, 3", "-1, -1", "-1, 3", "3, 3"},
      expect = ACCEPTABLE,
      desc = "the old one, none, the new one: in this order")
  @Outcome(expect = FORBIDDEN, desc = "back in time")
  @State
  public static class ReplacementInAnEarlierSlot {
    private final NumberTable<NumberedItem> table = NumberedItem.table();
    private final NumberedItem first = put(table, COLLIDING[0], 1);
    private final NumberedItem second = put(table, COLLIDING[1], 2);

    @Actor
    public void replace() {
      table.remove(first);
      table.remove(second);
      put(table, COLLIDING[1], 3);
    }

    @Actor
    public void gets(II_Result r) {
      r.r1 = table.get(COLLIDING[1]).value();
      r.r2 = table.get(COLLIDING[1]).value();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"9, 1", "-1, 1"},
      expect = ACCEPTABLE,
      desc = "nothing is lost")
  @Outcome(expect = FORBIDDEN, desc = "lost, or half made")
  @State
  public static class Growth {
    private final NumberTable<NumberedItem> table = NumberedItem.table();

    public Growth() {
      for (int i = 1; i <= 8; i++) {
        put(table, i, i);
      }
    }

    @Actor
    public void putOne() {
      put(table, 9, 9);
    }

    @Actor
    public void gets(II_Result r) {
      r.r1 = table.get(9).value();
      r.r2 = table.get(1).value();
    }
  }

  @JCStressTest
  @Outcome(
      id = {"2, 1", "-1, 1"},
      expect = ACCEPTABLE,
      desc = "nothing is lost")
  @Outcome(expect = FORBIDDEN, desc = "lost, or half made")
  @State
  public static class Shrinkage {
    private final NumberTable<NumberedItem> table = NumberedItem.table();

    public Shrinkage() {
      for (int i = 1; i <= 9; i++) {
        put(table, i, i);
      }
      for (int i = 3; i <= 9; i++) {
        table.remove(table.get(i));
      }
    }

    @Actor
    public void remove() {
      table.remove(table.get(2));
    }

    @Actor
    public void gets(II_Result r) {
      r.r1 = table.get(2).value();
      r.r2 = table.get(1).value();
    }
  }
}
