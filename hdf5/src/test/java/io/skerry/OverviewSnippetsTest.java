package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The snippets of the package overview of {@code io.skerry}: the javadoc tool copies the marked
 * regions from this file.
 */
class OverviewSnippetsTest {
  @TempDir Path folder;

  private Path path;

  @BeforeEach
  void create_a_file() {
    path = folder.resolve("run.h5");
    // @start region="create"
    DatasetSpec spec =
        DatasetSpec.of(Datatype.F32, Shape.of(100, 512).unlimited(0))
            .chunked(10, 512)
            .filters(Filters.shuffle(), Filters.deflate(4));
    try (H5File file = H5File.create(path)) {
      Dataset data = file.createDataset("/entry/data", spec);
      data.write(Selection.at(7, 0).extent(1, 512), new float[512]);
      data.extend(200);
    }
    // @end
  }

  @Test
  void elements_are_read_into_arrays() {
    float[] row;
    float[] every;
    Shape shape;
    // @start region="read"
    try (H5File file = H5File.open(path)) {
      Dataset data = file.dataset("/entry/data");
      shape = data.shape();
      row = data.readFloats(Selection.at(7, 0).extent(1, 512));
      every = data.readFloats(Selection.at(0, 0).stride(1, 8).count(100, 64));
    }
    // @end
    assertEquals(Shape.of(200, 512).unlimited(0), shape);
    assertEquals(512, row.length);
    assertEquals(6400, every.length);
  }

  @Test
  void sparse_elements_are_written_found_and_erased() {
    try (H5File file = H5File.create(folder.resolve("hits.h5"))) {
      // @start region="sparse"
      DatasetSpec spec =
          DatasetSpec.of(Datatype.U16, Shape.of(1000, 1024, 1024)).sparse(1, 256, 256);
      Dataset hits = file.createDataset("/entry/hits", spec);
      long[][] pixels = {{7, 100, 200}, {7, 100, 201}};
      hits.write(Selection.points(pixels), new short[] {3, 4});

      Selection found = hits.defined(Selection.at(7, 0, 0).extent(1, 1024, 1024));
      short[] counts = hits.readShorts(found);
      hits.erase(found);
      // @end
      assertArrayEquals(new short[] {3, 4}, counts);
      assertEquals(0, hits.defined(Selection.all()).count(hits.shape()));
    }
  }

  @Test
  void ranks_write_their_rows_together() {
    LocalRanks.run(2, world -> writeRows(folder.resolve("rows.h5"), world));
    try (H5File file = H5File.open(folder.resolve("rows.h5"))) {
      float[] first = file.dataset("/data").readFloats(Selection.at(0, 0).extent(20, 1));
      assertEquals(0, first[9]);
      assertEquals(1, first[10]);
    }
  }

  private static void writeRows(Path path, Communicator world) {
    // @start region="ranks"
    try (H5File file = H5File.create(path, world)) {
      DatasetSpec spec = DatasetSpec.of(Datatype.F32, Shape.of(10L * world.size(), 512));
      Dataset data = file.createDataset("/data", spec);
      float[] rows = new float[10 * 512];
      Arrays.fill(rows, world.rank());
      data.write(Selection.at(10L * world.rank(), 0).extent(10, 512), rows);
    }
    // @end
  }

  @Test
  void objects_have_attributes_and_links() {
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      // @start region="attributes"
      Dataset data = file.dataset("/entry/data");
      data.setAttribute(Attribute.of("gain", 1.5));
      double gain = data.attribute("gain").orElseThrow().doubles()[0];

      file.createSoftLink("/latest", "/entry/data");
      file.createExternalLink("/raw", "raw.h5", "/entry/data");
      // @end
      assertEquals(1.5, gain);
      assertEquals(data.shape(), file.dataset("/latest").shape());
    }
  }

  @Test
  void objects_are_copied_to_another_file() {
    Path copy = folder.resolve("copy.h5");
    // @start region="copy"
    try (H5File source = H5File.open(path);
        H5File target = H5File.create(copy)) {
      source.copy("/entry", target, "/entry");
    }
    // @end
    try (H5File file = H5File.open(copy)) {
      assertEquals(Shape.of(200, 512).unlimited(0), file.dataset("/entry/data").shape());
    }
  }
}
