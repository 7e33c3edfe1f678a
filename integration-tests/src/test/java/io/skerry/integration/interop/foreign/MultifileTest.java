package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.H5File;
import io.skerry.integration.SharedData;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads multi and family files of h5py and of the tests of HDF5. */
class MultifileTest {
  private static final List<Oracle> H5PY = Oracle.h5py();

  @TempDir Path folder;

  @Test
  void multifiles_read_like_a_plain_file_under_any_name_and_on_any_number_of_ranks()
      throws IOException {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    for (Oracle h5py : H5PY) {
      Path made = Files.createDirectory(folder.resolve(h5py.hdf5()));
      List<String> lines = h5py.script(made, "spread.py").expectSuccess().out().lines().toList();
      assertEquals(h5py.hdf5().startsWith("1.") ? 8 : 10, lines.size());
      for (String line : lines) {
        for (String name : line.split("\t")) {
          for (int ranks : new int[] {1, 3}) {
            LocalRanks.run(ranks, world -> compare(made.resolve(name), world));
          }
        }
      }
      System.out.println(h5py + ": " + lines.size() + " files read by both names");
    }
  }

  private static void compare(Path path, Communicator world) {
    try (H5File file = H5File.open(path, world)) {
      assertEquals(4, file.root().links().size());
      assertEquals(40, file.group("g").links().size());
      assertEquals("a", file.root().attributes().getFirst().name());
      assertArrayEquals(
          IntStream.range(0, 1000).toArray(), file.dataset("contiguous").readInts(Selection.all()));
      assertArrayEquals(
          IntStream.range(0, 600).asDoubleStream().toArray(),
          file.dataset("chunked").readDoubles(Selection.all()));
      assertArrayEquals(new long[] {39}, file.dataset("g/n39").readLongs(Selection.all()));
      assertArrayEquals(new long[] {12}, file.dataset("strings").shape().extent());
    }
  }

  @Test
  void missing_short_and_incomplete_members_are_named() throws IOException {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    H5PY.getFirst().script(folder, "spread.py").expectSuccess();
    refused("family_latest_00003.h5", "probably member 3 of a family", "family_latest_%05d.h5");
    refused("split_latest-r.h5", "probably a member of a multi file", "split_latest-m.h5");
    refused("multi_earliest-o.h5", "probably a member of a multi file", "multi_earliest-s.h5");
    refused("nothing_%d.h5", "the first member of the family is missing", "nothing_0.h5");
    refused("nothing", "no such file", "nothing");
    CollectiveException unchanged =
        assertThrows(
            CollectiveException.class,
            () ->
                H5File.openForWriting(
                    folder.resolve("family_latest_%05d.h5"), Communicator.self()));
    assertTrue(unchanged.getMessage().contains("stored in several files"), unchanged.getMessage());
    cut(folder.resolve("family_latest_00002.h5"), 100);
    refused("family_latest_%05d.h5", "member 2 of the family is cut short", "actual=100 bytes");
    Files.delete(folder.resolve("family_earliest_00004.h5"));
    refused("family_earliest_00000.h5", "member 4 of the family is missing", "_00004.h5");
  }

  @Test
  void metadata_are_read_though_the_member_with_the_data_is_missing_or_short() throws IOException {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    H5PY.getFirst().script(folder, "spread.py").expectSuccess();
    Files.delete(folder.resolve("split_earliest-r.h5"));
    cut(folder.resolve("multi_earliest-r.h5"), 100);
    unread("split_earliest", "a member of the file is missing", "split_earliest-r.h5");
    unread("multi_earliest", "bytes beyond the end of a member", "multi_earliest-r.h5");
  }

  private void unread(String name, String... said) {
    try (H5File file = H5File.open(folder.resolve(name))) {
      assertEquals(40, file.group("g").links().size());
      for (String path : List.of("contiguous", "chunked")) {
        CollectiveException failed =
            assertThrows(
                CollectiveException.class, () -> file.dataset(path).readDoubles(Selection.all()));
        for (String part : said) {
          assertTrue(failed.getMessage().contains(part), failed.getMessage());
        }
      }
    }
  }

  private void refused(String name, String... said) {
    CollectiveException refused =
        assertThrows(CollectiveException.class, () -> H5File.open(folder.resolve(name)).close());
    for (String part : said) {
      assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
  }

  private static void cut(Path path, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  /** A file of the tests of HDF5, and the expected error message or {@link #OPENS}. */
  private record Known(String file, String said) {}

  private static final String OPENS = "";

  private static final List<Known> KNOWN =
      List.of(
          new Known("tools/test/h5dump/testfiles/tmulti-s.h5", OPENS),
          new Known("tools/test/h5dump/testfiles/tmulti", OPENS),
          new Known("tools/test/h5dump/testfiles/tsplit_file-m.h5", OPENS),
          new Known("test/testfiles/multi_file_v16-s.h5", OPENS),
          new Known("tools/test/h5dump/testfiles/tmulti-o.h5", "probably a member of a multi"),
          new Known("tools/test/h5dump/testfiles/tfamily00008.h5", "probably member 8 of a family"),
          new Known("tools/test/misc/testfiles/family_file00017.h5", "probably member 17 of a fam"),
          new Known("test/testfiles/family_v16-000001.h5", "probably member 1 of a family"),
          new Known("tools/test/h5dump/testfiles/test_subfiling_precreate_rank_0.h5", "subfiling"),
          new Known("tools/test/misc/testfiles/latest_h5clear_log_v3.h5", OPENS),
          new Known("tools/test/misc/testfiles/latest_h5clear_sec2_v3.h5", OPENS),
          new Known("tools/test/misc/testfiles/h5clear_sec2_v0.h5", OPENS),
          new Known("tools/test/misc/testfiles/h5clear_fsm_persist_less.h5", OPENS),
          new Known("tools/test/misc/testfiles/h5clear_fsm_persist_equal.h5", OPENS),
          new Known("tools/test/misc/testfiles/h5clear_fsm_persist_user_less.h5", OPENS),
          new Known(
              "tools/test/misc/testfiles/h5clear_fsm_persist_user_greater.h5",
              "truncated file: expected=at least 4000 bytes actual=3077 bytes"));

  @Test
  void files_of_the_tests_of_hdf5_open_or_are_refused_by_kind() {
    Path corpus = SharedData.require("hdf5-corpus");
    for (Known known : KNOWN) {
      Path path = corpus.resolve(known.file());
      if (known.said().equals(OPENS)) {
        try (H5File file = H5File.open(path)) {
          file.root().links();
        }
      } else {
        CollectiveException refused =
            assertThrows(CollectiveException.class, () -> H5File.open(path).close());
        assertTrue(refused.getMessage().contains(known.said()), refused.getMessage());
      }
    }
  }

  @Test
  void a_crashed_writer_with_a_stale_end_of_file_loses_nothing() {
    Path corpus = SharedData.require("hdf5-corpus/tools/test/misc/testfiles");
    int[] expected = IntStream.range(0, 100).toArray();
    for (String name : List.of("equal", "less", "user_less")) {
      try (H5File file = H5File.open(corpus.resolve("h5clear_fsm_persist_" + name + ".h5"))) {
        assertArrayEquals(expected, file.dataset("dset").readInts(Selection.all()), name);
      }
    }
  }
}
