package io.skerry.cache.scheduling;

import static io.skerry.cache.scheduling.RequestOrder.Kind.READ;
import static io.skerry.cache.scheduling.RequestOrder.Kind.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.RequestInterruptedException;
import io.skerry.cache.Requester;
import io.skerry.cache.Requester.Stage;
import io.skerry.cache.Task;
import io.skerry.cache.scheduling.RequestOrder.Kind;
import io.skerry.cache.scheduling.RequestOrder.Ticket;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RequestOrderTest {
  private final WaitForGraph waits = new WaitForGraph();
  private final RequestOrder order = new RequestOrder("/a", 1, waits);

  private static Selection range(long start, long end) {
    return Selection.at(start).extent(end - start);
  }

  private Requester<Ticket> running(Selection selection, Kind kind) {
    return Requester.running(() -> order.enter(selection, kind));
  }

  private Requester<Ticket> waiting(Selection selection, Kind kind) {
    return Requester.waiting(() -> order.enter(selection, kind));
  }

  @Test
  void a_writer_waits_for_a_reader_of_the_same_element() {
    Requester<Ticket> reader = running(range(0, 10), READ);
    Requester<Ticket> writer = waiting(range(9, 20), WRITE);
    reader.end();
    writer.awaitRunning();
    writer.end();
    assertEquals(0, order.unfinished());
  }

  @Test
  void readers_and_writers_of_different_elements_run_concurrently() {
    Requester<Ticket> first = running(range(0, 10), READ);
    Requester<Ticket> second = running(range(5, 15), READ);
    Requester<Ticket> third = running(range(15, 20), WRITE);
    Requester<Ticket> fourth = running(range(20, 30), WRITE);
    assertEquals(4, order.unfinished());
    List.of(fourth, first, third, second).forEach(Requester::end);
  }

  @Test
  void requests_with_overlapping_bounding_boxes_conflict_only_in_common_elements() {
    running(Selection.at(0).stride(3).count(50), WRITE);
    Requester<Ticket> next = running(Selection.at(1).stride(3).count(50), WRITE);
    running(Selection.points(new long[][] {{98}, {2}}), WRITE);
    Requester<Ticket> common = waiting(Selection.points(new long[][] {{5}, {7}}), READ);
    next.end();
    common.awaitRunning();
  }

  @Test
  void a_reader_behind_a_waiting_writer_waits_although_only_readers_run() {
    Requester<Ticket> reader = running(range(0, 10), READ);
    Requester<Ticket> writer = waiting(range(5, 15), WRITE);
    Requester<Ticket> late = waiting(range(12, 13), READ);
    Requester<Ticket> elsewhere = running(range(0, 5), READ);
    reader.end();
    writer.awaitRunning();
    assertTrue(late.isWaiting());
    writer.end();
    late.awaitRunning();
    late.end();
    elsewhere.end();
  }

  @Test
  void an_interrupted_request_leaves_no_trace() {
    Requester<Ticket> reader = running(range(0, 10), READ);
    Requester<Ticket> writer = waiting(range(5, 15), WRITE);
    Requester<Ticket> late = waiting(range(5, 15), READ);
    writer.interrupt();
    late.awaitRunning();
    assertEquals(2, order.unfinished());
    assertEquals(0, order.stamp() % 2);
    reader.end();
    late.end();
    assertEquals(0, order.unfinished());
  }

  @Test
  void the_message_of_an_interrupted_request_names_the_dataset() {
    Requester<Ticket> writer = running(range(0, 1), WRITE);
    Thread.currentThread().interrupt();
    RequestInterruptedException e =
        assertThrows(RequestInterruptedException.class, () -> order.enter(Selection.all(), READ));
    assertTrue(Thread.interrupted());
    assertTrue(e.getMessage().contains("dataset=/a"), e.getMessage());
    writer.end();
    assertEquals(0, order.unfinished());
  }

  @Test
  void an_interrupted_thread_without_a_reason_to_wait_continues() {
    Thread.currentThread().interrupt();
    order.enter(Selection.all(), WRITE).close();
    assertTrue(Thread.interrupted());
  }

  @Test
  void a_request_for_the_whole_dataset_conflicts_with_every_other_even_an_empty_one() {
    Requester<Ticket> nothing = running(Selection.none(), READ);
    Requester<Ticket> resize = Requester.waiting(() -> order.enterAll(WRITE));
    Requester<Ticket> empty = waiting(Selection.at(3).extent(0), READ);
    Requester<Ticket> flush = Requester.waiting(() -> order.enterAll(READ));
    nothing.end();
    resize.awaitRunning();
    assertTrue(empty.isWaiting());
    assertTrue(flush.isWaiting());
    resize.end();
    empty.awaitRunning();
    flush.awaitRunning();
    running(range(5, 6), READ);
    waiting(range(5, 6), WRITE);
  }

  @Test
  void an_empty_request_does_not_conflict_with_a_request_for_all_elements() {
    running(Selection.all(), WRITE);
    running(Selection.none(), WRITE);
    running(Selection.at(3).extent(0), WRITE);
    waiting(Selection.at(Long.MAX_VALUE - 1), READ);
  }

  @Test
  void an_unlimited_pattern_conflicts_at_any_coordinate() {
    running(Selection.at(10).stride(10).count(Shape.UNLIMITED).block(2), WRITE);
    running(range(12, 20), WRITE);
    running(range(0, 10), WRITE);
    waiting(Selection.at(1_000_000_000_000_001L), READ);
    running(Selection.at(1_000_000_000_000_002L), READ);
    waiting(Selection.at(19).block(Shape.UNLIMITED), READ);
  }

  @Test
  void a_scalar_has_one_element() {
    RequestOrder scalar = new RequestOrder("/s", 0, waits);
    Requester<Ticket> writer = Requester.running(() -> scalar.enter(Selection.all(), WRITE));
    Requester<Ticket> reader = Requester.waiting(() -> scalar.enter(Selection.all(), READ));
    writer.end();
    reader.awaitRunning();
  }

  @Test
  void a_selection_of_another_dimensionality_is_refused_on_entry() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> order.enter(Selection.at(1, 2), WRITE));
    assertEquals("rank of a selection: dataset=/a selection=2 extent=1", e.getMessage());
    assertEquals(0, order.unfinished());
    assertEquals(0, order.stamp());
  }

  @Test
  void closing_twice_ends_one_request() {
    Ticket first = order.enter(range(0, 5), WRITE);
    Ticket second = order.enter(range(5, 10), WRITE);
    first.close();
    first.close();
    assertEquals(1, order.unfinished());
    assertEquals(1, order.stamp() % 2);
    Requester<Ticket> reader = waiting(range(9, 10), READ);
    second.close();
    reader.awaitRunning();
    assertEquals(0, order.stamp() % 2);
  }

  @Test
  void the_stamp_is_odd_while_there_is_a_writer_and_new_for_each_writer() {
    List<Long> stamps = new ArrayList<>(List.of(order.stamp()));
    Ticket reader = order.enter(Selection.all(), READ);
    assertEquals(stamps.getLast(), order.stamp());
    assertTrue(order.validate(order.stamp()));
    Requester<Ticket> waits = waiting(range(0, 1), WRITE);
    assertEquals(1, order.stamp() % 2);
    stamps.add(order.stamp());
    Requester<Ticket> second = waiting(range(1, 2), WRITE);
    assertEquals(1, order.stamp() % 2);
    assertFalse(order.validate(order.stamp()));
    stamps.add(order.stamp());
    reader.close();
    waits.awaitRunning();
    waits.end();
    second.awaitRunning();
    assertEquals(1, order.stamp() % 2);
    second.end();
    assertEquals(0, order.stamp() % 2);
    stamps.add(order.stamp());
    assertEquals(stamps.stream().distinct().toList(), stamps);
    assertFalse(order.validate(stamps.getFirst()));
    assertTrue(order.validate(stamps.getLast()));
  }

  @Test
  void two_readers_that_check_the_stamp_only_before_reading_may_disagree_about_two_writers() {
    AtomicReferenceArray<String> chunks = new AtomicReferenceArray<>(new String[] {"", ""});
    long stamp = order.stamp();
    Ticket v = order.enter(Selection.points(new long[][] {{0}, {10}}), WRITE);
    Ticket w = order.enter(Selection.points(new long[][] {{1}, {11}}), WRITE);
    chunks.accumulateAndGet(0, "V", String::concat);
    chunks.accumulateAndGet(1, "W", String::concat);
    assertEquals("V", chunks.get(0), "one reader: V and not W");
    assertEquals("W", chunks.get(1), "another reader: W and not V");
    assertFalse(order.validate(stamp));
    chunks.accumulateAndGet(0, "W", String::concat);
    chunks.accumulateAndGet(1, "V", String::concat);
    v.close();
    w.close();
    assertFalse(order.validate(stamp));
    assertTrue(order.validate(order.stamp()));
  }

  @Test
  void a_thread_that_would_wait_for_itself_is_refused() {
    Ticket mine = order.enter(range(0, 10), READ);
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> order.enter(range(5, 6), WRITE));
    assertEquals(
        "the thread would wait for its own request:"
            + " refused=request 2 (WRITE) of /a waitsFor=request 1 (READ) of /a",
        e.getMessage());
    assertEquals(1, order.unfinished());
    assertEquals(0, order.stamp() % 2);
    order.enter(range(5, 6), READ).close();
    order.enter(range(10, 16), WRITE).close();
    mine.close();
  }

  @Test
  void a_thread_that_would_wait_for_a_writer_that_waits_for_it_is_refused() {
    Ticket mine = order.enter(range(0, 10), READ);
    Requester<Ticket> writer = waiting(range(5, 15), WRITE);
    assertThrows(IllegalStateException.class, () -> order.enter(range(12, 14), READ));
    mine.close();
    writer.awaitRunning();
  }

  @Test
  void a_thread_that_holds_a_request_may_wait_for_threads_that_hold_none() {
    Requester<Ticket> stranger = running(range(20, 30), WRITE);
    Requester<Ticket> nested =
        Requester.waiting(() -> {
          order.enter(range(0, 10), READ);
          return order.enter(range(25, 26), READ);
        });
    stranger.end();
    nested.awaitRunning();
  }

  @Test
  void requests_to_two_datasets_in_opposite_order_do_not_deadlock() {
    RequestOrder other = new RequestOrder("/b", 2, waits);
    Ticket mine = other.enter(Selection.at(0, 0), WRITE);
    Requester<Ticket> opposite =
        Requester.waiting(() -> {
          order.enter(range(0, 5), WRITE);
          return other.enter(Selection.all(), READ);
        });
    assertThrows(IllegalStateException.class, () -> order.enter(range(4, 5), READ));
    mine.close();
    opposite.awaitRunning();
  }

  @Test
  void a_thread_that_holds_no_request_is_not_refused_for_entering_last() {
    Requester<Ticket> stranger = running(range(20, 30), WRITE);
    CountDownLatch go = new CountDownLatch(1);
    Requester<Ticket> nested =
        Requester.start(() -> {
          try (Ticket _ = order.enter(range(0, 10), READ)) {
            Requester.until(() -> go.getCount() == 0);
            return order.enter(range(10, 20), READ);
          }
        });
    Requester.until(() -> order.unfinished() == 2);
    Requester<Ticket> writer = waiting(range(0, 30), WRITE);
    go.countDown();
    Requester.until(() -> order.unfinished() == 4);
    nested.awaitWaiting();
    // The writer now waits for the reader, which waits for the writer.
    stranger.end();
    writer.awaitRunning();
    nested.await(Stage.REFUSED);
    writer.end();
    assertEquals(0, order.unfinished());
  }

  @Test
  void a_long_comparison_of_points_delays_no_request_for_other_elements() {
    int many = 300_000;
    long[] even = LongStream.range(0, many).map(i -> 2 * i).toArray();
    long[] odd = LongStream.range(0, many).map(i -> 2 * i + 1).toArray();
    Requester<Ticket> first = running(Selection.points(1, even), WRITE);
    Selection between = Selection.points(1, odd);
    boolean seen = false;
    for (int attempt = 0; attempt < 50 && !seen; attempt++) {
      Requester<Ticket> second = Requester.start(() -> order.enter(between, WRITE));
      Requester.until(() -> order.unfinished() == 2);
      order.enter(Selection.at(2L * many), WRITE).close();
      seen = second.isInside("io.skerry.selection.IntersectionTest");
      second.awaitRunning();
      second.end();
    }
    assertTrue(seen, "no request came and went while another one was compared");
    first.end();
  }

  @Test
  void requests_that_wait_during_a_deletion_or_enter_later_are_refused() {
    Ticket deletion = order.blockAll(Kind.WRITE);
    Task<Ticket> reader = Task.start(() -> order.enter(Selection.at(3), Kind.READ)).awaitStill();
    Task<Ticket> writer = Task.start(() -> order.enterAll(Kind.WRITE)).awaitStill();
    order.end();
    deletion.close();
    for (Task<Ticket> late : List.of(reader, writer)) {
      Throwable refusal = late.failure();
      assertInstanceOf(IllegalStateException.class, refusal);
      assertTrue(refusal.getMessage().contains("deleted: dataset=/a"), refusal.getMessage());
    }
    assertThrows(IllegalStateException.class, () -> order.enter(Selection.all(), Kind.READ));
    assertEquals(0, order.unfinished());
    order.blockAll(Kind.READ).close();
  }
}
