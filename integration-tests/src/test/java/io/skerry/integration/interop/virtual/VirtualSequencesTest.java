package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.integration.interop.Digests;
import io.skerry.jobs.Skerry;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import io.skerry.value.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads, prints, digests and copies virtual datasets whose elements are sequences of numbers or of
 * compounds, and compares the results with h5py. The files are created by HDF5 1.10.8 and 2.0.0.
 */
class VirtualSequencesTest {
  /** The datasets of virtual.h5; whole.h5 has datasets that are not virtual with their values. */
  private static final List<String> NAMES =
      List.of("ints", "bytes", "reals", "pairs", "converted", "nested");

  /**
   * Creates the files. Rows 0 to 3 are from another file, from a chunked dataset, from the file of
   * the virtual dataset, and from a file that does not exist. One element in each row has no
   * source. Sequences may be empty or longer than a block of the global heap.
   */
  private static final String MAKE =
      """
      import h5py, numpy as np, sys
      bounds = sys.argv[1]
      def sequence(dtype):
          return h5py.vlen_dtype(np.dtype(dtype))
      types = {"ints": sequence("<i4"), "bytes": sequence("u1"), "reals": sequence("<f8"),
               "pairs": sequence([("a", "<i2"), ("b", "<f4")])}
      def values(kind, part):
          base = np.dtype(h5py.check_vlen_dtype(kind))
          lengths = [3, 0, 1, 1500 + part]
          if base.names:
              return [np.array([(i + 10 * part, i / 4) for i in range(n)], base) for n in lengths]
          return [((np.arange(n) + 50 * part) % 199 / (1 if base.kind in "iu" else 8)).astype(base)
                  for n in lengths]
      def fill(f, name, kind, part, **more):
          d = f.create_dataset(name, (4,), kind, **more)
          for i, value in enumerate(values(kind, part)):
              d[i] = value
      for part in range(2):
          with h5py.File("part%d.h5" % part, "w", libver=bounds) as f:
              for name, kind in types.items():
                  chunked = {"chunks": (3,), "maxshape": (None,)}
                  fill(f, name, kind, part, **(chunked if part else {}))
      with h5py.File("virtual.h5", "w", libver=bounds) as f:
          for name, kind in types.items():
              fill(f, "own-" + name, kind, 2)
              layout = h5py.VirtualLayout((4, 5), kind)
              layout[0, :4] = h5py.VirtualSource("part0.h5", name, (4,), kind)
              layout[1, 1:] = h5py.VirtualSource("part1.h5", name, (4,), kind)
              layout[2, 1:] = h5py.VirtualSource(".", "own-" + name, (4,), kind)
              layout[3, :4] = h5py.VirtualSource("missing.h5", name, (4,), kind)
              f.create_virtual_dataset(name, layout)
          layout = h5py.VirtualLayout((4,), sequence("<i8"))
          layout[...] = h5py.VirtualSource("part1.h5", "ints", (4,), types["ints"])
          f.create_virtual_dataset("converted", layout)
          layout = h5py.VirtualLayout((4,), types["ints"])
          layout[...] = h5py.VirtualSource("virtual.h5", "ints", (4, 5), types["ints"])[1, 1:]
          f.create_virtual_dataset("nested", layout)
      with h5py.File("whole.h5", "w", libver=bounds) as f:
          rows = np.array([[(0, i) for i in range(4)] + [None], [None] + [(1, i) for i in range(4)],
                           [None] + [(2, i) for i in range(4)], [None] * 5], object)
          def whole(name, kind, of, at):
              d = f.create_dataset(name, at.shape, kind)
              for to in np.ndindex(at.shape):
                  if at[to]:
                      d[to] = values(of, at[to][0])[at[to][1]].astype(h5py.check_vlen_dtype(kind))
          for name, kind in types.items():
              whole(name, kind, kind, rows)
          whole("converted", sequence("<i8"), types["ints"], rows[1, 1:])
          whole("nested", types["ints"], types["ints"], rows[1, 1:])
      """;

