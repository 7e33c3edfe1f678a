package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.CopyOption;
import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.StorageChange;
import io.skerry.StorageChange.Layout;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.Skerry;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.value.Value;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads values of variable length and references through virtual datasets. */
class VirtualContentsTest {
  /**
   * Each virtual dataset of virtual.h5 has four elements from each of two sources, and one element
   * without a source. The dataset of the same name in whole.h5 has the values that h5py reads from
   * the virtual dataset. HDF5 cannot read "tag", whose sources have another character set.
   */
  private static final String MAKE =
      """
      import h5py, numpy as np
      from h5py import h5d, h5p, h5s
      text = h5py.string_dtype()
      ints = h5py.vlen_dtype(np.dtype("<i4"))
      pair = np.dtype([("name", text), ("n", "<i4"), ("list", ints)])
      def values(kind, part):
          word = lambda i: "é" * i + "abc%d" % part
          row = lambda i: np.arange(i, dtype="<i4") + 100 * part
          if kind == "text":
              return [word(i) for i in range(4)]
          if kind == "ints":
              return [row(i) for i in range(4)]
          return [(word(i), i, row(3 - i)) for i in range(4)]
      types = {"text": text, "ints": ints, "pair": pair}
      def fill(f, name, dtype, data):
          d = f.create_dataset(name, (len(data),), dtype)
          for i, value in enumerate(data):
              d[i] = value
      for part in range(2):
          with h5py.File("part%d.h5" % part, "w", libver="latest") as f:
              for kind, dtype in types.items():
                  fill(f, kind, dtype, values(kind, part))
              g = f.create_group("group%d" % part)
              d = f.create_dataset("data%d" % part, data=np.arange(12).reshape(3, 4))
              f.create_dataset("object", data=[g.ref, d.ref, None, f["text"].ref],
                  dtype=h5py.ref_dtype)
              f.create_dataset("region", data=[d.regionref[0:2, 1:3], d.regionref[2], None,
                  d.regionref[:, 0]], dtype=h5py.regionref_dtype)
              f.create_dataset("tag", data=[b"a", b"b", b"c", b"d"], dtype=h5py.string_dtype("ascii"))
      types["object"] = h5py.ref_dtype
      types["region"] = h5py.regionref_dtype
      def virtual(f, name, dtype, prefix="part%d.h5", suffix=""):
          space = h5s.create_simple((9,))
          p = h5p.create(h5p.DATASET_CREATE)
          for part in range(2):
              s = space.copy()
              s.select_hyperslab((part,), (4,), (2,))
              file = prefix % part if "%" in prefix else prefix
              p.set_virtual(s, file.encode(), (name + suffix).encode(), h5s.create_simple((4,)))
          h5d.create(f.id, name.encode(), h5py.h5t.py_create(dtype, logical=True), space, p)
      with h5py.File("virtual.h5", "w", libver="latest") as f:
          for kind, dtype in types.items():
              virtual(f, kind, dtype)
          virtual(f, "tag", text)
          layout = h5py.VirtualLayout((3,), text)
          layout[...] = h5py.VirtualSource("virtual.h5", "text", (9,), text)[1:4]
          f.create_virtual_dataset("nested", layout)
      with h5py.File("part0.h5", "a", libver="latest") as f:
          layout = h5py.VirtualLayout((4,), h5py.ref_dtype)
          layout[...] = h5py.VirtualSource("part0.h5", "object", (4,), h5py.ref_dtype)
          f.create_virtual_dataset("same", layout)
      with h5py.File("moved.h5", "w", libver="latest") as f:
          for kind in ("object", "region"):
              layout = h5py.VirtualLayout((4,), types[kind])
              layout[...] = h5py.VirtualSource("part0.h5", kind, (4,), types[kind])
              f.create_virtual_dataset(kind, layout)
      with h5py.File("virtual.h5") as v, h5py.File("whole.h5", "w", libver="latest") as f:
          for kind in ("text", "ints", "pair"):
              fill(f, kind, types[kind], v[kind][...])
          fill(f, "nested", text, v["nested"][...])
          fill(f, "tag", text, list("aabbccdd") + [""])
      """;

  private static final List<String> KINDS = List.of("text", "ints", "pair", "nested", "tag");

  @TempDir Path folder;

