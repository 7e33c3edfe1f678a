package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
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
  void a_failure_is_thrown_only_when_no_task_runs_any_more() {
    try (WorkerPool pool = new WorkerPool(2)) {
      AtomicInteger ended = new AtomicInteger();
      List<Callable<Integer>> tasks = new ArrayList<>();
      tasks.add(() -> {
        throw new IllegalArgumentException("first");
      });
      for (int i = 0; i < 20; i++) {
        tasks.add(() -> {
          Thread.sleep(2);
          return ended.incrementAndGet();
        });
      }
      assertEquals(
          "first",
          assertThrows(IllegalArgumentException.class, () -> pool.runAll(tasks)).getMessage());
      assertEquals(20, ended.get());
    }
  }
}
