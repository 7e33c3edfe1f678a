package io.skerry.jobs.interchange;

import static io.skerry.jobs.InProcess.good;
import static io.skerry.jobs.InProcess.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.VariableLength;
import io.skerry.jobs.file.OutputFile;
import io.skerry.jobs.interchange.form.CoordinateForm;
import io.skerry.jobs.interchange.form.DenseForm;
import io.skerry.jobs.interchange.form.ElementView;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.Trust;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code skerry export} and {@code skerry import} with unusual and malicious files. */
class InterchangeFaultsTest {
  @TempDir private Path folder;

  @Test
  void every_nan_is_undefined_if_nan_is_the_undefined_value() {
    Path in = folder.resolve("in.h5");
    double[] values = {
      1,
      Double.longBitsToDouble(0x7ff8000000000000L),
      Double.longBitsToDouble(0xfff8000000000000L),
      Double.longBitsToDouble(0x7ff0000000000001L),
      Double.POSITIVE_INFINITY
    };
    for (Datatype type : List.of(Datatype.F64, Datatype.F64.withOrder(Endian.BIG))) {
      try (H5File file = H5File.create(in)) {
        file.createDataset("/d", DatasetSpec.of(type, Shape.of(5))).write(Selection.all(), values);
      }
      Path out = folder.resolve(type + ".h5");
      good("import", in + ":/d", out + ":/d", "--from", "dense", "--undefined", "nan");
      try (H5File file = H5File.open(out)) {
        Dataset sparse = file.dataset("/d");
        Selection defined = sparse.defined(Selection.all());
        assertArrayEquals(new long[] {0, 4}, defined.toCoordinates(sparse.shape()));
      }
    }
  }

  @Test
  void elements_of_many_bytes_are_imported_in_small_batches() {
    Path in = folder.resolve("large.h5");
    Datatype large = FloatingPoint.ieee(1 << 14, 52, 11, Endian.LITTLE);
    double[] values = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    try (H5File file = H5File.create(in)) {
      file.createDataset("/d", DatasetSpec.of(large, Shape.of(9))).write(Selection.all(), values);
    }
    Path sparse = folder.resolve("sparse.h5");
    good("import", in + ":/d", sparse + ":/d", "--from", "dense");
    for (String form : List.of("coo", "dense")) {
      Path out = folder.resolve(form + ".h5");
      Path back = folder.resolve(form + "-back.h5");
      good("export", sparse + ":/d", out + ":/d", "--as", form);
      good("import", out + ":/d", back + ":/d", "--from", form);
      try (H5File file = H5File.open(back)) {
        assertArrayEquals(values, file.dataset("/d").readDoubles(Selection.all()));
      }
    }
  }

  @Test
  void members_that_a_coordinate_list_does_not_use_are_reported() {
    Path list = folder.resolve("list.h5");
    good("export", masked() + ":/d", list + ":/g", "--as", "coo");
    try (H5File file = H5File.openForWriting(list, Communicator.self())) {
      var unused = file.createGroup("/g/extra");
    }
    String report =
        good("import", list + ":/g", folder.resolve("back.h5") + ":/d", "--from", "coo", "--json")
            .out();
    assertTrue(report.contains("\"leftOut\": \"extra\""), report);
  }

  /** Creates a dataset whose export needs a mask, because a defined element has the fill value. */
  private Path masked() {
    Path path = folder.resolve("masked.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(4)).sparse(2))
          .write(Selection.at(1).extent(2), new int[] {0, 7});
    }
    return path;
  }

  private static List<String> names(Path path) {
    try (H5File file = H5File.open(path)) {
      return file.root().links().stream().map(Group.Link::name).toList();
    }
  }

  @Test
  void a_failed_export_leaves_no_mask_and_no_groups() {
    Path out = folder.resolve("out.h5");
    try (H5File file = H5File.create(out)) {
      var unused = file.createGroup("/kept");
    }
    try (H5File source = H5File.open(masked())) {
      Dataset dataset = source.dataset("/d");
      ElementView view =
          ElementView.of(dataset, Selection.at(0).count(4), List.of(0))
              .watchedBy(_ -> {
                throw new JobException("enough");
              });
      for (String path : List.of("/d", "/x/y/d", "/kept/d")) {
        try (H5File target = H5File.openForWriting(out, Communicator.self())) {
          JobException thrown =
              assertThrows(
                  JobException.class,
                  () ->
                      OutputFile.createOrRemove(
                          target,
                          DenseForm.paths(path),
                          () -> DenseForm.write(view, target, path, List.of())));
          assertEquals("enough", thrown.getMessage());
        }
        assertEquals(List.of("kept"), names(out));
        try (H5File file = H5File.open(out)) {
          assertEquals(List.of(), file.group("/kept").links());
        }
      }
    }
  }

