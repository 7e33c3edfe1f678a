package io.skerry.jobs.interchange;

import static io.skerry.jobs.InProcess.good;
import static io.skerry.jobs.InProcess.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests round trips with {@code skerry export} and {@code skerry import}. */
class InterchangeTest {
  private static final List<Datatype> TYPES =
      List.of(
          Datatype.U8,
          Datatype.I16,
          Datatype.U16.withOrder(Endian.BIG),
          Datatype.I32,
          Datatype.U64,
          Datatype.I64.withOrder(Endian.BIG),
          Datatype.F16,
          Datatype.F32,
          Datatype.F64.withOrder(Endian.BIG),
          new Compound(
              8,
              List.of(
                  new Compound.Member("r", 0, Datatype.F32),
                  new Compound.Member("i", 4, Datatype.F32))));

  @TempDir private Path folder;

  /**
   * Creates a dataset with random points, some of which have the fill value. The fill value is not
   * always zero.
   */
  private static Dataset random(
      H5File file, String path, Datatype type, Shape shape, Random random) {
    byte[] fill = new byte[type.size()];
    if (random.nextBoolean()) {
      Arrays.fill(fill, (byte) 1);
    }
    long[] chunk = shape.extent();
    Arrays.setAll(chunk, d -> 1 + random.nextLong(chunk[d]));
    Dataset dataset =
        file.createDataset(
            path,
            DatasetSpec.of(type, shape).sparse(chunk).filters(Filters.deflate(1)).fillValue(fill));
    long[][] points = new long[random.nextInt(150)][shape.rank()];
    byte[] values = new byte[points.length * type.size()];
    random.nextBytes(values);
    for (int i = 0; i < points.length; i++) {
      for (int d = 0; d < points[i].length; d++) {
        points[i][d] = random.nextLong(shape.extent(d));
      }
      boolean plain = isReal(type) || random.nextInt(4) == 0;
      if (plain) {
        // Finite numbers only, because all NaNs have the same text.
        byte[] some = random.nextInt(4) == 0 ? fill : new byte[type.size()];
        for (int b = 0; b < some.length && !Arrays.equals(some, fill); b++) {
          some[b] = (byte) random.nextInt(60);
        }
        System.arraycopy(some, 0, values, i * type.size(), type.size());
      }
    }
    dataset.write(Selection.points(points), type, MemorySegment.ofArray(values));
    return dataset;
  }

  private static boolean isReal(Datatype type) {
    return type.toString().contains("f");
  }

  private static void same(Path one, Path other, String path) {
    try (H5File a = H5File.open(one);
        H5File b = H5File.open(other)) {
      Dataset expected = a.dataset(path);
      Dataset actual = b.dataset(path);
      assertEquals(
          Arrays.toString(expected.shape().extent()), Arrays.toString(actual.shape().extent()));
      assertEquals(expected.datatype(), actual.datatype());
      assertArrayEquals(expected.fillValue(), actual.fillValue());
      assertTrue(actual.isSparse());
      Selection defined = expected.defined(Selection.all());
      assertArrayEquals(
          defined.toCoordinates(expected.shape()),
          actual.defined(Selection.all()).toCoordinates(actual.shape()));
      assertArrayEquals(expected.readBytes(defined), actual.readBytes(defined));
    }
  }

  @Test
  void every_form_restores_every_type() {
    Path in = folder.resolve("in.h5");
    Random random = new Random(17);
    List<String> paths = new ArrayList<>();
    try (H5File file = H5File.create(in)) {
      for (Datatype type : TYPES) {
        String path = "/d" + paths.size();
        Shape shape = Shape.of(1 + random.nextInt(30), 1 + random.nextInt(40));
        var unused = random(file, path, type, shape, random);
        paths.add(path);
      }
    }
    for (String form : List.of("csr", "csc", "coo", "dense", "mtx")) {
      for (String path : paths) {
        String name = form + path.substring(1);
        String place = form.equals("mtx") ? name + ".mtx" : name + ".h5:/x/y";
        Path out = folder.resolve(name + "-back.h5");
        good("export", in + ":" + path, folder + "/" + place, "--as", form);
        good("import", folder + "/" + place, out + ":" + path, "--from", form);
        same(in, out, path);
      }
    }
  }