  /**
   * Prints whether a dataset is virtual, and its elements; or that h5py refuses it: h5py 3.7 cannot
   * convert an empty sequence of compounds.
   */
  private static final String SHOW =
      """
      import h5py, sys
      def text(value):
          if value.dtype.names:
              return "(" + " ".join(text(value[n]) for n in value.dtype.names) + ")"
          return repr(float(value) if value.dtype.kind == "f" else int(value))
      with h5py.File(sys.argv[1]) as f:
          for name in sys.argv[2:]:
              d = f[name]
              try:
                  shown = ";".join(" ".join(map(text, row)) for row in d[...].ravel())
              except ValueError:
                  shown = "refused"
              print(name, "virtual" if d.is_virtual else "whole", shown, sep="\\t")
      """;

  /** The arguments of tests for which few combinations suffice. */
  private static final List<Arguments> MAKERS =
      Boolean.getBoolean("skerry.thorough")
          ? List.of(
              Arguments.of("1.10.8", "earliest", 1),
              Arguments.of("1.10.8", "latest", 2),
              Arguments.of("2.0.0", "earliest", 2),
              Arguments.of("2.0.0", "latest", 1))
          : List.of(Arguments.of("1.10.8", "earliest", 1), Arguments.of("2.0.0", "latest", 2));

  @TempDir static Path made;

  @TempDir Path folder;

  static List<Arguments> makers() {
    return MAKERS;
  }

