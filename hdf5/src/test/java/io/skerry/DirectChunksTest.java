package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests reads and writes of stored chunks without decoding. */
class DirectChunksTest {
  private static final int ROWS = 21;
  private static final int COLUMNS = 34;
  private static final int STEPS = Boolean.getBoolean("skerry.thorough") ? 6 : 3;

  @TempDir Path folder;

  /**
   * Returns specifications for every index that Skerry writes, dense and sparse, with and without
   * filters.
   */
  private static List<DatasetSpec> specs() {
    Shape fixed = Shape.of(ROWS, COLUMNS);
    List<DatasetSpec> specs = new ArrayList<>();
    for (Shape shape :
        List.of(fixed, fixed.unlimited(0), fixed.unlimited(1), fixed.unlimited(0).unlimited(1))) {
      DatasetSpec spec = DatasetSpec.of(Datatype.I32, shape);
      specs.add(spec.chunked(4, 10));
      specs.add(spec.chunked(4, 10).filters(Filters.shuffle(), Filters.deflate(3)));
      specs.add(spec.sparse(4, 10));
      specs.add(spec.sparse(4, 10).filters(Filters.deflate(3)));
    }
    specs.add(DatasetSpec.of(Datatype.I32, fixed).chunked(ROWS, COLUMNS));
    specs.add(
        DatasetSpec.of(Datatype.I32, fixed).sparse(ROWS, COLUMNS).filters(Filters.deflate(1)));
    return specs;
  }

  @Test
  void chunk_infos_by_number_by_element_and_by_visit_agree() {
    for (DatasetSpec spec : specs()) {
      try (H5File file = H5File.create(folder.resolve("info.h5"))) {
        Dataset dataset = file.createDataset("/d", spec);
        assertEquals(0, dataset.chunks().count());
        assertEquals(Optional.empty(), dataset.chunks().at(0, 0));
        dataset.write(Selection.at(3, 8).extent(3, 6), IntStream.range(0, 18).toArray());
        ChunkTable chunks = dataset.chunks();
        List<ChunkInfo> visited = new ArrayList<>();
        chunks.forEach(visited::add);
        long touched = spec.resolvedChunk()[0] == ROWS ? 1 : 4;
        assertEquals(touched, visited.size(), spec.toString());
        assertEquals(touched, chunks.count());
        assertEquals(visited.stream().mapToLong(ChunkInfo::size).sum(), chunks.storedBytes());
        assertEquals(dataset.usage().dataBytes(), chunks.storedBytes());
        for (int i = 0; i < visited.size(); i++) {
          ChunkInfo info = visited.get(i);
          assertEquals(info, chunks.get(i));
          long row = info.offset().get(0);
          long column = info.offset().get(1);
          assertEquals(Optional.of(info), chunks.at(row, column));
          assertEquals(Optional.of(info), chunks.at(Math.min(row + 3, ROWS - 1), column + 3));
          assertEquals(dataset.isSparse() ? 2 : 1, info.sections().size());
          assertEquals(
              info.size(), info.sections().stream().mapToLong(ChunkInfo.Section::length).sum());
          assertEquals(
              dataset.isSparse() && spec.filters().isFiltered(),
              info.sections().getLast().unfilteredLength().isPresent());
        }
        assertThrows(IndexOutOfBoundsException.class, () -> chunks.get(touched));
        assertThrows(IllegalArgumentException.class, () -> chunks.at(ROWS, 0));
        assertThrows(IllegalArgumentException.class, () -> chunks.at(0));
      }
    }
  }

  @Test
  void images_of_one_dataset_written_into_another_make_them_equal() {
    for (int ranks : new int[] {1, 3}) {
      for (int s = 0; s < specs().size(); s++) {
        DatasetSpec spec = specs().get(s);
        Path path = folder.resolve(s + "-" + ranks + ".h5");
        int seed = s;
        LocalRanks.run(ranks, world -> trial(path, spec, world, seed));
        List<Verification.Finding> findings = new ArrayList<>();
        Verification.of(path, findings::add);
        assertEquals(List.of(), findings);
      }
    }
  }