  @Test
  void coo_and_dense_support_any_rank() {
    Path in = folder.resolve("in.h5");
    Random random = new Random(5);
    try (H5File file = H5File.create(in)) {
      var one = random(file, "/one", Datatype.F32, Shape.of(200), random);
      var four = random(file, "/four", Datatype.I32, Shape.of(5, 4, 3, 7), random);
    }
    for (String form : List.of("coo", "dense")) {
      for (String path : List.of("/one", "/four")) {
        Path out = folder.resolve(form + path.substring(1) + "-back.h5");
        String place = folder + "/" + form + path.substring(1) + ".h5:/p";
        good("export", in + ":" + path, place, "--as", form);
        good(
            "import",
            place,
            out + ":" + path,
            "--from",
            form,
            "--chunk",
            path.equals("/one") ? "50" : "2x2x2x2");
        same(in, out, path);
      }
    }
    refused(1, "only of two dimensions", "export", in + ":/four", folder + "/c.h5", "--as", "csr");
    assertFalse(Files.exists(folder.resolve("c.h5")));
  }

  @Test
  void a_frame_of_a_stack_is_exported_as_a_matrix() {
    Path in = folder.resolve("in.h5");
    Path out = folder.resolve("out.h5");
    try (H5File file = H5File.create(in)) {
      Dataset stack =
          file.createDataset(
              "/s", DatasetSpec.of(Datatype.I32, Shape.of(6, 8, 10)).sparse(2, 3, 4));
      stack.write(
          Selection.at(2, 1, 1).extent(3, 4, 5), java.util.stream.IntStream.range(0, 60).toArray());
    }
    for (String form : List.of("csr", "csc", "coo")) {
      good("export", in + ":/s", out + ":/" + form, "--as", form, "--selection", "3,::2,1:");
      good("import", out + ":/" + form, out + ":/" + form + "-back", "--from", form);
      try (H5File file = H5File.open(out)) {
        Dataset back = file.dataset("/" + form + "-back");
        assertEquals("4x9", back.shape().toString());
        assertArrayEquals(
            new long[] {1, 0, 1, 1, 1, 2, 1, 3, 1, 4, 2, 0, 2, 1, 2, 2, 2, 3, 2, 4},
            back.defined(Selection.all()).toCoordinates(back.shape()));
        assertArrayEquals(
            new int[] {25, 26, 27, 28, 29, 35, 36, 37, 38, 39},
            back.readInts(back.defined(Selection.all())));
      }
    }
  }

  @Test
  void a_matrix_of_many_bands_and_batches_is_restored() {
    Path in = folder.resolve("in.h5");
    long[][] points = new long[300_000][2];
    Random random = new Random(3);
    for (long[] point : points) {
      point[0] = random.nextInt(5_000);
      point[1] = random.nextInt(9_000);
    }
    try (H5File file = H5File.create(in)) {
      file.createDataset(
              "/m", DatasetSpec.of(Datatype.I32, Shape.of(5_000, 9_000)).sparse(300, 500))
          .write(Selection.points(points), random.ints(points.length).toArray());
    }
    for (String form : List.of("csr", "csc", "coo", "mtx")) {
      String place = folder + "/many." + form;
      good("export", in + ":/m", place, "--as", form);
      good("import", place, folder + "/" + form + ".h5:/m", "--from", form);
      same(in, folder.resolve(form + ".h5"), "/m");
    }
  }

  @Test
  void a_matrix_without_elements_is_restored() {
    Path in = folder.resolve("in.h5");
    try (H5File file = H5File.create(in)) {
      file.createDataset("/m", DatasetSpec.of(Datatype.F32, Shape.of(3, 4)).sparse(2, 2)).shape();
    }
    for (String form : List.of("csr", "csc", "coo", "dense", "mtx")) {
      String place = folder + "/none-" + form + (form.equals("mtx") ? "" : ":/m");
      good("export", in + ":/m", place, "--as", form);
      good("import", place, folder + "/" + form + ".h5:/m", "--from", form);
      same(in, folder.resolve(form + ".h5"), "/m");
    }
  }

