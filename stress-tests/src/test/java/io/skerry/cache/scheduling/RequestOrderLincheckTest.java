package io.skerry.cache.scheduling;

import static io.skerry.cache.scheduling.RequestOrder.Kind.READ;
import static io.skerry.cache.scheduling.RequestOrder.Kind.WRITE;

import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.cache.scheduling.RequestOrder.Ticket;
import io.skerry.selection.Selection;
import io.skerry.stress.Linearizability;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Tests that requests to three elements, with and without tickets, are linearizable. */
class RequestOrderLincheckTest {
  @Test
  void requests_in_order_are_linearizable() {
    Linearizability.checkSwitches(Operations.class, Model.class, 100);
    Linearizability.checkRuns(Operations.class, Model.class);
  }

  /** Elements protected only by the request order, and a copy for reads without a ticket. */
  @Param(name = "start", gen = IntGen.class, conf = "0:1")
  @Param(name = "value", gen = IntGen.class, conf = "1:9")
  public static class Operations {
    private static final List<Selection> PAIRS =
        List.of(Selection.at(0).extent(2), Selection.at(1).extent(2));
    private static final List<Selection> SINGLE = List.of(Selection.at(0), Selection.at(1));

    private final RequestOrder order = new RequestOrder("/a", 1, new WaitForGraph());
    private final int[] elements = new int[3];
    private final AtomicIntegerArray published = new AtomicIntegerArray(3);

    private Ticket pair(int start, Kind kind) {
      return order.enter(PAIRS.get(start), kind);
    }

    /** Writes two adjacent elements; returns the previous value of the first. */
    @Operation
    public int write(@Param(name = "start") int start, @Param(name = "value") int value) {
      try (Ticket _ = pair(start, WRITE)) {
        int was = elements[start];
        elements[start] = value;
        elements[start + 1] = value;
        published.set(start, value);
        published.set(start + 1, value);
        return was;
      }
    }

    /** Adds to one element; does not conflict with requests to other elements. */
    @Operation
    public void add(@Param(name = "start") int start, @Param(name = "value") int value) {
      try (Ticket _ = order.enter(SINGLE.get(start), WRITE)) {
        elements[start] += value;
        published.set(start, elements[start]);
      }
    }

    @Operation
    public int read(@Param(name = "start") int start) {
      try (Ticket _ = pair(start, READ)) {
        return elements[start] * 1000 + elements[start + 1];
      }
    }

    /** Reads all elements, without a ticket if there is no writer. */
    @Operation
    public int readAll() {
      long stamp = order.stamp();
      int first = published.get(0);
      int second = published.get(1);
      int third = published.get(2);
      if (!order.validate(stamp)) {
        try (Ticket _ = order.enterAll(READ)) {
          first = elements[0];
          second = elements[1];
          third = elements[2];
        }
      }
      return (first * 1000 + second) * 1000 + third;
    }
  }

  /** The sequential model of the operations. */
  public static class Model {
    private final int[] elements = new int[3];

    public int write(int start, int value) {
      int was = elements[start];
      elements[start] = value;
      elements[start + 1] = value;
      return was;
    }

    public void add(int start, int value) {
      elements[start] += value;
    }

    public int read(int start) {
      return elements[start] * 1000 + elements[start + 1];
    }

    public int readAll() {
      return (elements[0] * 1000 + elements[1]) * 1000 + elements[2];
    }
  }
}