  private static void trial(Path path, DatasetSpec spec, Communicator world, int seed) {
    Random random = new Random(seed);
    try (H5File file = H5File.create(path, world)) {
      Dataset from = file.createDataset("/from", spec);
      Dataset to = file.createDataset("/to", spec);
      int[] model = new int[ROWS * COLUMNS];
      Selection[] defined = {Selection.none()};
      for (int step = 0; step < STEPS; step++) {
        write(from, random, world.rank());
        write(to, random, world.rank());
        int[] source = from.readInts(Selection.all());
        Selection sourceDefined = from.defined(Selection.all());
        if (random.nextBoolean()) {
          file.flush();
        }
        model = to.readInts(Selection.all());
        defined[0] = to.defined(Selection.all());
        if (random.nextBoolean()) {
          write(to, random, world.rank());
          model = to.readInts(Selection.all());
          defined[0] = to.defined(Selection.all());
          write(from, random, world.rank());
          source = from.readInts(Selection.all());
          sourceDefined = from.defined(Selection.all());
        }
        List<ChunkInfo> all = new ArrayList<>();
        ChunkTable chunks = from.chunks();
        chunks.forEach(all::add);
        Map<List<Long>, ChunkImage> images = new HashMap<>();
        for (ChunkInfo info : all) {
          int writer = random.nextInt(2 * world.size());
          if (writer < world.size()) {
            long[] at = info.offset().stream().mapToLong(Long::longValue).toArray();
            if (writer == world.rank()) {
              images.put(info.offset(), chunks.image(at).orElseThrow());
            }
            Selection box = box(spec, at);
            copy(source, model, box);
            defined[0] =
                defined[0]
                    .resolve(to.shape())
                    .intersect(Selection.all().resolve(to.shape()))
                    .subtract(box)
                    .union(sourceDefined.resolve(to.shape()).intersect(box));
          }
        }
        to.writeChunks(images);
        if (random.nextInt(3) == 0) {
          file.flush();
        }
        assertArrayEquals(
            model,
            to.readInts(Selection.all()),
            spec + " ranks " + world.size() + " step " + step + " seed " + seed);
        if (to.isSparse()) {
          assertEquals(defined[0].count(to.shape()), to.defined(Selection.all()).count(to.shape()));
        }
      }
    }
  }

  private static void write(Dataset dataset, Random random, int me) {
    for (int rank = 0; rank < 3; rank++) {
      int row = random.nextInt(ROWS);
      int column = random.nextInt(COLUMNS);
      int height = 1 + random.nextInt(ROWS - row);
      int width = 1 + random.nextInt(COLUMNS - column);
      int[] values = random.ints((long) height * width).toArray();
      boolean mine = me == 0 && rank == 0 || rank == 1 && me == 1;
      dataset.write(
          mine ? Selection.at(row, column).extent(height, width) : Selection.none(),
          mine ? values : new int[0]);
    }
  }

  private static Selection box(DatasetSpec spec, long[] at) {
    long[] chunk = spec.resolvedChunk();
    return Selection.at(at)
        .extent(Math.min(chunk[0], ROWS - at[0]), Math.min(chunk[1], COLUMNS - at[1]));
  }

  private static void copy(int[] from, int[] to, Selection box) {
    box.forEachRun(
        Shape.of(ROWS, COLUMNS),
        (start, length) -> {
          int at = (int) (start[0] * COLUMNS + start[1]);
          System.arraycopy(from, at, to, at, (int) length);
        });
  }

