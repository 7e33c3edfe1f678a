package io.skerry.cache;

import io.skerry.cache.RequestOrder.Kind;
import io.skerry.cache.RequestOrder.Ticket;
import io.skerry.chunk.space.Selection;
import io.skerry.stress.Linearizability;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Two numbers that only a {@link RequestOrder} guards, beside two that one thread uses. */
class RequestOrderLincheckTest {
  @Test
  void guardedOperationsAreLinearizable() {
    Linearizability.checkSwitches(Operations.class, Model.class, 100);
    Linearizability.checkRuns(Operations.class, Model.class);
  }

  @Param(name = "number", gen = IntGen.class, conf = "1:9")
  public static class Operations {
    private static final Selection FIRST = Selection.box(new long[] {0}, new long[] {1});
    private static final Selection SECOND = Selection.box(new long[] {1}, new long[] {1});

    private final RequestOrder order = new RequestOrder("/data", 1, new WaitChain());
    private volatile int first;
    private volatile int second;

    @Operation
    public int addToFirst(@Param(name = "number") int number) {
      try (Ticket _ = order.enter(FIRST, Kind.WRITE)) {
        int sum = first + number;
        first = sum;
        return sum;
      }
    }

    @Operation
    public int addToSecond(@Param(name = "number") int number) {
      try (Ticket _ = order.enter(SECOND, Kind.WRITE)) {
        int sum = second + number;
        second = sum;
        return sum;
      }
    }

    @Operation
    public void addToBoth(@Param(name = "number") int number) {
      try (Ticket _ = order.enterAll(Kind.WRITE)) {
        first = first + number;
        second = second + number;
      }
    }

    @Operation
    public int read() {
      try (Ticket _ = order.enter(Selection.all(), Kind.READ)) {
        return first + 1000 * second;
      }
    }

    /** Without a ticket, if no writer is there. */
    @Operation
    public int peek() {
      long stamp = order.stamp();
      int found = first + 1000 * second;
      return order.validate(stamp) ? found : read();
    }
  }

  /** What the operations mean. */
  public static class Model {
    private int first;
    private int second;

    public int addToFirst(int number) {
      first += number;
      return first;
    }

    public int addToSecond(int number) {
      second += number;
      return second;
    }

    public void addToBoth(int number) {
      first += number;
      second += number;
    }

    public int read() {
      return first + 1000 * second;
    }

    public int peek() {
      return read();
    }
  }
}
