package io.skerry.jobs.interchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.jobs.Skerry;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that scipy and numpy read exported files, and that {@code import} reads their files. */
class InterchangeForOthersTest {
  private static final List<Oracle> H5PY = Oracle.h5py();
  private static final Shape SHAPE = Shape.of(31, 47);

  @TempDir private Path folder;

  private static String skerry(Object... line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code =
        Skerry.run(
            Map.of(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            Arrays.stream(line).map(Object::toString).toArray(String[]::new));
    assertEquals(0, code, Arrays.toString(line));
    return out.toString(StandardCharsets.UTF_8);
  }

  private static Map<String, Datatype> types() {
    Map<String, Datatype> types = new LinkedHashMap<>();
    types.put("u8", Datatype.U8);
    types.put("i16be", Datatype.I16.withOrder(Endian.BIG));
    types.put("u32", Datatype.U32);
    types.put("u64", Datatype.U64);
    types.put("i64", Datatype.I64);
    types.put("f16", Datatype.F16);
    types.put("f32", Datatype.F32);
    types.put("f64be", Datatype.F64.withOrder(Endian.BIG));
    types.put(
        "c128",
        new Compound(
            16,
            List.of(
                new Compound.Member("r", 0, Datatype.F64),
                new Compound.Member("i", 8, Datatype.F64))));
    return types;
  }

  /** Fills an array with random elements; floating-point elements are finite. */
  private static void fill(byte[] values, Datatype type, Random random) {
    random.nextBytes(values);
    if (!type.toString().matches("[iu]\\d.*")) {
      for (int i = 0; i < values.length; i++) {
        values[i] &= 0x3b;
      }
    }
  }

  @Test
  void scipy_or_numpy_reads_every_form() {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    Path in = folder.resolve("in.h5");
    Path expected = folder.resolve("expected.h5");
    Random random = new Random(21);
    try (H5File file = H5File.create(in);
        H5File told = H5File.create(expected)) {
      types()
          .forEach((name, type) -> {
            long[][] points = new long[300][];
            for (int i = 0; i < points.length; i++) {
              points[i] = new long[] {random.nextInt(31), random.nextInt(47)};
            }
            byte[] values = new byte[points.length * type.size()];
            fill(values, type, random);
            Arrays.fill(values, 0, 20 * type.size(), (byte) 0);
            Selection where = Selection.points(points);
            file.createDataset("/" + name, DatasetSpec.of(type, SHAPE).sparse(8, 10))
                .write(where, type, MemorySegment.ofArray(values));
            told.createDataset("/values/" + name, DatasetSpec.of(type, SHAPE))
                .write(where, type, MemorySegment.ofArray(values));
            byte[] ones = new byte[points.length];
            Arrays.fill(ones, (byte) 1);
            told.createDataset("/mask/" + name, DatasetSpec.of(Datatype.U8, SHAPE))
                .write(where, ones);
          });
    }
    for (String name : types().keySet()) {
      for (String form : List.of("csr", "csc", "coo", "dense")) {
        String place = folder + "/forms.h5:/" + form + "/" + name;
        skerry("export", in + ":/" + name, place, "--as", form);
      }
      skerry("export", in + ":/" + name, folder + "/" + name + ".mtx", "--as", "mtx");
    }
    for (Oracle h5py : H5PY) {
      String out =
          h5py.script(folder, "interchange.py", "check", folder).expectSuccess().out().strip();
      assertEquals(types().size(), out.lines().count(), out);
      System.out.println(h5py + ": " + out.lines().toList().getFirst());
    }
  }

  @Test
  void files_of_scipy_and_numpy_are_read() {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    for (Oracle h5py : H5PY) {
      String names =
          h5py.script(folder, "interchange.py", "make", folder).expectSuccess().out().strip();
      Path made = folder.resolve("made.h5");
      Path out = folder.resolve(h5py.hdf5() + ".h5");
      for (String name : names.split(" ")) {
        boolean text = name.equals("real") || name.equals("symmetric");
        String form =
            switch (name) {
              case "csr", "old" -> "csr";
              case "csc", "matrix" -> "csc";
              default -> "mtx";
            };
        Object place = text ? folder.resolve(name + ".mtx") : made + ":/" + name;
        String report = skerry("import", place, out + ":/" + name, "--from", form);
        assertEquals(
            name.equals("matrix"), report.contains("barcodes") && report.contains("features"));
        try (H5File a = H5File.open(made);
            H5File b = H5File.open(out)) {
          double[] expected = a.dataset("/expected/" + name).readDoubles(Selection.all());
          Dataset actual = b.dataset("/" + name);
          assertArrayEquals(expected, actual.readDoubles(Selection.all()), name);
          long some = Arrays.stream(expected).filter(value -> value != 0).count();
          assertEquals(some, actual.defined(Selection.all()).count(actual.shape()), name);
          assertTrue(actual.isSparse());
        }
      }
      System.out.println(h5py + ": " + names);
    }
  }
}