  @Test
  void a_failed_export_into_the_root_leaves_it_empty() {
    Path out = folder.resolve("out.h5");
    H5File.create(out).close();
    try (H5File source = H5File.open(masked());
        H5File target = H5File.openForWriting(out, Communicator.self())) {
      ElementView view =
          ElementView.of(source.dataset("/d"), Selection.at(0).count(4), List.of(0))
              .watchedBy(_ -> {
                throw new JobException("enough");
              });
      assertThrows(
          JobException.class,
          () ->
              OutputFile.createOrRemove(
                  target, List.of("/"), () -> CoordinateForm.write(view, target, "/", List.of())));
    }
    try (H5File file = H5File.open(out)) {
      assertEquals(List.of(), file.root().links());
      assertEquals(List.of(), file.root().attributes());
    }
  }

  @Test
  void a_failed_export_into_the_root_restores_the_attributes_that_it_replaced() {
    Path out = folder.resolve("out.h5");
    VariableLength text = VariableLength.string(CharacterSet.UTF8);
    Value before = new Value.Text("made by another program");
    try (H5File file = H5File.create(out)) {
      file.root().setAttribute("encoding-type", text, Shape.scalar(), List.of(before));
      file.root().setAttribute(Attribute.of("shape", 7));
      file.root().setAttribute(Attribute.of("kept", "k"));
    }
    try (H5File source = H5File.open(masked());
        H5File target = H5File.openForWriting(out, Communicator.self())) {
      ElementView view = ElementView.of(source.dataset("/d"), Selection.at(0).count(4), List.of(0));
      assertThrows(
          JobException.class,
          () ->
              OutputFile.createOrRemove(
                  target,
                  List.of("/"),
                  () -> {
                    long unused = CoordinateForm.write(view, target, "/", List.of());
                    target.flush();
                    throw new JobException("enough");
                  }));
    }
    try (H5File file = H5File.open(out)) {
      Group root = file.root();
      assertEquals(List.of(), root.links());
      assertEquals(
          List.of("encoding-type", "kept", "shape"),
          root.attributes().stream().map(Attribute::name).sorted().toList());
      assertEquals(
          List.of(before), root.attribute("encoding-type").orElseThrow().values(file.contents()));
      assertEquals(Attribute.of("shape", 7), root.attribute("shape").orElseThrow());
    }
  }

  @Test
  void a_failure_of_the_removal_does_not_hide_the_first_failure() {
    H5File target = H5File.create(folder.resolve("out.h5"));
    JobException thrown =
        assertThrows(
            JobException.class,
            () ->
                OutputFile.createOrRemove(
                    target,
                    List.of("/d"),
                    () -> {
                      target.close();
                      throw new JobException("first");
                    }));
    assertEquals("first", thrown.getMessage());
  }

  @Test
  void an_export_needs_all_its_names_to_be_free() {
    Path in = masked();
    Path out = folder.resolve("out.h5");
    try (H5File file = H5File.create(out)) {
      file.createDataset("/d-defined", DatasetSpec.of(Datatype.I8, Shape.of(4))).shape();
      file.createSoftLink("/nowhere", "/nothing");
    }
    refused(1, "taken: path=/d-defined", "export", in + ":/d", out + ":/d", "--as", "dense");
    refused(1, "taken: path=/nowhere", "export", in + ":/d", out + ":/nowhere", "--as", "coo");
    refused(1, "not a group", "export", in + ":/d", out + ":/d-defined/d", "--as", "coo");
    refused(1, "a dataset has a name", "export", in + ":/d", out + ":/", "--as", "dense");
    assertEquals(List.of("d-defined", "nowhere"), names(out));
  }

  /** Creates a file with a group of the given encoding type and content. */
  private Path group(String encoding, Consumer<Group> content) throws IOException {
    Path path = folder.resolve("group.h5");
    Files.deleteIfExists(path);
    try (H5File file = H5File.create(path)) {
      Group group = file.createGroup("/g");
      group.setAttribute(Attribute.of("encoding-type", encoding));
      content.accept(group);
    }
    return path;
  }

  private void refusedGroup(String reason, String form, Path path) {
    refused(1, reason, "import", path + ":/g", folder + "/bad.h5:/m", "--from", form);
    assertFalse(Files.exists(folder.resolve("bad.h5")));
  }

  private static void vector(Group group, String name, int... values) {
    group
        .createDataset(name, DatasetSpec.of(Datatype.I32, Shape.of(values.length)))
        .write(Selection.all(), values);
  }

  private static void coordinates(Group group, long[] shape, int elements) {
    group.setAttribute(Attribute.of("shape", shape));
    vector(group, "data", new int[elements]);
    group
        .createDataset("coords", DatasetSpec.of(Datatype.I32, Shape.of(shape.length, elements)))
        .shape();
  }

