package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Opaque;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a failed or diverging call of one rank fails on all ranks and no rank hangs. */
class CollectiveFailureTest {
  private static final int RANKS = 4;

  @TempDir Path folder;

  private static <T> List<T> onRanks(LocalRanks.Function<T> body) {
    AtomicReference<List<T>> answers = new AtomicReference<>(List.of());
    assertTimeoutPreemptively(
        Duration.ofSeconds(30), () -> answers.set(LocalRanks.call(RANKS, body)));
    return answers.get();
  }

  /** Asserts that a step fails with the same message on every rank, and returns the exception. */
  private static CollectiveException refused(Communicator world, Runnable step) {
    CollectiveException e = assertThrows(CollectiveException.class, step::run);
    byte[] first = world.broadcast(e.getMessage().getBytes(StandardCharsets.UTF_8), 0);
    assertEquals(new String(first, StandardCharsets.UTF_8), e.getMessage());
    return e;
  }

  private static DatasetSpec sparse() {
    return DatasetSpec.of(Datatype.I32, Shape.of(16, 16).unlimited(0)).sparse(4, 4);
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  @Test
  void a_bad_selection_on_one_rank_fails_the_write_the_erase_and_the_read_on_all() {
    onRanks(world -> {
      try (H5File file = H5File.create(file("bad.h5"), world)) {
        Dataset d = file.createDataset("/d", sparse());
        int me = world.rank();
        d.write(Selection.at(me, 0).extent(1, 16), new int[16]);
        List<Selection> bad =
            List.of(
                Selection.at(16, 0),
                Selection.at(0),
                Selection.points(new long[][] {{0, 0}, {3, 99}}),
                Selection.at(0, 0, 0));
        for (Selection wrong : bad) {
          Selection mine = me == 2 ? wrong : Selection.at(me, 3);
          int values = me == 2 && wrong == bad.get(2) ? 2 : 1;
          assertEquals(
              List.of(2), refused(world, () -> d.write(mine, new int[values])).failingRanks());
          assertEquals(List.of(2), refused(world, () -> d.erase(mine)).failingRanks());
          assertEquals(List.of(2), refused(world, () -> d.readInts(mine)).failingRanks());
          assertEquals(List.of(2), refused(world, () -> d.readDoubles(mine)).failingRanks());
          assertEquals(List.of(2), refused(world, () -> d.defined(mine)).failingRanks());
        }
        Selection huge = me == 1 ? Selection.at(0, 0).extent(1L << 40, 1L << 40) : Selection.none();
        assertEquals(List.of(1), refused(world, () -> d.readInts(huge)).failingRanks());
        refused(world, () -> d.write(Selection.at(me, 0), new int[me == 3 ? 2 : 1]));
        assertEquals(64, d.defined(Selection.all()).count(d.shape()));
      }
      return true;
    });
  }

  @Test
  void too_small_a_buffer_on_one_rank_fails_the_read_on_all() {
    onRanks(world -> {
      try (H5File file = H5File.create(file("small.h5"), world)) {
        Dataset d = file.createDataset("/d", sparse());
        for (Datatype memory : List.of(Datatype.I32, Datatype.F64)) {
          var buffer =
              java.lang.foreign.MemorySegment.ofArray(
                  new byte[world.rank() == 0 ? 7 : 16 * memory.size()]);
          assertEquals(
              List.of(0),
              refused(world, () -> d.read(Selection.at(1, 0).extent(1, 16), memory, buffer))
                  .failingRanks());
        }
      }
      return true;
    });
  }

  @Test
  void different_arguments_are_named_with_the_ranks() {
    onRanks(world -> {
      try (H5File file = H5File.create(file("args.h5"), world)) {
        boolean odd = world.rank() == 2;
        CollectiveException spec =
            refused(world, () -> file.createDataset("/d", odd ? sparse().sparse(4, 8) : sparse()));
        assertTrue(spec.getMessage().contains("chunk=[4, 8]"), spec.getMessage());
        assertTrue(spec.getMessage().contains("chunk=[4, 4]"), spec.getMessage());
        assertEquals(List.of(2), spec.failingRanks());
        Dataset d = file.createDataset("/d", sparse());
        CollectiveException extent = refused(world, () -> d.extend(odd ? 30 : 20));
        assertTrue(extent.getMessage().contains("[30, 16]"), extent.getMessage());
        assertEquals(16, d.shape().extent(0));
        String text = "x".repeat(5000);
        CollectiveException attribute =
            refused(world, () -> d.setAttribute(Attribute.of("a", odd ? text + "y" : text)));
        assertEquals(List.of(2), attribute.failingRanks());
        refused(world, () -> file.createGroup(odd ? "/x" : "/y"));
        file.createGroup("/y");
        d.extend(20);
        assertEquals(20, d.shape().extent(0));
      }
      return true;
    });
  }

  @Test
  void different_objects_in_one_call_are_refused() {
    onRanks(world -> {
      try (H5File file = H5File.create(file("objects.h5"), world)) {
        Dataset a = file.createDataset("/a", sparse());
        Dataset b = file.createDataset("/b", sparse());
        Dataset mine = world.rank() == 1 ? b : a;
        CollectiveException e = refused(world, () -> mine.extend(20));
        assertTrue(e.getMessage().contains("/a") && e.getMessage().contains("/b"), e.getMessage());
        CollectiveException open =
            refused(world, () -> file.dataset(world.rank() == 1 ? "/a" : "/b"));
        assertEquals(List.of(1), open.failingRanks());
      }
      return true;
    });
  }

  @Test
  void a_rank_that_closes_while_others_write_is_named_on_all() throws Exception {
    long before = helpers();
    List<String> messages =
        onRanks(world -> {
          try (H5File file = H5File.create(file("diverged.h5"), world)) {
            Dataset d = file.createDataset("/d", sparse());
            d.write(Selection.at(world.rank(), 0), new int[1]);
            file.flush();
            if (world.rank() == 3) {
              throw new IllegalArgumentException("a mistake of the user");
            }
            d.write(Selection.at(world.rank(), 1), new int[1]);
            return "nothing";
          } catch (CollectiveException e) {
            return e.getMessage();
          } catch (IllegalArgumentException e) {
            return e.getSuppressed()[0].getMessage();
          }
        });
    for (String message : messages) {
      assertTrue(message.contains("rank 3 is in CLOSE"), message);
      assertTrue(message.contains("rank 0 is in WRITE"), message);
    }
    try (H5File file = H5File.open(file("diverged.h5"))) {
      Dataset d = file.dataset("/d");
      assertEquals(RANKS, d.defined(Selection.all()).count(d.shape()));
    }
    for (int i = 0; i < 100 && helpers() > before; i++) {
      Thread.sleep(50);
    }
    assertEquals(before, helpers(), "threads of the abandoned file");
  }

  private static long helpers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith("skerry-"))
        .count();
  }

  @Test
  void a_file_that_cannot_be_opened_fails_on_every_rank() throws Exception {
    Path text = Files.writeString(file("text.h5"), "this is not an HDF5 file\n".repeat(100));
    Path empty = Files.createFile(file("empty.h5"));
    Path whole = file("whole.h5");
    try (H5File file = H5File.create(whole)) {
      file.createDataset("/d", sparse()).write(Selection.all(), new int[256]);
    }
    byte[] bytes = Files.readAllBytes(whole);
    Path cut = Files.write(file("cut.h5"), Arrays.copyOf(bytes, bytes.length / 3));
    Path missing = file("missing.h5");
    for (Path bad : List.of(text, empty, cut, missing, folder)) {
      onRanks(world -> {
        CollectiveException reading = refused(world, () -> H5File.open(bad, world));
        assertTrue(reading.getMessage().contains(bad.toString()), reading.getMessage());
        refused(world, () -> H5File.openForWriting(bad, world));
        return true;
      });
    }
    assertTrue(Files.notExists(missing));
    onRanks(world -> {
      refused(world, () -> H5File.create(folder, world));
      refused(world, () -> H5File.create(folder.resolve("no/such/folder/x.h5"), world));
      return true;
    });
    try (var left = Files.list(folder)) {
      assertEquals(
          List.of(), left.filter(p -> p.toString().endsWith(".journal")).toList(), "journals");
    }
  }

  @Test
  void a_file_without_write_permission_fails_on_every_rank() throws Exception {
    assumeFalse("root".equals(System.getProperty("user.name")), "root may write everything");
    Path locked = Files.createDirectory(file("locked"));
    assertTrue(locked.toFile().setWritable(false));
    onRanks(world -> refused(world, () -> H5File.create(locked.resolve("x.h5"), world)).reason());
  }

  @Test
  void a_file_open_for_writing_is_not_opened_again() {
    onRanks(world -> {
      try (H5File file = H5File.create(file("busy.h5"), world)) {
        file.createGroup("/g");
        file.flush();
        refused(world, () -> H5File.openForWriting(file("busy.h5"), world));
        refused(world, () -> H5File.create(file("busy.h5"), world));
        file.createGroup("/h");
      }
      try (H5File file = H5File.open(file("busy.h5"), world)) {
        assertEquals(2, file.root().links().size());
      }
      return true;
    });
  }

  @Test
  void nothing_is_created_in_a_file_that_is_open_for_reading() throws Exception {
    Path path = file("readonly.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/d", sparse()).write(Selection.at(1, 1), new int[] {7});
    }
    byte[] before = Files.readAllBytes(path);
    onRanks(world -> {
      try (H5File file = H5File.open(path, world)) {
        Dataset d = file.dataset("/d");
        assertThrows(IllegalStateException.class, () -> file.createGroup("/g"));
        assertThrows(IllegalStateException.class, () -> file.createDataset("/e", sparse()));
        assertThrows(IllegalStateException.class, () -> file.createSoftLink("/s", "/d"));
        assertThrows(IllegalStateException.class, () -> d.setAttribute(Attribute.of("a", "b")));
        assertThrows(IllegalStateException.class, () -> d.extend(99));
        assertThrows(IllegalStateException.class, () -> d.write(Selection.none(), new int[0]));
        assertArrayEquals(new int[] {7}, d.readInts(Selection.at(1, 1)));
      }
      return true;
    });
    assertArrayEquals(before, Files.readAllBytes(path));
  }

  @Test
  void a_dataset_that_cannot_be_made_leaves_no_trace() {
    onRanks(world -> {
      boolean written = false;
      try (H5File file = H5File.create(file("half.h5"), world)) {
        file.createGroup("/g");
        FilterSpec broken = FilterSpec.of(Filters.DEFLATE, FilterSpec.Flag.MANDATORY, 77);
        for (DatasetSpec spec :
            List.of(
                // Neither filter can be configured for such chunks.
                sparse().filters(Filters.nbit()),
                DatasetSpec.of(new Opaque(3, ""), Shape.of(8, 8))
                    .chunked(2, 2)
                    .filters(Filters.scaleOffset()))) {
          refused(world, () -> file.createDataset("/g/d", spec));
          assertEquals(0, file.group("/g").links().size());
        }
        assertThrows(IllegalArgumentException.class, () -> sparse().chunked(1L << 20, 1L << 20));
        Dataset odd = file.createDataset("/odd", sparse().filters(broken));
        odd.write(Selection.at(world.rank() == 2 ? 1 : 0, 0), new int[1]);
        written = true;
      } catch (CollectiveException e) {
        // Closing the file fails in the filter, which the next test covers.
        assertTrue(written, e.getMessage());
      }
      return true;
    });
  }

  @Test
  void a_filter_that_fails_on_one_rank_fails_the_flush_on_all_and_the_rest_is_stored_later() {
    Path path = file("filter.h5");
    onRanks(world -> {
      try (H5File file = H5File.create(path, world)) {
        Dataset good = file.createDataset("/good", sparse());
        FilterSpec unknown = FilterSpec.of(40_000, FilterSpec.Flag.MANDATORY);
        Dataset bad = file.createDataset("/bad", sparse().filters(unknown));
        file.flush();
        Selection mine = Selection.at(world.rank() * 4L, 0).extent(4, 16);
        good.write(mine, new int[64]);
        Selection one = world.rank() == 1 ? Selection.at(5, 5) : Selection.none();
        bad.write(one, new int[world.rank() == 1 ? 1 : 0]);
        assertEquals(List.of(1), refused(world, file::flush).failingRanks());
        assertEquals(List.of(1), refused(world, () -> good.readInts(mine)).failingRanks());
        bad.erase(one);
        file.flush();
        assertEquals(64, good.defined(mine).count(good.shape()));
      }
      return true;
    });
    try (H5File file = H5File.open(path)) {
      Dataset good = file.dataset("/good");
      assertEquals(256, good.defined(Selection.all()).count(good.shape()));
      assertEquals(0, file.dataset("/bad").defined(Selection.all()).count(good.shape()));
    }
  }

  @Test
  void a_damaged_chunk_fails_on_all_ranks_and_the_others_stay_readable() throws Exception {
    Path path = file("damaged.h5");
    int[] values = new int[256];
    Arrays.setAll(values, i -> 0x5EED0000 + i);
    try (H5File file = H5File.create(path)) {
      file.createDataset("/d", sparse().chunked(4, 4).filters(Filters.fletcher32()))
          .write(Selection.all(), values);
    }
    byte[] bytes = Files.readAllBytes(path);
    int at = 0;
    // Element (9, 9) of the array, little-endian, in the chunk of rank 2.
    int element = 0x5EED0000 + 9 * 16 + 9;
    while ((bytes[at] & 0xff) != (element & 0xff)
        || (bytes[at + 1] & 0xff) != (element >> 8 & 0xff)
        || (bytes[at + 2] & 0xff) != (element >> 16 & 0xff)
        || (bytes[at + 3] & 0xff) != (element >> 24 & 0xff)) {
      at++;
    }
    bytes[at] ^= 1;
    Files.write(path, bytes);
    onRanks(world -> {
      try (H5File file = H5File.openForWriting(path, world)) {
        Dataset d = file.dataset("/d");
        Selection mine = Selection.at(world.rank() * 4L, 8).extent(4, 4);
        CollectiveException read = refused(world, () -> d.readInts(mine));
        assertEquals(List.of(2), read.failingRanks());
        assertTrue(read.getMessage().contains("/d"), read.getMessage());
        Selection part = Selection.at(world.rank() * 4L + 1, 9);
        assertEquals(List.of(2), refused(world, () -> d.write(part, new int[1])).failingRanks());
        assertEquals(values[world.rank() * 16], d.readInts(Selection.at(world.rank(), 0))[0]);
        d.write(mine, new int[16]);
        file.flush();
        assertArrayEquals(new int[16], d.readInts(mine));
      }
      return true;
    });
  }

  /** In MPI, setting the file size conflicts with concurrent writes beyond the old end. */
  @Test
  void the_size_is_set_when_every_rank_has_written() {
    AtomicLongArray writes = new AtomicLongArray(RANKS);
    AtomicLong sizesSet = new AtomicLong();
    FileProbe probe =
        (rank, call, view, data) -> {
          if (call == FileCall.WRITE) {
            LockSupport.parkNanos(rank == 1 ? 60_000_000 : 0);
            writes.incrementAndGet(rank);
          }
          if (call == FileCall.RESIZE && rank == 0) {
            sizesSet.incrementAndGet();
            for (int other = 1; other < RANKS; other++) {
              assertEquals(writes.get(0), writes.get(other), "writes of rank " + other);
            }
          }
          return Optional.empty();
        };
    onRanks(world -> {
      try (H5File file = H5File.create(file("size.h5"), new ProbedCommunicator(world, probe))) {
        Dataset d = file.createDataset("/d", sparse());
        for (int turn = 0; turn < 3; turn++) {
          d.write(Selection.at(world.rank() * 4L, 0).extent(4, 16), new int[64]);
          file.flush();
        }
      }
      return true;
    });
    assertEquals(3, sizesSet.get());
  }
}
