package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.Shell.Ran;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that commands that process all elements refuse extents that would take too long. */
class WorkLimitTest {
  /**
   * The shape of a second, small dataset, which must be processed after the refusal of the first.
   */
  private static final Shape SMALL = Shape.of(10);

  @TempDir Path folder;

  private Path file(Shape shape, DatasetSpec spec) {
    Path path = folder.resolve("file" + shape.rank() + ".h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("large", spec);
      file.createDataset("small", DatasetSpec.of(Datatype.I32, SMALL).chunked(5));
    }
    return path;
  }

  /** Creates a file with a chunked dataset of which no chunk is stored. */
  private Path unwritten(Shape shape) {
    return file(shape, DatasetSpec.of(Datatype.I32, shape).chunked(64, 64));
  }

  @Test
  void an_extent_above_the_limit_is_refused_with_numbers_and_option() {
    Shape shape = Shape.of(1L << 24, 1L << 24);
    Path path = unwritten(shape);
    String out = folder.resolve("out.h5") + ":/out";
    for (List<String> command :
        List.of(
            List.of("digest", path.toString()),
            List.of("stat", "--cache", path.toString()),
            List.of("convert", "--sparse", "64x64", path + ":/large", out),
            List.of("export", "--as", "coo", path + ":/large", out))) {
      Ran ran = InProcess.skerry(command.toArray(String[]::new));
      assertEquals(1, ran.code(), command + ran.out() + ran.err());
      String said = ran.out() + ran.err();
      for (String part :
          List.of("/large", shape.toString(), path.toString(), "limitBytes=268435456", "--limit")) {
        assertTrue(said.contains(part), command + " says " + said);
      }
    }
    assertTrue(InProcess.skerry("digest", path.toString()).out().contains("/small  10 i32"));
    assertFalse(Files.exists(folder.resolve("out.h5")));
  }

  @Test
  void the_limit_can_be_changed_and_removed() {
    // 258 MiB, which is just above the default limit of 256 MiB.
    Path path = unwritten(Shape.of(1 << 13, (1 << 13) + 64));
    assertEquals(1, InProcess.skerry("digest", path.toString()).code());
    String whole = InProcess.good("digest", "--limit", "none", path.toString()).out();
    assertEquals(whole, InProcess.good("digest", "--limit=1G", path.toString()).out());
    assertEquals(1, InProcess.skerry("digest", "--limit=257M", path.toString()).code());
    assertEquals(2, InProcess.skerry("digest", "--limit=few", path.toString()).code());
    InProcess.good("stat", "--cache", "--limit=none", path.toString());
    assertEquals(2, InProcess.skerry("stat", "--limit=none", path.toString()).code());
  }

  @Test
  void the_default_limit_grows_with_the_size_of_the_file() {
    assertEquals(256L << 20, WorkLimit.standard().allowed(1000));
    assertEquals(20_000L * (4 << 20), WorkLimit.standard().allowed(4 << 20));
    assertEquals(Long.MAX_VALUE, WorkLimit.standard().allowed(Long.MAX_VALUE / 2));
  }

  @Test
  void an_import_counts_datasets_behind_links_of_all_kinds() {
    int columns = 4096;
    Path path = folder.resolve("matrix.h5");
    Path linked = folder.resolve("linked.h5");
    try (H5File file = H5File.create(path);
        H5File other = H5File.create(linked)) {
      matrix(file.createGroup("/hard"), columns);
      Group soft = file.createGroup("/soft");
      Group external = other.createGroup("/external");
      for (Group group : List.of(soft, external)) {
        describe(group, columns);
      }
      for (String name : List.of("data", "indices", "indptr")) {
        file.createSoftLink("/soft/" + name, "/hard/" + name);
        other.createExternalLink("/external/" + name, "matrix.h5", "/hard/" + name);
      }
    }
    for (String in : List.of(path + ":/hard", path + ":/soft", linked + ":/external")) {
      String out = folder.resolve("out.h5") + ":/from-" + in.substring(in.lastIndexOf('/') + 1);
      InProcess.refused(1, "limitBytes=102400", "import", "--from", "csr", "--limit=100K", in, out);
      InProcess.good("import", "--from", "csr", "--limit=1M", in, out);
    }
  }

  private static void describe(Group group, int columns) {
    group.setAttribute(Attribute.of("encoding-type", "csr_matrix"));
    group.setAttribute(Attribute.of("shape", new long[] {1, columns}));
  }

  /** Stores a matrix of one row in which every element is defined. */
  private static void matrix(Group group, int columns) {
    describe(group, columns);
    int[] indices = new int[columns];
    Arrays.setAll(indices, i -> i);
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(columns));
    group.createDataset("data", spec).write(Selection.all(), indices);
    group.createDataset("indices", spec).write(Selection.all(), indices);
    group
        .createDataset("indptr", DatasetSpec.of(Datatype.I32, Shape.of(2)))
        .write(Selection.all(), new int[] {0, columns});
  }

  @Test
  void exporting_a_sparse_dataset_of_huge_extent_costs_only_its_stored_elements() {
    for (long[] extent :
        List.of(new long[] {1L << 30, 1L << 31}, new long[] {3, 1 << 20, 1L << 40})) {
      int rank = extent.length;
      long[] open = new long[rank];
      Arrays.fill(open, Shape.UNLIMITED);
      Shape shape = Shape.of(extent, open);
      long[] chunk = new long[rank];
      Arrays.fill(chunk, 2);
      Path path = file(shape, DatasetSpec.of(Datatype.I32, shape).sparse(chunk));
      long[] last = shape.extent();
      long[] second = new long[rank];
      for (int d = 0; d < rank; d++) {
        last[d]--;
        second[d] = 1;
      }
      try (H5File opened = H5File.openForWriting(path, Communicator.self())) {
        Dataset large = opened.dataset("large");
        large.write(Selection.points(new long[][] {last, second}), new int[] {7, 8});
      }
      Path out = folder.resolve("coo" + rank + ".h5");
      InProcess.good("export", "--as", "coo", path + ":/large", out + ":/out");
      try (H5File exported = H5File.open(out)) {
        Dataset data = exported.dataset("/out/data");
        assertEquals(List.of(8, 7), Arrays.stream(data.readInts(Selection.all())).boxed().toList());
      }
    }
  }
}
