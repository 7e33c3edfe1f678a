package io.skerry.jobs.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.Shell.Ran;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code skerry stat}. */
class StatTest {
  @TempDir private Path folder;

  private Path path;

  @BeforeEach
  void write() {
    path = folder.resolve("s.h5");
    try (H5File file = H5File.create(path)) {
      DatasetSpec grid = DatasetSpec.of(Datatype.I32, Shape.of(4, 6));
      file.createDataset("/hits", grid.sparse(2, 2))
          .write(Selection.at(1, 2).extent(2, 2), new int[] {1, 2, 3, 4});
      file.createDataset("/g/grid", grid.chunked(2, 2)).write(Selection.all(), new int[24]);
      file.createDataset("/g/flat", grid.contiguous()).write(Selection.all(), new int[24]);
    }
  }

  private String stat(String place, String... more) {
    String[] line = new String[2 + more.length];
    line[0] = "stat";
    line[1] = path + place;
    System.arraycopy(more, 0, line, 2, more.length);
    Ran ran = InProcess.skerry(line);
    assertEquals(0, ran.code(), ran.err());
    return ran.out();
  }

  @Test
  void a_page_lists_chunks_sections_and_the_dense_estimate() {
    String page = stat(":/hits");
    for (String part :
        new String[] {
          "/hits  4x6 i32",
          "sparse 2x2 by FixedArray",
          "4 of 24 elements (16.667%)",
          "2 of 6, 50.000% of their elements defined",
          "16 bytes, unfiltered 16, ratio 1.00",
          "points 2 (chunks)",
          "32 bytes (measured), without filters 32",
          "a dense dataset would be smaller",
        }) {
      assertTrue(page.contains(part), part + " in\n" + page);
    }
  }

  @Test
  void a_file_is_printed_as_a_table_with_a_row_per_dataset() {
    String table = stat("");
    assertEquals(4, table.lines().count(), table);
    assertTrue(
        table.lines().anyMatch(l -> l.startsWith("/hits ") && l.endsWith("dense would be smaller")),
        table);
    assertTrue(
        table.lines().anyMatch(l -> l.startsWith("/g/flat ") && l.contains("contiguous")), table);
  }

  @Test
  void json_has_the_same_numbers() {
    String json = stat(":/hits", "--json");
    for (String part :
        new String[] {
          "\"defined\": 4",
          "\"chunks\": 2",
          "\"reachableChunks\": 6",
          "\"locationForms\": {\"none\": 0, \"all\": 0, \"regular\": 0, \"blocks\": 0, \"points\": 2}",
          "\"smaller\": true",
        }) {
      assertTrue(json.contains(part), part + " in\n" + json);
    }
    assertTrue(stat("", "--json").contains("\"path\": \"/g/grid\""));
  }