  @Test
  void invalid_shapes_are_refused_with_the_reason() throws IOException {
    long many = 1L << 40;
    refusedGroup("elements", "coo", group("coo", g -> coordinates(g, new long[] {many, many}, 1)));
    refusedGroup("dimensions", "coo", group("coo", g -> coordinates(g, new long[33], 1)));
    refusedGroup(
        "elements",
        "csr",
        group(
            "csr_matrix",
            g -> {
              g.setAttribute(Attribute.of("shape", new long[] {2, Long.MAX_VALUE}));
              vector(g, "data", 1);
              vector(g, "indices", 1);
              vector(g, "indptr", 0, 1, 1);
            }));
    Path text =
        Files.writeString(
            folder.resolve("m.mtx"),
            "%%MatrixMarket matrix coordinate real general\n" + Long.MAX_VALUE + " 2 1\n1 1 1\n");
    refused(1, "elements", "import", text, folder + "/bad.h5:/m", "--from", "mtx");
    for (String chunk : List.of("100000x100000", "5000000000x1", "2")) {
      refused(
          1,
          "chunk",
          "import",
          Files.writeString(
              text, "%%MatrixMarket matrix coordinate real general\n200000 200000 1\n1 1 1\n"),
          folder + "/bad.h5:/m",
          "--from",
          "mtx",
          "--chunk",
          chunk);
    }
    assertFalse(Files.exists(folder.resolve("bad.h5")));
  }

  @Test
  void attributes_without_a_value_are_refused_with_the_reason() throws IOException {
    refusedGroup(
        "attribute encoding-type",
        "csr",
        group(
            "csr_matrix",
            g -> {
              g.deleteAttribute("encoding-type");
              g.setAttribute(
                  Attribute.empty("encoding-type", VariableLength.string(CharacterSet.UTF8)));
            }));
    for (String form : List.of("csr", "coo")) {
      refusedGroup(
          "attribute shape",
          form,
          group(
              form.equals("coo") ? form : "csr_matrix",
              g -> g.setAttribute(Attribute.empty("shape", Datatype.I64))));
      refusedGroup(
          "attribute shape",
          form,
          group(
              form.equals("coo") ? form : "csr_matrix",
              g -> g.setAttribute(Attribute.of("shape", "2x3"))));
    }
  }

  @Test
  void a_dataset_too_large_for_a_shape_is_not_read() throws IOException {
    refusedGroup(
        "elements of /g/shape",
        "csc",
        group(
            "csc_matrix",
            g ->
                g.createDataset("shape", DatasetSpec.of(Datatype.I64, Shape.of(1L << 40)))
                    .shape()));
  }

  @Test
  void the_mask_attribute_may_be_a_variable_length_string() {
    Path in = folder.resolve("in.h5");
    Path out = folder.resolve("out.h5");
    try (H5File file = H5File.create(in)) {
      Dataset dense = file.createDataset("/g/d", DatasetSpec.of(Datatype.I32, Shape.of(3)));
      dense.write(Selection.all(), new int[] {0, 0, 5});
      dense.setAttribute(
          "defined-mask",
          VariableLength.string(CharacterSet.UTF8),
          Shape.scalar(),
          List.of(new Value.Text("mask")));
      file.createDataset("/g/mask", DatasetSpec.of(Datatype.I8, Shape.of(3)))
          .write(Selection.all(), new byte[] {0, 1, 1});
    }
    good("import", in + ":/g/d", out + ":/d", "--from", "dense");
    try (H5File file = H5File.open(out)) {
      Dataset sparse = file.dataset("/d");
      assertArrayEquals(
          new long[] {1, 2}, sparse.defined(Selection.all()).toCoordinates(sparse.shape()));
    }
  }

  @Test
  void a_file_is_opened_once_under_different_names() throws IOException {
    Path in = masked();
    Path link = Files.createSymbolicLink(folder.resolve("link.h5"), in);
    Path hard = Files.createLink(folder.resolve("hard.h5"), in);
    Path relative = Path.of("").toAbsolutePath().relativize(in);
    List<Path> spellings = List.of(folder.resolve("./masked.h5"), relative, link, hard);
    for (Path one : spellings) {
      String opened =
          OutputFile.between(
              in,
              one,
              Trust.SAME_FOLDER,
              Communicator.self(),
              (source, target) -> source == target ? "once" : "twice");
      assertEquals("once", opened, one.toString());
    }
    good("export", in + ":/d", relative + ":/e", "--as", "dense");
    good("import", link + ":/e", in + ":/s", "--from", "dense");
    assertEquals(List.of("d", "e", "e-defined", "s"), names(in).stream().sorted().toList());
  }
}
