package io.skerry.collective.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.parallel.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FileGateTest {

  private static FileGate gate(int ranks) {
    return new FileGate(OwnerThread.here(ranks, "some.h5"));
  }

  private static Throwable thrownInAnotherThread(Runnable action) throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>(new AssertionError("nothing thrown"));
    Thread.ofPlatform()
        .name("another-thread")
        .start(() -> {
          try {
            action.run();
          } catch (RuntimeException e) {
            thrown.set(e);
          }
        })
        .join();
    return thrown.get();
  }

  @Test
  void on_several_ranks_another_thread_is_refused_with_both_threads_operation_and_file()
      throws Exception {
    FileGate gate = gate(2);
    assertEquals(7, gate.collectively(Operation.FLUSH, "", () -> 7));
    Throwable refusal =
        thrownInAnotherThread(() -> gate.collectively(Operation.WRITE, "/data", () -> 7));
    assertEquals(IllegalStateException.class, refusal.getClass());
    for (String part :
        List.of(
            "another-thread",
            Thread.currentThread().getName(),
            "operation=WRITE",
            "file=some.h5",
            "object=/data")) {
      assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
    }
  }

  @Test
  void a_single_rank_admits_any_thread_one_at_a_time() throws InterruptedException {
    FileGate gate = gate(1);
    int[] count = {0};
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int n = 0; n < 10_000; n++) {
                  gate.collectively(Operation.USER, "", () -> gate.exclusively(() -> count[0]++));
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(40_000, count[0]);
  }

  @Test
  void exclusive_actions_of_other_threads_wait_for_a_collective_operation()
      throws InterruptedException {
    FileGate gate = gate(2);
    CountDownLatch looked = new CountDownLatch(1);
    Thread reader = Thread.ofPlatform().unstarted(() -> gate.exclusively(looked::countDown));
    gate.collectively(
        Operation.CREATE_OBJECT,
        "/group",
        () -> {
          reader.start();
          while (reader.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
          }
          assertEquals(1, looked.getCount());
        });
    looked.await();
    reader.join();
  }

  @Test
  void entering_does_not_wait_for_an_exclusive_action() throws InterruptedException {
    FileGate gate = gate(1);
    CountDownLatch out = new CountDownLatch(1);
    gate.exclusively(() -> {
      Thread.ofPlatform()
          .start(() -> {
            gate.enter();
            gate.leave();
            out.countDown();
          });
      try {
        assertTrue(out.await(30, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    });
  }

  @Test
  void calls_after_closing_fail() {
    FileGate gate = gate(1);
    gate.enter();
    gate.leave();
    List<String> done = new ArrayList<>();
    gate.close(() -> {}, () -> done.add("closed"));
    gate.close(() -> {}, () -> done.add("closed again"));
    assertEquals(List.of("closed"), done);
    for (Executable late :
        List.<Executable>of(
            gate::enter,
            () -> gate.exclusively(() -> done.add("late")),
            () -> gate.collectively(Operation.READ, "", () -> done.add("late")),
            () ->
                FileGate.collectively(Operation.COPY, "", gate(1), gate, () -> done.add("late")))) {
      IllegalStateException refusal = assertThrows(IllegalStateException.class, late);
      assertEquals("the file is closed: file=some.h5", refusal.getMessage());
    }
    assertEquals(List.of("closed"), done);
  }

  @Test
  void the_closing_thread_has_access_during_the_last_steps() {
    FileGate gate = gate(1);
    List<String> done = new ArrayList<>();
    gate.close(() -> {}, () -> gate.exclusively(() -> done.add("flushed")));
    FileGate abandoned = gate(2);
    abandoned.collectively(
        Operation.WRITE,
        "",
        () -> {
          abandoned.closeWithin();
          abandoned.exclusively(() -> done.add("released"));
        });
    assertEquals(List.of("flushed", "released"), done);
    assertThrows(IllegalStateException.class, () -> abandoned.exclusively(() -> done.add("late")));
  }

  @Test
  void two_files_are_locked_in_any_order_without_a_deadlock() throws InterruptedException {
    FileGate one = gate(1);
    FileGate other = gate(1);
    int[] count = {0};
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      boolean odd = i % 2 == 1;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int n = 0; n < 5_000; n++) {
                  FileGate.collectively(
                      Operation.COPY, "", odd ? one : other, odd ? other : one, () -> count[0]++);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(20_000, count[0]);
  }

  @Test
  void linked_files_share_a_lock_and_are_closed_separately() {
    FileGate gate = gate(1);
    FileGate linked = gate.sharedWith(OwnerThread.here(1, "linked.h5"));
    assertEquals(3, FileGate.collectively(Operation.COPY, "", gate, linked, () -> 3));
    linked.close(() -> {}, () -> {});
    assertThrows(IllegalStateException.class, linked::enter);
    gate.enter();
    gate.leave();
    assertEquals(4, gate.exclusively(() -> 4));
  }

  @Test
  void a_file_whose_first_closing_step_fails_remains_open() {
    FileGate gate = gate(1);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            gate.close(
                () -> {
                  throw new IllegalArgumentException("another rank writes");
                },
                () -> {}));
    gate.enter();
    gate.leave();
    List<String> done = new ArrayList<>();
    gate.exclusively(() -> done.add("inside"));
    assertEquals(List.of("inside"), done);
  }
}
