package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.CacheOptions;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.internal.file.NativeFile;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a file that several threads of one rank use concurrently. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SharedFileTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  @TempDir Path folder;

  /** Threads whose failures are reported at the end. */
  private static final class Threads {
    private final List<Thread> started = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    Thread start(Runnable task) {
      Thread thread =
          Thread.ofPlatform().uncaughtExceptionHandler((_, e) -> failures.add(e)).start(task);
      started.add(thread);
      return thread;
    }

    void join() throws InterruptedException {
      for (Thread thread : started) {
        thread.join();
      }
      if (!failures.isEmpty()) {
        throw new AssertionError(failures.size() + " threads failed", failures.peek());
      }
    }
  }

  private static FileOptions options(long cacheBytes) {
    return FileOptions.standard()
        .withWorkers(2)
        .withCache(CacheOptions.standard().withFixedSize(cacheBytes));
  }

  private static int[] filled(int value) {
    int[] values = new int[64];
    Arrays.fill(values, value);
    return values;
  }

  private static List<DatasetSpec> layouts() {
    Shape shape = Shape.of(64);
    return List.of(
        DatasetSpec.of(Datatype.I32, shape).chunked(16),
        DatasetSpec.of(Datatype.I32, shape).chunked(16).filters(Filters.deflate(1)),
        DatasetSpec.of(Datatype.I32, shape).sparse(16),
        DatasetSpec.of(Datatype.I32, shape).contiguous(),
        DatasetSpec.of(Datatype.I32, shape).compact());
  }

  private static boolean isRefusal(RuntimeException e) {
    Throwable reason = e instanceof CollectiveException told ? told.getCause() : e;
    return reason instanceof IllegalStateException
        && String.valueOf(reason.getMessage()).contains("closed");
  }

  @Test
  void closing_waits_for_running_operations_and_refuses_later_ones() throws Exception {
    int rounds = THOROUGH ? 20 : 8;
    for (int round = 0; round < rounds; round++) {
      Path path = folder.resolve("closed" + round + ".h5");
      H5File file =
          H5File.create(path, Communicator.self(), options(round % 2 == 0 ? 300 : 1 << 20));
      List<Dataset> datasets = new ArrayList<>();
      for (DatasetSpec spec : layouts()) {
        datasets.add(file.createDataset("/of" + datasets.size(), spec));
        datasets.getLast().write(Selection.all(), filled(1));
      }
      Threads threads = new Threads();
      CountDownLatch begun = new CountDownLatch(2 * datasets.size() + 1);
      AtomicInteger refused = new AtomicInteger();
      for (Dataset dataset : datasets) {
        threads.start(() -> {
          begun.countDown();
          try {
            while (true) {
              int[] read = dataset.readInts(Selection.all());
              assertArrayEquals(filled(read[0]), read, dataset.path());
            }
          } catch (CollectiveException | IllegalStateException e) {
            assertTrue(isRefusal(e), () -> dataset.path() + ": " + e);
            refused.incrementAndGet();
          }
        });
        threads.start(() -> {
          begun.countDown();
          try {
            for (int n = 2; true; n++) {
              dataset.write(Selection.all(), filled(n));
            }
          } catch (CollectiveException | IllegalStateException e) {
            assertTrue(isRefusal(e), () -> dataset.path() + ": " + e);
            refused.incrementAndGet();
          }
        });
      }
      threads.start(() -> {
        begun.countDown();
        try {
          for (int n = 0; true; n++) {
            Group group = file.createGroup("/g" + n);
            group.setAttribute(Attribute.of("n", n));
            assertEquals(n, file.object("/g" + n).attributes().getFirst().longs()[0]);
          }
        } catch (CollectiveException | IllegalStateException e) {
          assertTrue(isRefusal(e), e::toString);
          refused.incrementAndGet();
        }
      });
      begun.await();
      // The file is closed a little later in each round.
      Thread.sleep(round);
      Thread other = threads.start(file::close);
      file.close();
      other.join();
      assertThrows(IllegalStateException.class, () -> file.createGroup("/late"));
      threads.join();
      assertEquals(2 * datasets.size() + 1, refused.get());
      List<String> findings = new ArrayList<>();
      var unused = Verification.of(path, finding -> findings.add(finding.toString()));
      assertEquals(List.of(), findings);
      try (H5File again = H5File.open(path)) {
        for (Dataset dataset : datasets) {
          int[] read = again.dataset(dataset.path()).readInts(Selection.all());
          assertArrayEquals(filled(read[0]), read, dataset.path());
        }
      }
    }
  }

  @Test
  void deleting_a_dataset_in_use_does_not_affect_other_datasets() throws Exception {
    Path path = folder.resolve("deleted.h5");
    try (H5File file = H5File.create(path, Communicator.self(), options(500))) {
      Dataset kept = file.createDataset("/kept", layouts().getFirst());
      kept.write(Selection.all(), filled(7));
      int rounds = THOROUGH ? 60 : 20;
      for (int round = 0; round < rounds; round++) {
        DatasetSpec spec = layouts().get(round % layouts().size());
        Dataset doomed = file.createDataset("/doomed", spec);
        Threads threads = new Threads();
        CountDownLatch begun = new CountDownLatch(2);
        threads.start(() -> {
          begun.countDown();
          try {
            for (int n = 1; true; n++) {
              doomed.write(Selection.all(), filled(n));
            }
          } catch (CollectiveException | IllegalStateException e) {
            // The dataset was deleted.
          }
        });
        threads.start(() -> {
          begun.countDown();
          try {
            while (true) {
              int[] read = doomed.readInts(Selection.all());
              assertArrayEquals(filled(read[0]), read);
            }
          } catch (CollectiveException | IllegalStateException e) {
            // The dataset was deleted.
          }
        });
        begun.await();
        kept.write(Selection.all(), filled(round));
        file.unlink("/doomed");
        file.flush();
        Dataset next = file.createDataset("/next" + round, spec);
        next.write(Selection.all(), filled(-round));
        threads.join();
        file.flush();
        assertArrayEquals(filled(round), kept.readInts(Selection.all()));
      }
      for (int round = 0; round < rounds; round++) {
        assertArrayEquals(
            filled(-round), file.dataset("/next" + round).readInts(Selection.all()), "" + round);
      }
    }
    List<String> findings = new ArrayList<>();
    var unused = Verification.of(path, finding -> findings.add(finding.toString()));
    assertEquals(List.of(), findings);
  }

  @Test
  void the_extent_is_readable_during_a_long_operation() throws Exception {
    try (H5File file = H5File.create(folder.resolve("told.h5"))) {
      Dataset data = file.createDataset("/data", layouts().getFirst());
      CountDownLatch told = new CountDownLatch(1);
      Threads threads = new Threads();
      ((NativeFile) Connectors.stored(file))
          .gate()
          .exclusively(() -> {
            threads.start(() -> {
              assertEquals(64, data.shape().extent(0));
              assertEquals(Datatype.I32, data.datatype());
              assertEquals("/data", data.path());
              assertTrue(!data.isNull() && !data.isSparse());
              told.countDown();
            });
            try {
              assertTrue(told.await(60, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });
      threads.join();
    }
  }

  @Test
  void concurrent_copies_in_both_directions_terminate() throws Exception {
    try (H5File one = H5File.create(folder.resolve("one.h5"));
        H5File other = H5File.create(folder.resolve("other.h5"))) {
      one.createDataset("/data", layouts().getFirst()).write(Selection.all(), filled(1));
      other.createDataset("/data", layouts().getFirst()).write(Selection.all(), filled(2));
      Threads threads = new Threads();
      threads.start(() -> {
        for (int n = 0; n < 40; n++) {
          one.copy("/data", other, "/from-one" + n);
        }
      });
      threads.start(() -> {
        for (int n = 0; n < 40; n++) {
          other.copy("/data", one, "/from-other" + n);
        }
      });
      threads.join();
      for (int n = 0; n < 40; n++) {
        assertArrayEquals(filled(2), one.dataset("/from-other" + n).readInts(Selection.all()));
        assertArrayEquals(filled(1), other.dataset("/from-one" + n).readInts(Selection.all()));
      }
    }
  }

  @Test
  void an_attribute_set_by_all_threads_has_the_content_of_one_of_them() throws Exception {
    Path path = folder.resolve("attribute.h5");
    try (H5File file = H5File.create(path)) {
      Threads threads = new Threads();
      for (int i = 0; i < 4; i++) {
        String text = Integer.toString(i).repeat(50 + i);
        threads.start(() -> {
          for (int n = 0; n < 50; n++) {
            file.root()
                .setAttribute(
                    "shared",
                    VariableLength.string(CharacterSet.UTF8),
                    Shape.scalar(),
                    List.of(new Value.Text(text)));
            if (n % 10 == 0) {
              file.flush();
            }
          }
        });
      }
      threads.join();
    }
    List<String> findings = new ArrayList<>();
    var unused = Verification.of(path, finding -> findings.add(finding.toString()));
    assertEquals(List.of(), findings);
    try (H5File file = H5File.open(path)) {
      Value value = file.root().attributes().getFirst().values(file.contents()).getFirst();
      String text = ((Value.Text) value).value();
      assertEquals(text.substring(0, 1).repeat(50 + Integer.parseInt(text.substring(0, 1))), text);
    }
  }

  @Test
  void files_behind_external_links_and_virtual_sources_are_usable_by_all_threads()
      throws Exception {
    int writes = THOROUGH ? 40 : 15;
    try (H5File target = H5File.create(folder.resolve("target.h5"))) {
      target.createDataset("/data", layouts().getFirst()).write(Selection.all(), filled(5));
    }
    try (H5File file = H5File.create(folder.resolve("linking.h5"))) {
      file.createExternalLink("/there", "target.h5", "/data");
    }
    try (H5File file = H5File.openForWriting(folder.resolve("linking.h5"), Communicator.self())) {
      Threads threads = new Threads();
      AtomicBoolean done = new AtomicBoolean();
      for (int i = 0; i < 3; i++) {
        int member = i;
        threads.start(() -> {
          for (int n = 0; n < writes; n++) {
            Dataset there = file.dataset("/there");
            assertEquals("target.h5", there.file().path().getFileName().toString());
            int[] read = there.readInts(Selection.all());
            assertArrayEquals(filled(read[0]), read);
            there.write(Selection.all(), filled(n));
            there.setAttribute(Attribute.of("of" + member, n));
            file.copy("/there", file, "/copy" + member + "-" + n);
          }
          done.set(true);
        });
      }
      threads.join();
      assertTrue(done.get());
      assertEquals(3, file.dataset("/there").attributes().size());
      assertEquals(1 + 3 * writes, file.root().links().size());
    }
  }
}
