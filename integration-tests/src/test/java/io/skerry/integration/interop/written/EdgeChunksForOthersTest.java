package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.ChunkInfo;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests datasets whose partial edge chunks are stored without filters. */
class EdgeChunksForOthersTest {
  @TempDir Path folder;

  private static DatasetSpec spec(Datatype type) {
    return DatasetSpec.of(type, Shape.of(10, 10).unlimited(0))
        .filters(Filters.shuffle(), Filters.deflate(6))
        .edges(DatasetSpec.Edges.UNFILTERED);
  }

  private static int[] values(int count, int first) {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = (first + i) % 7;
    }
    return values;
  }

  private static void assertSound(Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    SpaceReport unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
  }

  @Test
  void dense_chunks_at_the_edge_are_plain_until_the_extent_has_grown_over_them() {
    Path path = folder.resolve("dense.h5");
    try (H5File file = H5File.create(path)) {
      Dataset dataset = file.createDataset("/d", spec(Datatype.I32).chunked(4, 5));
      dataset.write(Selection.all(), values(100, 0));
    }
    String sizes =
        """
        d = f['d']
        info = {c.chunk_offset: c for c in (d.id.get_chunk_info(i) for i in range(d.id.get_num_chunks()))}
        plain = {o for o, c in info.items() if c.size == 80 and c.filter_mask == 0}
        """;
    H5pyChecks.reads(
        folder,
        path,
        sizes
            + """
            assert plain == {(8, 0), (8, 5)}, plain
            same(d[...], (np.arange(100) % 7).reshape(10, 10))
            """);
    try (H5File file = H5File.openForWriting(path, Communicator.self())) {
      Dataset dataset = file.dataset("/d");
      dataset.extendTo(13, 10);
      dataset.write(Selection.at(10, 0).extent(3, 10), values(30, 100));
    }
    H5pyChecks.reads(
        folder,
        path,
        sizes
            + """
            assert plain == {(12, 0), (12, 5)}, plain
            same(d[...], (np.arange(130) % 7).reshape(13, 10))
            """);
    assertSound(path);
  }

  @Test
  void an_edge_without_filters_is_refused_in_the_earliest_form() {
    Path path = folder.resolve("early.h5");
    FileOptions options = FileOptions.standard().withBounds(FormatBounds.EARLIEST);
    try (H5File file = H5File.create(path, Communicator.self(), options)) {
      RuntimeException refused =
          assertThrows(
              RuntimeException.class,
              () -> file.createDataset("/d", spec(Datatype.I32).chunked(4, 5)));
      assertEquals(true, refused.getMessage().contains("edge"), refused.getMessage());
    }
  }

  @Test
  void sparse_chunks_at_the_edge_are_plain_with_mask_0_and_read_by_another_decoder() {
    Optional<Oracle> python = Oracle.numpy();
    assumeTrue(python.isPresent(), "skipped: no Python with numpy");
    Path path = folder.resolve("sparse.h5");
    try (H5File file = H5File.create(path)) {
      Dataset numbers = file.createDataset("/n", spec(Datatype.I32).sparse(4, 5));
      numbers.write(Selection.all(), values(100, 0));
      Dataset texts =
          file.createDataset("/t", spec(VariableLength.string(CharacterSet.ASCII)).sparse(4, 5));
      texts.write(Selection.at(7, 1).extent(2, 1), new String[] {"inside", "at the edge"});
    }
    try (H5File file = H5File.open(path)) {
      Dataset numbers = file.dataset("/n");
      numbers
          .chunks()
          .forEach(chunk -> {
            boolean edge = chunk.offset().getFirst() == 8;
            // 10 elements without filters; the 20 values of inner chunks compress to fewer bytes.
            ChunkInfo.Section values = chunk.sections().get(1);
            assertEquals(edge, values.length() == 40, chunk.toString());
            assertEquals(0, values.filterMask());
          });
      assertEquals(
          List.of("inside", "at the edge"),
          file.dataset("/t").readStrings(Selection.at(7, 1).extent(2, 1)));
    }
    Path tool = Oracle.tools().resolve("read_sparse.py");
    ProcessResult ran = python.get().run(folder, tool, path, "/n", "--csv").expectSuccess();
    List<String> lines = ran.out().lines().filter(line -> line.matches("[0-9].*")).toList();
    assertEquals(100, lines.size(), ran.out());
    assertEquals("9,9,1", lines.getLast().replace(" ", ""));
    ProcessResult texts = python.get().run(folder, tool, path, "/t", "--csv").expectSuccess();
    assertEquals(true, texts.out().contains("at the edge"), texts.out());
    assertSound(path);
  }
}
