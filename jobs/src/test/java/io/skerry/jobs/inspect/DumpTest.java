package io.skerry.jobs.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitField;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.Reference;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.Shell.Ran;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the exact text of {@code skerry dump}. */
class DumpTest {
  @TempDir private Path folder;

  private Path path;

  @BeforeEach
  void write() {
    path = folder.resolve("d.h5");
    int[] numbers = new int[24];
    Arrays.setAll(numbers, i -> i * i - 5);
    try (H5File file = H5File.create(path)) {
      DatasetSpec grid = DatasetSpec.of(Datatype.I32, Shape.of(4, 6));
      file.createDataset("/grid", grid.chunked(3, 4)).write(Selection.all(), numbers);
      file.createDataset("/hits", grid.sparse(2, 2))
          .write(Selection.at(1, 2).extent(2, 2), new int[] {1, 2, 3, 4});
      file.createDataset("/one", DatasetSpec.of(Datatype.F64, Shape.scalar()))
          .write(Selection.all(), new double[] {2.5});
      file.createDataset("/none", DatasetSpec.withoutElements(Datatype.F32));
      file.createDataset("/empty", DatasetSpec.of(Datatype.F32, Shape.of(0, 3)));
      file.dataset("/grid").setAttribute(Attribute.of("units", "counts"));
      file.dataset("/grid").setAttribute(Attribute.of("range", new long[] {-5, 524}));
      file.dataset("/grid").setAttribute(Attribute.empty("nothing", Datatype.U8));
      everyType(file);
    }
  }

  private static void everyType(H5File file) {
    write(file, "real", Datatype.F32, new Value.Real(1.5, 24), new Value.Real(Double.NaN, 24));
    write(file, "fixed", StringType.of(5), new Value.Text("ab"), new Value.Text("a\"b"));
    write(
        file,
        "text",
        VariableLength.string(CharacterSet.UTF8),
        new Value.Text("größer"),
        new Value.Text(""));
    write(
        file,
        "sequence",
        VariableLength.sequence(Datatype.U8),
        new Value.Sequence(List.of(whole(1), whole(2))),
        new Value.Sequence(List.of()));
    write(
        file,
        "array",
        new ArrayType(List.of(2), Datatype.I8),
        new Value.Array(List.of(2), List.of(whole(-1), whole(7))));
    write(
        file,
        "pair",
        new Compound(
            5,
            List.of(
                new Compound.Member("x", 0, Datatype.I32),
                new Compound.Member("y", 4, Datatype.U8))),
        new Value.Compound(
            List.of(new Value.Field("x", whole(-9)), new Value.Field("y", whole(255)))));
    write(file, "bits", BitField.of(2, Endian.LITTLE), new Value.Bits(BigInteger.valueOf(0xa5), 2));
    write(
        file,
        "reference",
        new Reference(8, Reference.Kind.OBJECT),
        file.reference("/grid"),
        new Value.NullReference());
  }

  private static Value whole(long value) {
    return new Value.Whole(BigInteger.valueOf(value));
  }

  private static void write(H5File file, String name, Datatype type, Value... values) {
    file.createDataset("/types/" + name, DatasetSpec.of(type, Shape.of(values.length)))
        .writeValues(Selection.all(), new ArrayList<>(List.of(values)));
  }

