package io.skerry.jobs.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.StringType;
import io.skerry.format.FormatBounds;
import io.skerry.jobs.BadFiles;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.SharedData;
import io.skerry.jobs.Shell.Ran;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code skerry ls} and {@code skerry defined} on valid, damaged and sample files. */
class LsTest {
  @TempDir private Path folder;

  private Path sparse() {
    Path path = folder.resolve("s.h5");
    try (H5File file = H5File.create(path)) {
      var spec = DatasetSpec.of(Datatype.I32, Shape.of(0, 6).unlimited(0)).sparse(2, 3);
      var set = file.createDataset("/g/hits", spec);
      set.extend(4);
      set.write(Selection.at(1, 2).extent(2, 3), new int[] {1, 2, 3, 4, 5, 6});
      set.setAttribute(Attribute.of("note", "two\nlines \u001b[31m"));
      file.createDataset("/g/dense", DatasetSpec.of(Datatype.F64, Shape.of(3)).chunked(2));
      file.createSoftLink("/g/soft", "/nowhere");
      file.createExternalLink("/g/ext", "other.h5", "/a");
    }
    return path;
  }

  private static Ran good(String... line) {
    Ran ran = InProcess.skerry(line);
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.err());
    return ran;
  }

  @Test
  void ls_prints_one_line_per_object_link_and_attribute() {
    String[] lines = good("ls", "" + sparse()).out().split("\n");
    assertEquals(7, lines.length, String.join("\n", lines));
    assertEquals("/", lines[0]);
    assertEquals("  g/", lines[1]);
    assertTrue(lines[2].startsWith("    dense "), lines[2]);
    assertTrue(lines[3].strip().endsWith("external link to other.h5:/a"), lines[3]);
    assertTrue(
        lines[4].matches("    hits +4\\[inf\\]x6 i32  sparse 2x3 by .* 6 defined"), lines[4]);
    String note = lines[5].strip().replaceAll(" +", " ");
    assertEquals("@note \"two#u000alines #u001b[31m\"".replace('#', '\\'), note);
    assertTrue(lines[6].endsWith("soft link to /nowhere"), lines[6]);
  }

  @Test
  void ls_distinguishes_null_dataspaces_from_scalars_in_files_and_containers() {
    for (String location : List.of("" + folder.resolve("null.h5"), "iod:" + folder.resolve("c"))) {
      try (H5File file = H5File.create(location, Communicator.self())) {
        var none = file.createDataset("/none", DatasetSpec.withoutElements(Datatype.I32));
        none.setAttribute(Attribute.empty("number", Datatype.I64));
        none.setAttribute(Attribute.empty("text", StringType.of(5)));
        var unused = file.createDataset("/one", DatasetSpec.of(Datatype.I32, Shape.scalar()));
      }
      List<String> lines =
          good("ls", location)
              .out()
              .lines()
              .map(line -> line.strip().replaceAll(" +", " "))
              .toList();
      assertTrue(lines.get(1).startsWith("none null i32 "), lines.toString());
      assertEquals("@number null i64", lines.get(2));
      assertEquals("@text null string[5]", lines.get(3));
      assertTrue(lines.get(4).startsWith("one scalar i32 "), lines.toString());
    }
  }

  @Test
  void a_hard_link_to_the_root_group_does_not_list_the_group_again() {
    Path path = folder.resolve("loop.h5");
    try (H5File file = H5File.create(path)) {
      var unused = file.createGroup("/g");
      file.createHardLink("/g/up", "/");
    }
    String[] lines = good("ls", "" + path).out().split("\n");
    assertEquals(3, lines.length, String.join("\n", lines));
    assertEquals("  g/", lines[1]);
    assertTrue(lines[2].matches("    up +another link to an object shown above"), lines[2]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"contiguous", "compact"})
  void a_dataset_with_a_damaged_filter_message_is_one_unreadable_entry(String layout)
      throws IOException {
    Path path = folder.resolve("damaged.h5");
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(3));
    spec = layout.equals("compact") ? spec.compact() : spec.contiguous();
    FileOptions earliest = FileOptions.standard().withBounds(FormatBounds.EARLIEST);
    try (H5File file = H5File.create(path, Communicator.self(), earliest)) {
      file.createDataset("/a", spec).setAttribute(Attribute.of("filters", 7));
      file.createDataset("/b", spec).write(Selection.all(), new int[] {1, 2, 3});
    }
    byte[] bytes = Files.readAllBytes(path);
    // The attribute message becomes a filter pipeline message of an unknown version.
    int message = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("filters\0") - 16;
    assertEquals(12, bytes[message]);
    bytes[message] = 11;
    bytes[message + 8] = 9;
    Files.write(path, bytes);
    String[] lines = good("ls", "" + path).out().split("\n");
    assertEquals(3, lines.length, String.join("\n", lines));
    assertTrue(lines[1].contains("filter"), lines[1]);
    assertTrue(lines[2].startsWith("  b "), lines[2]);
  }

  @Test
  void ls_prints_one_json_object() {
    Path file = sparse();
    String out = good("ls", "--json", "" + file).out();
    assertEquals(out.length() - 1, out.indexOf('\n'));
    assertTrue(
        out.startsWith("{\"file\": \"" + file + "\", \"objects\": [{\"path\": \"/\", "), out);
    assertTrue(
        out.contains(
            "{\"path\": \"/g/hits\", \"kind\": \"dataset\", \"shape\": [4, 6], \"maximum\":"
                + " [\"unlimited\", 6], \"type\": \"i32\", \"layout\": \"sparse\", \"chunk\": [2, 3],"
                + " \"index\": \"ExtensibleArray\", \"filters\": [], \"defined\": 6,"),
        out);
    assertTrue(out.contains("\"target\": \"soft link to /nowhere\""), out);
  }

  @Test
  void defined_prints_counts_coordinates_and_json() {
    String file = sparse().toString();
    assertEquals("6\n", good("defined", file, "/g/hits", "--count").out());
    assertEquals("2\n", good("defined", file, "/g/hits", "1:3,2", "--count").out());
    assertEquals("0\n", good("defined", file, "/g/hits", "0:0,:", "--count").out());
    assertEquals(
        "1,2\n1,3\n1,4\n2,2\n2,3\n2,4\n", good("defined", file, "/g/hits", "--coordinates").out());
    assertEquals("1,4\n", good("defined", file, "/g/hits", ":2,-2", "--coordinates").out());
    assertEquals("", good("defined", file, "/g/hits", "3,:", "--coordinates").out());
    assertEquals(
        "/g/hits: 6 of 24 elements defined (25.0000 %)\nbounds: 1:3,2:5\n",
        good("defined", file, "/g/hits").out());
    assertEquals(
        "/g/hits: 0 of 0 elements defined (0.0000 %)\n",
        good("defined", file, "/g/hits", "0:0,:").out());
    assertEquals(
        "{\"dataset\": \"/g/hits\", \"shape\": [4, 6], \"selected\": 6, \"defined\": 3,"
            + " \"coordinates\": [[1, 2], [1, 3], [1, 4]]}\n",
        good("defined", file, "/g/hits", "1,:", "--json").out());
    assertTrue(
        good("defined", file, "/g/hits", "0,:", "--json").out().endsWith("\"coordinates\": []}\n"));
    assertEquals("3\n", good("defined", file, "/g/dense", "--count").out());
    assertEquals("0\n2\n", good("defined", file, "/g/dense", "::2", "--coordinates").out());
  }

  @Test
  void defined_elements_of_many_bands_are_in_row_major_order() {
    Path file = folder.resolve("bands.h5");
    long[][] points = new long[2_000][3];
    Random random = new Random(6);
    for (long[] point : points) {
      point[0] = random.nextInt(3) == 0 ? random.nextInt(40) : 39_000 + random.nextInt(900);
      point[1] = random.nextInt(900);
      point[2] = random.nextInt(1_000);
    }
    try (H5File made = H5File.create(file)) {
      made.createDataset(
              "/d", DatasetSpec.of(Datatype.U8, Shape.of(40_000, 900, 1_000)).sparse(7, 400, 300))
          .write(Selection.points(points), new byte[points.length]);
    }
    List<String> expected =
        Arrays.stream(points)
            .sorted(Arrays::compare)
            .map(point -> point[0] + "," + point[1] + "," + point[2])
            .distinct()
            .toList();
    assertEquals(
        expected, good("defined", "" + file, "/d", "--coordinates").out().lines().toList());
    assertEquals(expected.size() + "\n", good("defined", "" + file, "/d", "--count").out());
    assertEquals(
        expected.stream().filter(line -> line.matches("\\d+,[3-5]\\d\\d,.*")).toList(),
        good("defined", "" + file, "/d", ":,300:600,:", "--coordinates").out().lines().toList());
  }

  @Test
  void unreadable_files_and_paths_print_one_line_and_return_1() throws IOException {
    BadFiles.make(folder);
    String good = folder.resolve("good.h5").toString();
    for (List<String> line :
        List.of(
            List.of("ls", "" + folder.resolve("truncated.h5")),
            List.of("ls", "" + folder.resolve("text.h5"), "--json"),
            List.of("ls", "" + folder.resolve("missing.h5")),
            List.of("ls", "" + folder),
            List.of("defined", "" + folder.resolve("stub.h5"), "/x"),
            List.of("defined", good, "/x"),
            List.of("defined", good, "/x/missing"),
            List.of("defined", good, "/x/two", "0:9,0", "--json"),
            List.of("defined", good, "/x/two", "0"),
            List.of("defined", good, "/x/two", "a,b"),
            List.of("defined", good, "/x/elsewhere"))) {
      Ran ran = InProcess.skerry(line.toArray(String[]::new));
      assertEquals(1, ran.code(), line + ran.err());
      assertEquals("", ran.out(), line.toString());
      assertTrue(ran.err().startsWith("skerry: "), ran.err());
      assertEquals(ran.err().length() - 1, ran.err().indexOf('\n'), ran.err());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"sparse_fa", "sparse_fa_deflate", "sparse_single", "sparse_single_deflate"})
  void sparse_files_of_the_format_authors_are_listed(String name) {
    Path file = SharedData.file("structured-chunk/" + name + ".h5");
    String out = good("ls", "" + file).out();
    assertTrue(out.contains(" sparse "), out);
    assertTrue(out.contains(" defined"), out);
    assertFalse(out.contains(" 0 defined") || out.contains("?"), out);
    assertTrue(good("ls", "--json", "" + file).out().contains("\"layout\": \"sparse\""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nexus/p45-1168.nxs",
        "vds/vds_latest.h5",
        "vds/lay110.h5",
      })
  void files_with_unsupported_features_are_listed(String name) {
    Path file = SharedData.file(name);
    String out = good("ls", "" + file).out();
    assertTrue(out.startsWith("/\n"), out);
    assertTrue(out.lines().count() > 1, out);
    String json = good("ls", "--json", "" + file).out();
    assertEquals(json.length() - 1, json.indexOf('\n'));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nexus/538039.nxs", "nexus/nexus-example.hdf5"})
  void files_of_older_versions_are_listed(String name) {
    String out = good("ls", "" + SharedData.file(name)).out();
    assertTrue(out.startsWith("/\n"), out);
    assertTrue(out.contains("title"), out);
  }
}
