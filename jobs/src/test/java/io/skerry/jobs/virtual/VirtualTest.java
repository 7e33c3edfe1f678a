package io.skerry.jobs.virtual;

import static io.skerry.jobs.InProcess.good;
import static io.skerry.jobs.InProcess.refused;
import static io.skerry.jobs.InProcess.skerry;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code skerry virtual}, and {@code ls} and {@code stat} for virtual datasets. */
class VirtualTest {
  @TempDir Path folder;

  @BeforeEach
  void creates_sources() {
    for (int run : new int[] {0, 1, 2, 10}) {
      source("run_" + run + ".h5", run, 2, 3);
    }
  }

  /** Creates a dataset whose elements are 100 * number, 100 * number + 1 and so on. */
  private void source(String name, int number, long... extent) {
    Shape shape = Shape.of(extent);
    int[] values = new int[(int) shape.elements()];
    Arrays.setAll(values, i -> 100 * number + i);
    try (H5File file = H5File.create(folder.resolve(name))) {
      file.createDataset("/entry/data", DatasetSpec.of(Datatype.I32, shape).fillValue(new byte[4]))
          .write(Selection.all(), values);
    }
  }

  private Path at(String name) {
    return folder.resolve(name);
  }

  private void check(Path file, String dataset, long[] extent, int... values) {
    try (H5File opened = H5File.open(file)) {
      Dataset virtual = opened.dataset(dataset);
      assertEquals("virtual", virtual.storage().layout());
      assertArrayEquals(extent, virtual.shape().extent());
      assertArrayEquals(values, virtual.readInts(Selection.all()));
    }
  }

  @Test
  void stacked_sources_are_in_the_order_of_their_numbers() {
    good("virtual", "stack", at("run_*.h5") + ":/entry/data", at("out.h5") + ":/all");
    check(
        at("out.h5"),
        "/all",
        new long[] {4, 2, 3},
        0,
        1,
        2,
        3,
        4,
        5,
        100,
        101,
        102,
        103,
        104,
        105,
        200,
        201,
        202,
        203,
        204,
        205,
        1000,
        1001,
        1002,
        1003,
        1004,
        1005);
    String listed = good("ls", at("out.h5")).out();
    assertTrue(listed.contains("4 mappings, 4 files, 1 dataset"), listed);
    assertTrue(listed.contains("<- run_0.h5:/entry/data"), listed);
    assertTrue(listed.contains("and 1 more"), listed);
  }

  @Test
  void sources_follow_each_other_along_an_axis() {
    source("wide.h5", 5, 2, 1);
    good(
        "virtual",
        "concat",
        "--axis",
        1,
        at("run_1.h5") + ":/entry/data",
        at("wide.h5") + ":/entry/data",
        at("out.h5") + ":/all");
    check(at("out.h5"), "/all", new long[] {2, 4}, 100, 101, 102, 500, 103, 104, 105, 501);
  }

  @Test
  void tiles_form_a_grid() {
    source("low.h5", 6, 1, 3);
    source("low2.h5", 7, 1, 3);
    good(
        "virtual",
        "tile",
        "--grid",
        "2x2",
        at("run_0.h5") + ":/entry/data",
        at("run_1.h5") + ":/entry/data",
        at("low.h5") + ":/entry/data",
        at("low2.h5") + ":/entry/data",
        at("out.h5") + ":/all");
    check(
        at("out.h5"),
        "/all",
        new long[] {3, 6},
        0,
        1,
        2,
        100,
        101,
        102,
        3,
        4,
        5,
        103,
        104,
        105,
        600,
        601,
        602,
        700,
        701,
        702);
  }

  @Test
  void a_pattern_grows_with_the_number_of_sources() {
    good("virtual", "pattern", at("run_%b.h5") + ":/entry/data", at("out.h5") + ":/all");
    int[] three = {0, 1, 2, 3, 4, 5, 100, 101, 102, 103, 104, 105, 200, 201, 202, 203, 204, 205};
    check(at("out.h5"), "/all", new long[] {6, 3}, three);
    source("run_3.h5", 3, 2, 3);
    int[] four = Arrays.copyOf(three, 24);
    for (int i = 0; i < 6; i++) {
      four[18 + i] = 300 + i;
    }
    check(at("out.h5"), "/all", new long[] {8, 3}, four);
  }

  @Test
  void mappings_are_read_from_a_list() throws IOException {
    Files.writeString(
        at("list.json"),
        """
        {"type": "i32", "shape": [4, 3], "maximum": [null, 3],
         "mappings": [
           {"file": "run_2.h5", "dataset": "/entry/data",
            "virtual": {"start": [0, 0], "stride": [3, 1], "count": [2, 1], "block": [1, 3]}}]}
        """);
    good("virtual", "list", at("list.json"), at("out.h5") + ":/all");
    check(at("out.h5"), "/all", new long[] {4, 3}, 200, 201, 202, 0, 0, 0, 0, 0, 0, 203, 204, 205);
  }

