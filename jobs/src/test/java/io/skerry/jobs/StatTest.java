package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.jobs.Shell.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code skerry stat}. */
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
  void a_page_tells_of_chunks_sections_and_what_dense_would_take() {
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
  void a_file_is_a_table_with_a_line_for_each_dataset() {
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

  @Test
  void what_is_damaged_is_named_and_the_rest_is_told() throws IOException {
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
  void what_is_no_dataset_is_exit_code_1() {
    Ran ran = InProcess.skerry("stat", path + ":/g");
    assertEquals(1, ran.code());
    assertTrue(ran.err().contains("not a dataset"), ran.err());
  }

  @Test
  void the_last_colon_before_a_slash_parts_file_and_object_in_every_command() throws IOException {
    Path odd = Files.createDirectory(path.resolveSibling("odd:")).resolve("s.h5");
    Files.move(path, odd);
    String place = odd + ":/hits";
    InProcess.good("stat", place);
    InProcess.good("dump", place);
    InProcess.good("export", place, odd + ":/x", "--as", "coo");
  }
}