  private String dump(String place, String... more) {
    String[] line = new String[2 + more.length];
    line[0] = "dump";
    line[1] = path + place;
    System.arraycopy(more, 0, line, 2, more.length);
    Ran ran = InProcess.skerry(line);
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.err());
    return ran.out();
  }

  @Test
  void a_line_begins_with_the_coordinates_of_its_first_value() {
    assertEquals(
        """
        /grid  4x6 i32
        (0,0): -5, -4, -1, 4, 11, 20
        (1,0): 31, 44, 59, 76, 95, 116
        (2,0): 139, 164, 191, 220, 251, 284
        (3,0): 319, 356, 395, 436, 479, 524
        """,
        dump(":/grid"));
    assertEquals("/one  scalar f64\n2.5\n", dump(":/one"));
    assertEquals("/none  null f32\n", dump(":/none"));
    assertEquals("/empty  0x3 f32\n", dump(":/empty"));
  }

  @Test
  void a_selection_is_printed_with_its_coordinates_in_the_dataset() {
    assertEquals(
        "/grid  4x6 i32\n(1,1): 44\n(1,3): 76\n(1,5): 116\n(3,1): 356\n(3,3): 436\n(3,5): 524\n",
        dump(":/grid", "--selection", "1::2,1::2"));
    assertEquals("/grid  4x6 i32\n(3,4): 479, 524\n", dump(":/grid", "--selection", "-1,-2:"));
    assertEquals("/grid  4x6 i32\n", dump(":/grid", "--selection", "0:0,:"));
  }

  @Test
  void undefined_elements_are_printed_as_a_dash_or_null() {
    assertEquals(
        "/hits  4x6 i32\n(1,1): -, 1, 2, -\n(2,1): -, 3, 4, -\n",
        dump(":/hits", "--selection", "1:3,1:5"));
    assertEquals(
        "{\"name\": \"/hits\", \"shape\": \"4x6\", \"type\": \"i32\", \"values\": [null, 1, 2]}\n",
        dump(":/hits", "--selection", "1,1:4", "--json"));
  }

  @Test
  void every_datatype_has_its_own_notation() {
    String[][] cases = {
      {"real", "2 f32", "1.5, NaN", "[1.5, \"NaN\"]"},
      {"text", "2 vlstring", "\"größer\", \"\"", "[\"größer\", \"\"]"},
      {"sequence", "2 vlen<u8>", "(1, 2), ()", "[[1, 2], []]"},
      {"array", "1 array<2>i8", "[-1, 7]", "[[-1, 7]]"},
      {"pair", "1 {x:i32,y:u8}", "{x: -9, y: 255}", "[{\"x\": -9, \"y\": 255}]"},
      {"reference", "2 ref:object", "/grid, null", "[\"/grid\", null]"},
    };
    for (String[] expected : cases) {
      String text = dump(":/types/" + expected[0]);
      assertTrue(text.endsWith("\n(0): " + expected[2] + "\n"), text);
      String json = dump(":/types/" + expected[0], "--json");
      assertTrue(json.endsWith("\"values\": " + expected[3] + "}\n"), json);
    }
    assertEquals("(0): 0x00a5", dump(":/types/bits").lines().toList().get(1));
    assertTrue(dump(":/types/bits", "--json").endsWith("\"values\": [165]}\n"));
    assertEquals("(0): \"ab\", \"a\\\"b\"", dump(":/types/fixed").lines().toList().get(1));
    assertTrue(dump(":/types/fixed", "--json").endsWith("\"values\": [\"ab\", \"a\\\"b\"]}\n"));
  }

  @Test
  void attributes_are_printed_in_full() {
    assertEquals("/grid@range  2 i64\n(0): -5, 524\n", dump(":/grid", "--attribute", "range"));
    assertEquals("/grid@nothing  null u8\n", dump(":/grid", "--attribute", "nothing"));
    assertTrue(dump(":/grid", "--attribute", "units").endsWith("\n\"counts\"\n"));
  }

  @Test
  void objects_without_values_return_1_and_contradictory_options_2() {
    for (List<String> line :
        List.of(
            List.of("only a dataset, a map or an attribute has values: object=/", ""),
            List.of("no such object: path=/x", ":/x"),
            List.of("no such attribute: name=x object=/grid", ":/grid", "--attribute", "x"),
            List.of("one part per dimension", ":/grid", "--selection", "0"),
            List.of("outside the extent", ":/grid", "--selection", "0,9"))) {
      List<String> whole = new ArrayList<>(List.of("dump", path + line.get(1)));
      whole.addAll(line.subList(2, line.size()));
      Ran ran = InProcess.skerry(whole.toArray(String[]::new));
      assertEquals(1, ran.code(), ran.err());
      assertTrue(ran.err().startsWith("skerry: ") && ran.err().contains(line.get(0)), ran.err());
    }
    Ran both =
        InProcess.skerry("dump", path + ":/grid", "--attribute", "units", "--selection", "0,0");
    assertEquals(2, both.code());
    assertTrue(both.err().contains("an attribute is printed whole"), both.err());
  }

  @Test
  void attributes_of_an_externally_linked_group_are_read_from_its_file() {
    VariableLength text = VariableLength.string(CharacterSet.UTF8);
    try (H5File file = H5File.create(folder.resolve("target.h5"))) {
      file.createGroup("/g")
          .setAttribute("text", text, Shape.scalar(), List.of(new Value.Text("in the target")));
    }
    try (H5File file = H5File.create(folder.resolve("linking.h5"))) {
      file.createExternalLink("/there", "target.h5", "/g");
      file.root()
          .setAttribute("text", text, Shape.scalar(), List.of(new Value.Text("in the link file")));
    }
    Ran ran =
        InProcess.skerry("dump", folder.resolve("linking.h5") + ":/there", "--attribute", "text");
    assertTrue(ran.out().endsWith("\n\"in the target\"\n"), ran.out() + ran.err());
  }
}