  @Test
  void a_source_in_a_list_is_not_replaced() throws IOException {
    Files.copy(at("run_1.h5"), at("100%.h5"));
    for (String[] each : new String[][] {{"run_%b.h5", "run_1.h5"}, {"100%%.h5", "100%.h5"}}) {
      boolean perBlock = each[0].contains("%b");
      Files.writeString(
          at("list.json"),
          """
          {"type": "i32", "shape": [4, 3], "maximum": [null, 3],
           "mappings": [
             {"file": "%s", "dataset": "/entry/data",
              "virtual": {"start": [0, 0], "stride": [2, 1], "count": [%s, 1], "block": [2, 3]}}]}
          """
              .formatted(each[0], perBlock ? "null" : "1"));
      long size = Files.size(at(each[1]));
      String list = at("list.json").toString();
      refused(1, each[1], "virtual", "list", list, at(each[1]) + ":/all", "--force");
      assertEquals(size, Files.size(at(each[1])));
      good("virtual", "list", list, at("other_1.h5") + ":/all", "--force");
    }
  }

  @Test
  void a_missing_source_is_shown_by_ls_and_stat() throws IOException {
    good("virtual", "stack", at("run_[01].h5") + ":/entry/data", at("out.h5") + ":/all");
    Files.delete(at("run_1.h5"));
    for (String line : new String[] {"ls", "stat"}) {
      String where = line.equals("stat") ? ":/all" : "";
      String text = good(line, at("out.h5") + where).out();
      assertTrue(text.contains("2 mappings, 2 files (1 missing), 1 dataset"), text);
      assertTrue(text.contains("missing: run_1.h5"), text);
      String json = good(line, "--json", at("out.h5") + where).out();
      assertTrue(json.contains("\"mappings\": {\"count\": 2, \"files\": 2"), json);
      assertTrue(json.contains("\"missing\": [\"run_1.h5\"]"), json);
    }
  }

  @Test
  void an_existing_file_is_replaced_only_with_force() {
    String in = at("run_0.h5") + ":/entry/data";
    source("out.h5", 9, 1);
    refused(1, "out.h5", "virtual", "stack", in, at("out.h5") + ":/all");
    good("virtual", "stack", in, at("out.h5") + ":/all", "--force");
    check(at("out.h5"), "/all", new long[] {1, 2, 3}, 0, 1, 2, 3, 4, 5);
    refused(1, "run_0.h5", "virtual", "stack", in, at("run_0.h5") + ":/all", "--force");
  }

  @Test
  void sources_that_do_not_fit_are_refused_by_name() {
    source("other.h5", 5, 2, 4);
    String in = at("run_0.h5") + ":/entry/data";
    String other = at("other.h5") + ":/entry/data";
    String out = at("out.h5") + ":/all";
    refused(1, "other.h5:/entry/data dimension=1", "virtual", "stack", in, other, out);
    refused(1, "expected=3 actual=4", "virtual", "concat", in, other, out);
    refused(1, "axis=2 dimensions=2", "virtual", "concat", "--axis", 2, in, other, out);
    refused(1, "grid=2x2 sources=2", "virtual", "tile", "--grid", "2x2", in, other, out);
    refused(1, "a pattern needs %b", "virtual", "pattern", in, out);
    refused(1, "no file has such a name", "virtual", "stack", at("x*.h5") + ":/d", out);
    refused(1, "no such file", "virtual", "stack", at("x.h5") + ":/d", out);
    assertTrue(Files.notExists(at("out.h5")));
    assertTrue(Files.notExists(at("out.h5.partial")));
  }

  @Test
  void wrong_arguments_end_with_exit_code_2() {
    String in = at("run_0.h5") + ":/entry/data";
    String out = at("out.h5") + ":/all";
    assertEquals(2, skerry("virtual", "tile", in, out).code());
    assertEquals(2, skerry("virtual", "stack", "--axis", "1", in, out).code());
    assertEquals(2, skerry("virtual", "stack", in, at("out.h5").toString()).code());
    assertEquals(2, skerry("virtual", "heap", in, out).code());
    assertEquals(2, skerry("virtual", "stack", in).code());
    assertEquals(0, skerry("virtual", "--help").code());
  }

  @Test
  void a_damaged_list_is_refused() throws IOException {
    String out = at("out.h5") + ":/all";
    for (String[] bad :
        new String[][] {
          {"{\"type\": \"i32\",", "not JSON"},
          {"[]", "one JSON object"},
          {"{\"type\": \"q\", \"shape\": [1], \"mappings\": []}", "member=type"},
          {"{\"type\": \"i32\", \"mappings\": []}", "member=shape"},
          {"{\"type\": \"i32\", \"shape\": [1]}", "member=mappings"},
          {"{\"type\": \"i32\", \"shape\": [-1], \"mappings\": []}", "extent=-1"},
          {"{\"type\": \"i32\", \"shape\": [4], \"maximum\": [2], \"mappings\": []}", "maximum=2"},
          {"{\"type\": \"i32\", \"shape\": [1], \"mappings\": [{\"file\": 3}]}", "member=file"},
          {"{\"type\": \"i32\", \"shape\": [1], \"mappings\": [{\"dataset\": \"\"}]}", "dataset="}
        }) {
      Files.writeString(at("list.json"), bad[0]);
      refused(1, bad[1], "virtual", "list", at("list.json"), out);
    }
  }
}