  @Test
  void a_dense_import_leaves_out_the_undefined_value() {
    Path in = folder.resolve("in.h5");
    Path out = folder.resolve("out.h5");
    try (H5File file = H5File.create(in)) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I16, Shape.of(2, 3)))
          .write(Selection.all(), new short[] {7, 0, 7, 1, 2, 7});
    }
    good("import", in + ":/d", out + ":/d", "--from", "dense", "--undefined", "7");
    try (H5File file = H5File.open(out)) {
      Dataset dataset = file.dataset("/d");
      assertEquals(3, dataset.defined(Selection.all()).count(dataset.shape()));
      assertArrayEquals(new short[] {7, 0, 7, 1, 2, 7}, dataset.readShorts(Selection.all()));
    }
  }

  @Test
  void matrix_market_text_of_every_field_and_symmetry_is_read() throws IOException {
    read("integer symmetric\n% a comment\n\n3 3 2\n2 1 5\n3 3 -7\n", "0,5,0,5,0,0,0,0,-7", 3);
    read("real skew-symmetric\n3 3 1\n3 1 1.5e0\n", "0,0,-1.5,0,0,0,1.5,0,0", 2);
    read("pattern general\n2 2 2\n1 2\n2 1\n", "0,1,1,0", 2);
    read("unsigned-integer general\n1 1 1\n1 1 18446744073709551615\n", "1.8446744073709552E19", 1);
    Path text = text("complex hermitian\n2 2 1\n2 1 1.5 2\n");
    good("import", text, folder + "/complex.h5:/m", "--from", "mtx");
    String dump = good("dump", folder + "/complex.h5:/m").out();
    assertTrue(dump.contains("(0,0): -, {r: 1.5, i: -2.0}\n(1,0): {r: 1.5, i: 2.0}, -"), dump);
  }

  private Path text(String content) throws IOException {
    return Files.writeString(
        folder.resolve("m.mtx"), "%%MatrixMarket matrix coordinate " + content);
  }

  private void read(String content, String expected, long defined) throws IOException {
    Path out = folder.resolve("m.h5");
    Files.deleteIfExists(out);
    good("import", text(content), out + ":/m", "--from", "mtx");
    double[] values = Arrays.stream(expected.split(",")).mapToDouble(Double::parseDouble).toArray();
    try (H5File file = H5File.open(out)) {
      Dataset matrix = file.dataset("/m");
      assertArrayEquals(values, matrix.readDoubles(Selection.all()));
      assertEquals(defined, matrix.defined(Selection.all()).count(matrix.shape()));
    }
  }

  @Test
  void invalid_text_is_refused_with_its_line_and_leaves_no_file() throws IOException {
    String[][] cases = {
      {"integer general\n2 2 1\n3 1 1\n", "line 3"},
      {"integer general\n2 2 1\n0 1 1\n", "coordinate, line 3"},
      {"integer general\n2 2 1\n1 1 1.5\n", "line 3"},
      {"integer general\n2 2 1\n1 1\n", "parts of an element, line 3"},
      {"integer general\n2 2 2\n1 1 1\n", "elements before the end"},
      {"integer general\n2 2 1\n1 1 1\n1 2 1\n", "elements behind"},
      {"integer general\n2 2 2\n1 1 1\n1 1 2\n", "listed more than once"},
      {"integer odd\n2 2 2\n", "symmetry"},
      {"strange general\n2 2 2\n", "field"},
      {"integer general\n2 2\n", "size line"},
      {"integer general\n9223372036854775807 9223372036854775807 9\n", "elements of the array"},
    };
    for (String[] one : cases) {
      refused(
          1,
          one[1],
          "import",
          text(one[0]),
          folder + "/bad.h5:/m",
          "--from",
          "mtx",
          "--chunk",
          "2x2");
      assertFalse(Files.exists(folder.resolve("bad.h5")), one[0]);
    }
    Files.writeString(
        folder.resolve("m.mtx"), "%%MatrixMarket matrix array real general\n1 1\n1\n");
    refused(
        1,
        "Matrix Market format array",
        "import",
        folder + "/m.mtx",
        folder + "/bad.h5:/m",
        "--from",
        "mtx");
    refused(
        1,
        "number of type u8, line 3",
        "import",
        text("integer general\n1 1 1\n1 1 300\n"),
        folder + "/bad.h5:/m",
        "--from",
        "mtx",
        "--type",
        "u8");
  }

  @Test
  void invalid_groups_are_refused_and_leave_nothing_in_an_existing_file() throws IOException {
    Path in = folder.resolve("in.h5");
    Path out = folder.resolve("out.h5");
    try (H5File file = H5File.create(out, Communicator.self())) {
      var unused = file.createGroup("/kept");
    }
    bad(in, new long[] {0, 1, 3}, new long[] {0, 1, 1}, "last of");
    refused(1, "last of", "import", in + ":/g", out + ":/m", "--from", "csr");
    bad(in, new long[] {0, 3, 2}, new long[] {0, 1}, "order");
    refused(1, "order of", "import", in + ":/g", out + ":/m", "--from", "csr");
    bad(in, new long[] {0, 1, 2}, new long[] {0, 4}, "index");
    refused(1, "index in", "import", in + ":/g", out + ":/m", "--from", "csr");
    bad(in, new long[] {0, 2, 2}, new long[] {1, 1}, "twice");
    refused(1, "listed more than once", "import", in + ":/g", out + ":/m", "--from", "csr");
    refused(1, "encoding of the matrix", "import", in + ":/g", out + ":/m", "--from", "csc");
    refused(1, "no such object", "import", in + ":/h", out + ":/m", "--from", "csr");
    refused(1, "the name is taken", "import", in + ":/g", out + ":/kept", "--from", "csr");
    try (H5File file = H5File.open(out)) {
      assertEquals(1, file.root().links().size());
    }
  }

  private static void bad(Path path, long[] pointers, long[] indices, String why)
      throws IOException {
    Files.deleteIfExists(path);
    try (H5File file = H5File.create(path)) {
      var group = file.createGroup("/g");
      group.setAttribute(io.skerry.Attribute.of("encoding-type", "csr_matrix"));
      group.setAttribute(io.skerry.Attribute.of("shape", new long[] {2, 3}));
      group
          .createDataset("data", DatasetSpec.of(Datatype.I32, Shape.of(2)))
          .write(Selection.all(), new int[] {1, 2});
      group
          .createDataset("indices", DatasetSpec.of(Datatype.I64, Shape.of(2)))
          .write(Selection.all(), Arrays.copyOf(indices, 2));
      group
          .createDataset("indptr", DatasetSpec.of(Datatype.I64, Shape.of(3)))
          .write(Selection.all(), pointers);
    }
    assertTrue(Files.exists(path), why);
  }

  @Test
  void other_datatypes_and_contradictory_options_are_refused() {
    Path in = folder.resolve("in.h5");
    try (H5File file = H5File.create(in)) {
      file.createDataset(
              "/t", DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(2, 2)))
          .shape();
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(2, 2))).shape();
      file.createDataset("/s", DatasetSpec.of(Datatype.I32, Shape.scalar())).shape();
    }
    refused(1, "exporting elements of type", "export", in + ":/t", folder + "/o.h5", "--as", "csr");
    refused(1, "a single value", "export", in + ":/s", folder + "/o.h5", "--as", "coo");
    refused(
        1,
        "outside the extent",
        "export",
        in + ":/d",
        folder + "/o.h5",
        "--as",
        "csr",
        "--selection",
        "9,:");
    refused(1, "the output would replace the input", "export", in + ":/d", in, "--as", "mtx");
    refused(2, "a text has no path", "export", in + ":/d", folder + "/o.mtx:/x", "--as", "mtx");
    refused(2, "--as", "export", in + ":/d", folder + "/o.h5", "--as", "xyz");
    refused(
        2,
        "only of dense data",
        "import",
        in + ":/d",
        folder + "/o.h5:/d",
        "--from",
        "csr",
        "--undefined",
        "0");
    refused(
        2,
        "no type of numbers",
        "import",
        folder + "/m.mtx",
        folder + "/o.h5:/d",
        "--from",
        "mtx",
        "--type",
        "x");
    assertFalse(Files.exists(folder.resolve("o.h5")));
    assertEquals("complex{f32}", new ComplexType(Datatype.F32).toString());
  }
}