  private void writeWide() {
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      DatasetSpec wide = DatasetSpec.of(Datatype.I32, Shape.of(128, 6400)).chunked(32, 64);
      file.createDataset("/wide", wide).write(Selection.all(), new int[128 * 6400]);
    }
  }

  @Test
  void cache_statistics_are_printed_for_each_reading_order() {
    writeWide();
    String page = stat(":/wide", "--cache");
    for (String part :
        new String[] {
          "read by rows    128 requests, 12,400 of 12,800 chunks of them in the cache (96.9%)",
          "400 reads of 400 chunks, 1.00 of each; 3,302,400 bytes in memory",
          "0 past the cache; 0 evicted",
          "limit 67,108,864 bytes in the end, may grow to ",
          "chunks and cache fit this order",
        }) {
      assertTrue(page.contains(part), part + " in\n" + page);
    }
    String both = stat(":/wide", "--cache", "--cache-order=columns,chunks");
    // A single column has only 128 elements, so a request reads several columns.
    assertTrue(both.contains("read by columns 200 requests, 400 of 800 chunks"), both);
    assertTrue(both.contains("read by chunks  400 requests, 0 of 400 chunks"), both);
  }

  @Test
  void cache_statistics_of_a_file_are_a_second_table_and_in_json() {
    writeWide();
    String table = stat("", "--cache");
    assertTrue(table.lines().anyMatch(l -> l.matches("/wide +rows .* 1.00 +96.9% .*")), table);
    assertTrue(table.lines().anyMatch(l -> l.matches("/hits +rows .*")), table);
    assertTrue(table.lines().noneMatch(l -> l.matches("/g/flat +rows .*")), table);
    String json = stat(":/wide", "--cache", "--cache-order=rows,columns", "--json");
    for (String part :
        new String[] {
          "\"cache\": [{\"order\": \"rows\", \"requests\": 128, \"chunks\": 400, \"loads\": 400,",
          "\"order\": \"columns\"",
          "\"readsPerChunk\": 1",
          "\"fits\": true",
        }) {
      assertTrue(json.contains(part), part + " in\n" + json);
    }
    assertFalse(stat(":/wide", "--json").contains("\"cache\""));
    assertFalse(stat(":/g/flat", "--cache", "--json").contains("\"cache\""));
  }

  @Test
  void a_cache_that_is_too_small_is_reported() {
    writeWide();
    String small = stat(":/wide", "--cache", "--cache-size=256k");
    assertTrue(small.contains("another order or a larger cache would help"), small);
    assertTrue(small.contains("limit 262,144 bytes in the end, may grow to 262,144"), small);
    String large = stat(":/wide", "--cache", "--cache-size=4M");
    assertTrue(large.contains("chunks and cache fit"), large);
    String order = stat(":/wide", "--cache", "--cache-size=256K", "--cache-order=chunks");
    assertTrue(order.contains("400 reads of 400 chunks, 1.00 of each"), order);
    String table = stat("", "--cache", "--cache-size=256K");
    assertTrue(table.lines().anyMatch(l -> l.matches("/wide +rows .*  does not fit")), table);
    String json = stat(":/wide", "--cache", "--cache-size=256K", "--json");
    assertTrue(json.contains("\"mostLimit\": 262144, \"fits\": false"), json);
  }

  @Test
  void every_order_reads_each_element_once() {
    Random random = new Random(7);
    for (int time = 0; time < 200; time++) {
      int rank = 1 + random.nextInt(3);
      long[] extent = random.longs(rank, 1, 12).toArray();
      List<Long> chunk = random.longs(rank, 1, 6).boxed().toList();
      Shape shape = Shape.of(extent);
      // Large elements make requests smaller than lines.
      long bytes = 1L << random.nextInt(25);
      for (ReadingOrder order : ReadingOrder.values()) {
        int[] seen = new int[(int) shape.elements()];
        order.forEach(
            shape,
            chunk,
            bytes,
            part ->
                part.forEachRun(
                    shape,
                    (start, length) -> {
                      int first = 0;
                      for (int d = 0; d < rank; d++) {
                        first = (int) (first * extent[d] + start[d]);
                      }
                      for (int at = first; at < first + length; at++) {
                        seen[at]++;
                      }
                    }));
        assertTrue(Arrays.stream(seen).allMatch(count -> count == 1), order + " " + shape);
      }
    }
  }

  @Test
  void invalid_cache_options_are_wrong_arguments() {
    for (String[] wrong :
        new String[][] {
          {"--cache", "--cache-order=diagonals"},
          {"--cache", "--cache-size=-1"},
          {"--cache", "--cache-size=64X"},
          {"--cache", "--cache-size=9999999999G"},
          {"--cache", "--cache-size="},
          {"--cache-size=64K"},
          {"--cache-order=rows"},
        }) {
      String[] line = new String[2 + wrong.length];
      line[0] = "stat";
      System.arraycopy(wrong, 0, line, 1, wrong.length);
      line[line.length - 1] = path.toString();
      Ran ran = InProcess.skerry(line);
      assertEquals(2, ran.code(), String.join(" ", line) + " " + ran.out());
      assertFalse(ran.err().contains("Exception"), ran.err());
    }
  }

  @Test
  void cache_options_may_precede_the_file_and_are_in_the_help() {
    Ran ran = InProcess.skerry("stat", "--cache", path + ":/hits");
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().contains("read by rows"), ran.out());
    Ran help = InProcess.skerry("stat", "--help");
    assertEquals(0, help.code());
    assertTrue(
        help.out().contains("--cache-order=ORDER") && help.out().contains("--cache-size=SIZE"),
        help.out());
  }

  @Test
  void a_damaged_dataset_is_reported_and_the_others_are_printed() throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    int at = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf("FADB");
    bytes[at + 20] ^= 1;
    Files.write(path, bytes);
    Ran ran = InProcess.skerry("stat", path.toString());
    assertEquals(1, ran.code());
    assertEquals(4, ran.out().lines().count(), ran.out());
    assertTrue(ran.out().contains("checksum"), ran.out());
  }

  @Test
  void a_group_is_refused_with_exit_code_1() {
    Ran ran = InProcess.skerry("stat", path + ":/g");
    assertEquals(1, ran.code());
    assertTrue(ran.err().contains("not a dataset"), ran.err());
  }

  @Test
  void the_last_colon_before_a_slash_separates_file_and_object() throws IOException {
    Path odd = Files.createDirectory(path.resolveSibling("odd:")).resolve("s.h5");
    Files.move(path, odd);
    String place = odd + ":/hits";
    InProcess.good("stat", place);
    InProcess.good("dump", place);
    InProcess.good("export", place, odd + ":/x", "--as", "coo");
  }
}
