package io.skerry.cache.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {
  @Test
  void results_come_in_task_order() {
    try (WorkerPool pool = new WorkerPool(3)) {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        int number = i;
        tasks.add(() -> number * number);
      }
      List<Integer> results = pool.runAll(tasks);
      for (int i = 0; i < 100; i++) {
        assertEquals(i * i, results.get(i));
      }
    }
  }

  @Test
  void objects_of_finished_tasks_can_be_collected_if_no_helper_ever_ran()
      throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(1);
    try (WorkerPool pool = new WorkerPool(2)) {
      pool.whenIdle(() -> await(busy));
      try {
        WeakReference<byte[]> used = runWithBytes(pool);
        for (int i = 0; i < 100 && used.get() != null; i++) {
          System.gc();
          // A thread of the collector clears references some time after the collection.
          Thread.sleep(10);
        }
        assertNull(used.get());
      } finally {
        busy.countDown();
      }
    }
  }

  private static WeakReference<byte[]> runWithBytes(WorkerPool pool) {
    byte[] bytes = new byte[1 << 20];
    List<byte[]> same = pool.runAll(List.of(() -> bytes, () -> bytes));
    assertEquals(2, same.size());
    return new WeakReference<>(bytes);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_closed_pool_leaves_the_work_to_the_caller() {
    WorkerPool pool = new WorkerPool(2);
    pool.close();
    assertEquals(List.of(1, 2), pool.runAll(List.of(() -> 1, () -> 2)));
  }

  @Test
  void a_failure_is_thrown_after_all_started_tasks_have_ended() {
    try (WorkerPool pool = new WorkerPool(3)) {
      AtomicInteger started = new AtomicInteger();
      AtomicInteger ended = new AtomicInteger();
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        int index = i;
        tasks.add(() -> {
          if (index == 10) {
            throw new IllegalArgumentException("eleventh");
          }
          started.incrementAndGet();
          // Long enough for other tasks to be running when the eleventh has failed.
          Thread.sleep(2);
          return ended.incrementAndGet();
        });
      }
      assertEquals(
          "eleventh",
          assertThrows(IllegalArgumentException.class, () -> pool.runAll(tasks)).getMessage());
      assertEquals(started.get(), ended.get());
      assertTrue(ended.get() >= 10, () -> "ended: " + ended.get());
    }
  }

  @Test
  void tasks_behind_a_failed_one_are_not_started() {
    AtomicInteger started = new AtomicInteger();
    List<Callable<Integer>> tasks =
        Collections.nCopies(
            1_000_000,
            () -> {
              if (started.incrementAndGet() == 3) {
                throw new IllegalStateException("third");
              }
              return 0;
            });
    for (int workers : new int[] {1, 3}) {
      started.set(0);
      try (WorkerPool pool = new WorkerPool(workers)) {
        IllegalStateException thrown =
            assertThrows(IllegalStateException.class, () -> pool.runAll(tasks));
        assertEquals("third", thrown.getMessage());
      }
      int count = started.get();
      assertTrue(workers == 1 ? count == 3 : count < tasks.size(), () -> "started: " + count);
    }
  }

  @Test
  void tasks_can_run_nested_tasks_while_all_threads_are_busy() {
    try (WorkerPool pool = new WorkerPool(2)) {
      List<Callable<Integer>> inner = List.of(() -> 1, () -> 2, () -> 3);
      List<Callable<Integer>> outer = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        outer.add(() -> pool.runAll(inner).stream().mapToInt(n -> n).sum());
      }
      assertEquals(300, pool.runAll(outer).stream().mapToInt(n -> n).sum());
    }
  }

  @Test
  void a_pool_of_one_worker_runs_all_tasks_on_the_calling_thread() {
    try (WorkerPool pool = new WorkerPool(1)) {
      List<Callable<Thread>> tasks = List.of(Thread::currentThread, Thread::currentThread);
      assertEquals(List.of(Thread.currentThread(), Thread.currentThread()), pool.runAll(tasks));
    }
  }

  @Test
  void memory_confined_to_the_caller_is_accessed_only_by_the_caller() {
    try (WorkerPool pool = new WorkerPool(3);
        Arena arena = Arena.ofConfined()) {
      MemorySegment mine = arena.allocate(100);
      List<Callable<Byte>> tasks = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        int at = i;
        tasks.add(() -> {
          mine.set(ValueLayout.JAVA_BYTE, at, (byte) at);
          return mine.get(ValueLayout.JAVA_BYTE, at);
        });
      }
      assertEquals((byte) 99, pool.runAll(List.of(MemorySegment.NULL, mine), tasks).get(99));
    }
  }

  @Test
  void an_error_of_a_task_reaches_the_caller() {
    try (WorkerPool pool = new WorkerPool(2)) {
      List<Callable<Integer>> tasks = List.of(() -> 1, () -> throwError());
      assertThrows(StackOverflowError.class, () -> pool.runAll(tasks));
    }
  }

  private static int throwError() {
    throw new StackOverflowError("made up");
  }

  @Test
  void helpers_start_while_the_caller_continues() throws InterruptedException {
    try (WorkerPool pool = new WorkerPool(2)) {
      CountDownLatch first = new CountDownLatch(1);
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        int number = i;
        tasks.add(() -> {
          first.countDown();
          return number;
        });
      }
      try (WorkerPool.Begun<Integer> begun = pool.begin(List.of(), tasks)) {
        assertTrue(first.await(20, TimeUnit.SECONDS), "nobody began");
        assertEquals(IntStream.range(0, 50).boxed().toList(), begun.results());
      }
    }
  }

  @Test
  void dropped_tasks_have_ended_or_never_start() throws InterruptedException {
    try (WorkerPool pool = new WorkerPool(3)) {
      for (int round = 0; round < 200; round++) {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger begunTasks = new AtomicInteger();
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          tasks.add(() -> {
            begunTasks.incrementAndGet();
            running.incrementAndGet();
            Thread.yield();
            return running.decrementAndGet();
          });
        }
        WorkerPool.Begun<Integer> begun = pool.begin(List.of(), tasks);
        begun.close();
        int ended = begunTasks.get();
        assertEquals(0, running.get());
        Thread.yield();
        assertEquals(ended, begunTasks.get());
      }
    }
  }

  @Test
  void tasks_with_memory_of_the_caller_are_not_started_by_other_threads() {
    Thread caller = Thread.currentThread();
    try (WorkerPool pool = new WorkerPool(2);
        Arena own = Arena.ofConfined()) {
      Callable<Boolean> here = () -> Thread.currentThread() == caller;
      try (WorkerPool.Begun<Boolean> begun =
          pool.begin(List.of(own.allocate(8)), List.of(here, here))) {
        assertEquals(List.of(true, true), begun.results());
      }
    }
  }
}