  /**
   * Creates the files in the folder, or copies those that another test created.
   *
   * @return the h5py that created them, and the others that can read them
   */
  private List<Oracle> make(String hdf5, String libver) throws IOException {
    Optional<Oracle> h5py = Oracle.h5py(hdf5);
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 " + hdf5);
    Path from = made.resolve(hdf5 + " " + libver);
    if (!Files.exists(from)) {
      h5py.get().run(Files.createDirectory(from), "-c", MAKE, libver).expectSuccess();
    }
    for (String name : List.of("part0.h5", "part1.h5", "virtual.h5", "whole.h5")) {
      Files.copy(from.resolve(name), file(name));
    }
    List<Oracle> readers = new ArrayList<>(List.of(h5py.get()));
    if (hdf5.startsWith("1.") || libver.equals("earliest")) {
      Oracle.h5py().stream().filter(other -> !other.equals(h5py.get())).forEach(readers::add);
    }
    return readers;
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  /** Returns the lines of {@link #SHOW}. */
  private List<String> shown(Oracle h5py, Path file) {
    List<Object> line = new ArrayList<>(List.of("-c", SHOW, file));
    line.addAll(NAMES);
    List<String> lines = h5py.run(folder, line.toArray()).expectSuccess().out().lines().toList();
    assertEquals(NAMES.size(), lines.size());
    List<String> refused = lines.stream().filter(text -> text.endsWith("\trefused")).toList();
    assertTrue(
        refused.isEmpty() || !h5py.hdf5().startsWith("2.") && refused.size() == 1,
        () -> h5py + ": " + refused);
    return lines;
  }

  /** Compares what h5py reads from a file with what Skerry reads from virtual.h5. */
  private void compare(Oracle h5py, Path file, String kind) {
    List<String> shown = shown(h5py, file);
    try (H5File virtual = H5File.open(file("virtual.h5"))) {
      for (int i = 0; i < NAMES.size(); i++) {
        String[] fields = shown.get(i).split("\t", -1);
        assertEquals(kind, fields[1], shown.get(i));
        if (!fields[2].equals("refused")) {
          Dataset dataset = virtual.dataset(NAMES.get(i));
          assertEquals(text(dataset, Selection.all()), fields[2], h5py.name());
        }
      }
    }
  }

  private static String text(Dataset dataset, Selection selection) {
    return dataset.readValues(selection).stream()
        .map(element ->
            ((Value.Sequence) element)
                .elements().stream()
                    .map(VirtualSequencesTest::text)
                    .collect(Collectors.joining(" ")))
        .collect(Collectors.joining(";"));
  }

  private static String text(Value value) {
    return switch (value) {
      case Value.Whole whole -> whole.value().toString();
      case Value.Real real -> Double.toString(real.value());
      case Value.Compound compound ->
          compound.fields().stream()
              .map(field -> text(field.value()))
              .collect(Collectors.joining(" ", "(", ")"));
      default -> throw new IllegalArgumentException("neither a number nor a compound: " + value);
    };
  }

  private static String run(String... line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code = Skerry.run(Map.of(), new PrintStream(out, true, StandardCharsets.UTF_8), line);
    String text = out.toString(StandardCharsets.UTF_8);
    assertEquals(0, code, () -> String.join(" ", line) + ": " + text);
    return text;
  }

  @ParameterizedTest
  @CsvSource({"1.10.8, earliest", "1.10.8, latest", "2.0.0, earliest", "2.0.0, latest"})
  void sequences_are_read_as_by_h5py(String hdf5, String libver) throws IOException {
    for (Oracle h5py : make(hdf5, libver)) {
      compare(h5py, file("virtual.h5"), "virtual");
    }
    for (int ranks : new int[] {1, 3}) {
      LocalRanks.run(ranks, this::readParts);
    }
  }

  /** Compares parts of virtual datasets with the same parts of datasets that are not virtual. */
  private void readParts(Communicator world) {
    try (H5File virtual = H5File.open(file("virtual.h5"), world);
        H5File whole = H5File.open(file("whole.h5"), world)) {
      for (String name : NAMES) {
        Dataset expected = whole.dataset(name);
        boolean flat = expected.shape().rank() == 1;
        long rank = world.rank();
        List<Selection> parts =
            flat
                ? List.of(Selection.at(rank).extent(2), Selection.points(1, new long[] {3, 0, 3}))
                : List.of(
                    Selection.at(rank, 0).extent(1, 5),
                    Selection.at(0, rank).stride(2, 1).count(2, 2),
                    Selection.points(new long[][] {{2, 4}, {0, 0}, {2, 4}, {3, 3}, {1, 1}}));
        for (Selection part : parts) {
          String values = text(expected, part);
          assertTrue(values.length() > 1, () -> name + " " + part);
          assertEquals(values, text(virtual.dataset(name), part), name);
          assertEquals(values, text(virtual.dataset(name).independent(), part), name);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1.10.8, earliest", "2.0.0, latest"})
  void dump_prints_the_sequences(String hdf5, String libver) throws IOException {
    var unused = make(hdf5, libver);
    for (String name : NAMES) {
      String expected = run("dump", file("whole.h5") + ":/" + name);
      assertTrue(expected.length() > 3000, expected);
      assertEquals(expected, run("dump", file("virtual.h5") + ":/" + name));
    }
  }

  @ParameterizedTest
  @MethodSource("makers")
  void digest_prints_the_hashes_of_the_sequences_that_h5py_reads(
      String hdf5, String libver, int ranks) throws IOException {
    Path theirs = Files.createDirectory(file("theirs"));
    Path ours = Files.createDirectory(file("ours"));
    for (Oracle h5py : make(hdf5, libver)) {
      h5py.script(folder, "digest_files.py", theirs, file("virtual.h5")).expectSuccess();
      Digests.write(ours, List.of(file("virtual.h5")));
      ProcessResult compared = h5py.script(folder, "compare_digests.py", ours, theirs, 1);
      assertEquals(0, compared.code(), compared.out() + compared.err());
      // The file also has four datasets that are not virtual. h5py 3.7 refuses both of pairs.
      int equal = h5py.hdf5().startsWith("2.") ? NAMES.size() + 4 : NAMES.size() + 2;
      assertTrue(compared.out().contains("\"datasets equal\": " + equal), compared.out());
    }
  }

  @ParameterizedTest
  @MethodSource("makers")
  void h5py_reads_the_same_sequences_from_copies_with_and_without_mappings(
      String hdf5, String libver, int ranks) throws IOException {
    List<Oracle> readers = make(hdf5, libver);
    Path kept = file("kept.h5");
    Path materialized = Files.createDirectory(file("elsewhere")).resolve("materialized.h5");
    String from = file("virtual.h5").toString();
    run("repack", from, kept.toString(), "--virtual=keep", "--ranks=" + ranks);
    run("repack", from, materialized.toString(), "--virtual=materialize", "--ranks=" + ranks);
    for (Oracle h5py : readers) {
      compare(h5py, kept, "virtual");
      compare(h5py, materialized, "whole");
    }
    for (Path copy : List.of(kept, materialized)) {
      assertTrue(run("verify", copy.toString()).endsWith("clean\n"));
      assertEquals(hashes(file("virtual.h5")), hashes(copy));
    }
  }

  private static List<String> hashes(Path file) {
    List<String> hashes =
        run("digest", file.toString())
            .lines()
            .filter(line -> line.contains("  dataset "))
            .sorted()
            .toList();
    assertEquals(NAMES.size() + 4, hashes.size());
    return hashes;
  }
}
