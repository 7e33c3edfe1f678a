package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests collective calls of several ranks from a thread that did not open the file. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ForeignThreadTest {
  @TempDir Path folder;

  private static Throwable thrownElsewhere(Runnable action) throws InterruptedException {
    List<Throwable> thrown = new ArrayList<>();
    Thread.ofPlatform()
        .name("an-intruder")
        .start(() -> {
          try {
            action.run();
            thrown.add(new AssertionError("nothing thrown"));
          } catch (RuntimeException e) {
            thrown.add(e);
          }
        })
        .join();
    return thrown.getFirst();
  }

  private static Map<String, Runnable> collectiveCalls(H5File file, Dataset data, Dataset flat) {
    Selection all = Selection.all();
    Map<String, Runnable> calls = new TreeMap<>();
    calls.put("create a group", () -> file.createGroup("/intruded"));
    calls.put(
        "create a dataset",
        () -> file.createDataset("/intruded", DatasetSpec.of(Datatype.I32, Shape.of(4))));
    calls.put("commit a type", () -> file.createDatatype("/intruded", Datatype.I32));
    calls.put("open an object", () -> file.object("/data"));
    calls.put("link", () -> file.createHardLink("/intruded", "/data"));
    calls.put("link softly", () -> file.createSoftLink("/intruded", "/data"));
    calls.put("unlink", () -> file.unlink("/data"));
    calls.put("move", () -> file.move("/data", "/intruded"));
    calls.put("copy", () -> file.copy("/data", file, "/intruded"));
    calls.put("write", () -> data.write(all, new int[8]));
    calls.put("write in one block", () -> flat.write(all, new int[4]));
    calls.put("write values", () -> data.writeValues(all, List.of()));
    calls.put("read", () -> data.readInts(all));
    calls.put("read from one block", () -> flat.readInts(all));
    calls.put("read values", () -> data.readValues(all));
    calls.put("ask what is defined", () -> data.defined(all));
    calls.put("erase", () -> data.erase(all));
    calls.put("extend", () -> data.extend(16));
    calls.put("look at chunks", data::chunks);
    calls.put("ask for statistics", data::statistics);
    calls.put("set an attribute", () -> data.setAttribute(Attribute.of("intruded", 1)));
    calls.put(
        "set values of an attribute",
        () ->
            data.setAttribute(
                "intruded",
                Datatype.I32,
                Shape.scalar(),
                List.of(new Value.Whole(BigInteger.ONE))));
    calls.put("flush", file::flush);
    calls.put("close", file::close);
    calls.put("discard", file::discard);
    return calls;
  }

  @Test
  void collective_calls_of_another_thread_are_refused_and_the_job_continues() {
    Path path = folder.resolve("shared.h5");
    LocalRanks.run(
        2,
        ranks -> {
          try (H5File file = H5File.create(path, ranks)) {
            Dataset data =
                file.createDataset(
                    "/data", DatasetSpec.of(Datatype.I32, Shape.of(8).unlimited(0)).sparse(4));
            Dataset flat = file.createDataset("/flat", DatasetSpec.of(Datatype.I32, Shape.of(4)));
            int rank = ranks.rank();
            if (rank == 1) {
              for (Map.Entry<String, Runnable> call :
                  collectiveCalls(file, data, flat).entrySet()) {
                Throwable thrown = thrownElsewhere(call.getValue());
                assertInstanceOf(IllegalStateException.class, thrown, call.getKey());
                String text = String.valueOf(thrown.getMessage());
                assertTrue(text.contains("thread=an-intruder owner=rank-1"), call.getKey() + text);
                assertTrue(text.contains("operation="), text);
                assertTrue(text.contains("file=" + path), text);
              }
            }
            // The other rank may make this call much earlier or later, and is not affected.
            data.write(
                Selection.at(4L * rank).extent(4), new int[] {rank, rank + 1, rank + 2, rank + 3});
            flat.write(Selection.at(2L * rank).extent(2), new int[] {rank, 7});
            data.setAttribute(Attribute.of("of", "all"));
            assertArrayEquals(new int[] {0, 1, 2, 3, 1, 2, 3, 4}, data.readInts(Selection.all()));
            file.flush();
          }
        });
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(
          new int[] {0, 1, 2, 3, 1, 2, 3, 4}, file.dataset("/data").readInts(Selection.all()));
      assertArrayEquals(new int[] {0, 7, 1, 7}, file.dataset("/flat").readInts(Selection.all()));
      assertEquals(2, file.root().links().size());
      assertEquals("all", file.dataset("/data").attributes().getFirst().text());
    }
  }

  @Test
  void a_file_of_one_rank_accepts_any_thread_and_another_thread_can_close_it()
      throws InterruptedException {
    Path path = folder.resolve("alone.h5");
    H5File file = H5File.create(path);
    List<Throwable> thrown = new ArrayList<>();
    Thread worker =
        Thread.ofPlatform()
            .uncaughtExceptionHandler((_, e) -> thrown.add(e))
            .start(() -> {
              Dataset data =
                  file.createDataset("/data", DatasetSpec.of(Datatype.I32, Shape.of(8)).sparse(4));
              data.write(Selection.at(2).extent(3), new int[] {5, 6, 7});
              data.setAttribute(Attribute.of("by", "another"));
              file.close();
            });
    worker.join();
    assertEquals(List.of(), thrown);
    file.close();
    try (H5File again = H5File.open(path)) {
      assertArrayEquals(
          new int[] {0, 0, 5, 6, 7, 0, 0, 0}, again.dataset("/data").readInts(Selection.all()));
    }
  }
}
