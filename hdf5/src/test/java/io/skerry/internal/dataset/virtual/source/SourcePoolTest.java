package io.skerry.internal.dataset.virtual.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.internal.dataset.HdfFile;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourcePoolTest {
  private final List<String> closed = new ArrayList<>();

  /** Returns a file that supports only the close operation. */
  private HdfFile file(String name, Runnable closing) {
    return (HdfFile)
        Proxy.newProxyInstance(
            HdfFile.class.getClassLoader(),
            new Class<?>[] {HdfFile.class},
            (_, method, _) -> {
              assertEquals("close", method.getName());
              closed.add(name);
              closing.run();
              return null;
            });
  }

  private void open(SourcePool pool, String name, Runnable closing) {
    Path path = Path.of("/" + name);
    var unused =
        pool.at(new Found(path, path), name, key -> OpenSource.of(key, file(name, closing)));
  }

  @Test
  void the_least_recently_used_file_is_closed() {
    SourcePool pool = SourcePool.of(2);
    open(pool, "a", () -> {});
    open(pool, "b", () -> {});
    assertTrue(pool.byName("a").isPresent());
    open(pool, "c", () -> {});
    assertEquals(List.of("b"), closed);
  }

  @Test
  void all_files_are_closed_even_if_some_cannot_be_closed() {
    SourcePool pool = SourcePool.of(4);
    RuntimeException first = new IllegalStateException("a stays open");
    RuntimeException second = new IllegalStateException("b stays open");
    open(
        pool,
        "a",
        () -> {
          throw first;
        });
    open(
        pool,
        "b",
        () -> {
          throw second;
        });
    open(pool, "c", () -> {});
    assertSame(first, assertThrows(IllegalStateException.class, pool::close));
    assertEquals(List.of(second), List.of(first.getSuppressed()));
    assertEquals(List.of("a", "b", "c"), closed);
    pool.close();
    assertEquals(3, closed.size());
  }

  @Test
  void sources_of_sources_count_against_the_limit_of_the_first_pool() {
    SourcePool pool = SourcePool.of(8);
    for (String name : List.of("a", "b", "c")) {
      SourcePool below = pool.below(4);
      open(pool, name, below::close);
      for (int i = 0; i < 4; i++) {
        open(below, name + i, () -> {});
      }
    }
    // The third file of the first pool is the eleventh in all pools.
    assertEquals(List.of("a", "a0", "a1", "a2", "a3"), closed.subList(0, 5));
    assertTrue(pool.byName("c").isPresent());
    assertTrue(15 - closed.size() <= 8, "closed: " + closed);
  }

  @Test
  void a_pool_below_closes_its_own_files_if_its_file_is_the_only_one_of_the_first_pool() {
    SourcePool pool = SourcePool.of(3);
    SourcePool below = pool.below(8);
    open(pool, "a", below::close);
    for (int i = 0; i < 4; i++) {
      open(below, "a" + i, () -> {});
    }
    assertEquals(List.of("a0", "a1"), closed);
    pool.close();
    assertEquals(List.of("a0", "a1", "a", "a2", "a3"), closed);
  }
}