  @BeforeEach
  void makes_virtual_datasets() {
    assumeFalse(Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    Oracle.h5py().getFirst().run(folder, "-c", MAKE).expectSuccess();
  }

  private Path file(String name) {
    return folder.resolve(name + ".h5");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void values_are_those_that_h5py_reads(int ranks) {
    List<Boolean> unused = LocalRanks.call(ranks, this::compare);
  }

  private boolean compare(Communicator world) {
    try (H5File virtual = H5File.open(file("virtual"), world);
        H5File whole = H5File.open(file("whole"), world)) {
      for (String kind : KINDS) {
        Dataset found = virtual.dataset(kind);
        Dataset expected = whole.dataset(kind);
        for (Selection part :
            List.of(
                Selection.all(),
                Selection.at(Math.min(1, world.rank())).extent(2),
                Selection.points(new long[][] {{2}, {0}, {1}, {2}, {2}}))) {
          assertEquals(expected.readValues(part), found.readValues(part), kind);
          assertEquals(expected.readValues(part), found.independent().readValues(part), kind);
        }
      }
    }
    return true;
  }

  @Test
  void members_without_contents_are_read_as_numbers() {
    Datatype memory = new Compound(4, List.of(new Compound.Member("n", 0, Datatype.I32)));
    try (H5File file = H5File.open(file("virtual"))) {
      MemorySegment numbers = MemorySegment.ofArray(new byte[36]);
      file.dataset("pair").read(Selection.all(), memory, numbers);
      assertEquals(
          "[0, 0, 1, 1, 2, 2, 3, 3, 0]",
          Arrays.toString(numbers.toArray(ValueLayout.JAVA_INT_UNALIGNED)));
      CollectiveException e =
          assertThrows(
              CollectiveException.class,
              () -> {
                byte[] unused = file.dataset("text").readBytes(Selection.all());
              });
      assertTrue(e.getMessage().contains("read values instead"), e::getMessage);
    }
  }

  @Test
  void an_object_reference_refers_to_the_object_of_the_source_file() {
    try (H5File virtual = H5File.open(file("virtual"))) {
      List<Value> values = virtual.dataset("object").readValues(Selection.all());
      for (int part = 0; part < 2; part++) {
        try (H5File source = H5File.open(file("part" + part))) {
          for (int i = 0; i < 4; i++) {
            if (i == 2) {
              assertEquals(new Value.NullReference(), values.get(4 + part));
              continue;
            }
            String path = List.of("/group" + part, "/data" + part, "", "/text").get(i);
            Value.Target target = ((Value.ObjectReference) values.get(2 * i + part)).target();
            assertEquals(file("part" + part).toString(), target.file().orElseThrow());
            assertEquals(path, target.path().orElseThrow());
            Value own = source.dataset("object").readValues(Selection.at(i)).getFirst();
            assertEquals(((Value.ObjectReference) own).target().address(), target.address());
          }
        }
      }
      assertEquals(new Value.NullReference(), values.get(8));
    }
  }

  @Test
  void a_region_reference_selects_elements_of_the_source_file() {
    try (H5File virtual = H5File.open(file("virtual"))) {
      List<Value> values = virtual.dataset("region").readValues(Selection.all());
      Value.RegionReference first = (Value.RegionReference) values.get(1);
      assertEquals("/data1", first.target().path().orElseThrow());
      assertEquals(file("part1").toString(), first.target().file().orElseThrow());
      assertEquals(Selection.at(0, 1).extent(2, 2), first.region());
      assertEquals(new Value.NullReference(), values.get(4));
    }
  }

  @Test
  void a_reference_of_a_source_in_the_same_file_is_unchanged() {
    try (H5File file = H5File.open(file("part0"))) {
      assertEquals(
          file.dataset("object").readValues(Selection.all()),
          file.dataset("same").readValues(Selection.all()));
    }
  }

  private String run(String... line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code = Skerry.run(Map.of(), new PrintStream(out, true, StandardCharsets.UTF_8), line);
    String text = out.toString(StandardCharsets.UTF_8);
    assertEquals(0, code, () -> String.join(" ", line) + ": " + text);
    return text;
  }

  @Test
  void dump_and_digest_are_those_of_a_dataset_with_the_same_values() {
    for (String kind : KINDS) {
      assertEquals(
          run("dump", file("whole") + ":/" + kind), run("dump", file("virtual") + ":/" + kind));
    }
    List<String> found = run("digest", file("virtual").toString()).lines().toList();
    List<String> expected =
        run("digest", file("whole").toString())
            .lines()
            .filter(line -> line.contains("  dataset "))
            .toList();
    assertEquals(KINDS.size(), expected.size());
    assertTrue(found.containsAll(expected), () -> expected + " in " + found);
  }

  @Test
  void the_digest_of_references_does_not_depend_on_the_files_of_the_sources() {
    for (String name : List.of("/object ", "/region ")) {
      assertEquals(digest("part0", name), digest("moved", name), name);
    }
    assertEquals(digest("part0", "/object "), digest("part0", "/same "));
  }

  private String digest(String name, String object) {
    List<String> hashes =
        run("digest", file(name).toString())
            .lines()
            .filter(line -> line.contains(" " + object))
            .map(line -> line.substring(0, line.indexOf(' ')))
            .toList();
    assertEquals(1, hashes.size(), name + " " + object);
    assertEquals(64, hashes.getFirst().length(), hashes.getFirst());
    return hashes.getFirst();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void a_copy_with_other_storage_has_the_values(int ranks) {
    Path out = folder.resolve("copy" + ranks + ".h5");
    List<Boolean> unused = LocalRanks.call(ranks, world -> copy(out, world));
    try (H5File copy = H5File.open(out);
        H5File whole = H5File.open(file("whole"))) {
      for (String kind : KINDS) {
        assertEquals("chunked", copy.dataset(kind).storage().layout());
        assertEquals(
            whole.dataset(kind).readValues(Selection.all()),
            copy.dataset(kind).readValues(Selection.all()),
            kind);
      }
      for (String kind : List.of("object", "region")) {
        for (Value value : copy.dataset(kind).readValues(Selection.all())) {
          assertEquals(new Value.NullReference(), value, kind);
        }
      }
    }
  }

  private boolean copy(Path out, Communicator world) {
    try (H5File source = H5File.open(file("virtual"), world);
        H5File target = H5File.create(out, world)) {
      ObjectCopier.between(source, target, CopyOption.KEEP_INNER_REFERENCES)
          .storing(_ -> StorageChange.none().withLayout(Layout.CHUNKED))
          .copyAll();
    }
    return true;
  }
}