  @Test
  void the_highest_rank_that_writes_a_chunk_determines_its_content() {
    LocalRanks.run(
        3,
        world -> {
          try (H5File file = H5File.create(folder.resolve("higher.h5"), world)) {
            Dataset dataset =
                file.createDataset(
                    "/d", DatasetSpec.of(Datatype.I32, Shape.of(6, 4)).chunked(2, 4));
            byte[] bytes = new byte[32];
            bytes[0] = (byte) (10 + world.rank());
            dataset.writeChunk(plain(bytes), 2, 0);
            assertEquals(12, dataset.readInts(Selection.at(2, 0))[0]);
          }
        });
  }

  @Test
  void an_unreadable_chunk_image_is_refused_and_the_old_chunk_is_kept() {
    try (H5File file = H5File.create(folder.resolve("bad.h5"))) {
      Shape shape = Shape.of(6, 6);
      DatasetSpec spec = DatasetSpec.of(Datatype.I32, shape);
      Dataset plain = file.createDataset("/plain", spec.chunked(4, 4));
      Dataset packed =
          file.createDataset("/packed", spec.chunked(4, 4).filters(Filters.deflate(1)));
      Dataset sparse = file.createDataset("/sparse", spec.sparse(4, 4));
      Dataset flat = file.createDataset("/flat", spec.contiguous());
      for (Dataset dataset : List.of(plain, packed, sparse)) {
        dataset.write(Selection.all(), IntStream.range(0, 36).toArray());
      }
      refused(plain, plain(new byte[63]), "size=63", 0, 0);
      refused(plain, plain(new byte[64]), "no chunk begins there", 1, 0);
      refused(plain, plain(new byte[64]), "chunk outside the dataset", 8, 0);
      refused(plain, plain(new byte[64]), "no chunk begins there", 0);
      refused(packed, plain(new byte[64]), "does not fit its index", 0, 0);
      refused(packed, image(new byte[64], SectionTable.filtered(64, 0)), "deflate", 0, 0);
      ChunkImage good = sparse.chunks().image(0, 0).orElseThrow();
      byte[] bytes = good.bytes().toArray(ValueLayout.JAVA_BYTE);
      bytes[30]++;
      refused(sparse, image(bytes, good.sections()), "checksum of section 0", 0, 0);
      refused(sparse, good, "defined elements outside the extent", 4, 0);
      assertThrows(UnsupportedFeatureException.class, flat::chunks);
      CollectiveException flatWrite =
          assertThrows(
              CollectiveException.class, () -> sparse.writeChunks(Map.of(List.of(), good)));
      assertTrue(flatWrite.getMessage().contains("no chunk begins there"));
      for (Dataset dataset : List.of(plain, packed, sparse)) {
        assertArrayEquals(IntStream.range(0, 36).toArray(), dataset.readInts(Selection.all()));
      }
    }
    List<Verification.Finding> findings = new ArrayList<>();
    Verification.of(folder.resolve("bad.h5"), findings::add);
    assertEquals(List.of(), findings);
  }

  @Test
  void an_invalid_image_on_one_rank_prevents_changes_on_all() {
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.create(folder.resolve("one.h5"), world)) {
            Dataset dataset =
                file.createDataset(
                    "/d", DatasetSpec.of(Datatype.I32, Shape.of(4, 4)).chunked(2, 4));
            byte[] bytes = new byte[world.rank() == 0 ? 32 : 31];
            bytes[0] = 7;
            assertThrows(
                CollectiveException.class,
                () -> dataset.writeChunk(plain(bytes), 2L * world.rank(), 0));
            assertEquals(0, dataset.readInts(Selection.at(0, 0))[0]);
            assertFalse(dataset.chunks().at(0, 0).isPresent());
          }
        });
  }

  private static void refused(Dataset dataset, ChunkImage image, String reason, long... offset) {
    CollectiveException e =
        assertThrows(CollectiveException.class, () -> dataset.writeChunk(image, offset));
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }

  private static ChunkImage plain(byte[] bytes) {
    return image(bytes, SectionTable.plain(bytes.length));
  }

  private static ChunkImage image(byte[] bytes, SectionTable sections) {
    return new ChunkImage(MemorySegment.ofArray(bytes), sections);
  }
}
