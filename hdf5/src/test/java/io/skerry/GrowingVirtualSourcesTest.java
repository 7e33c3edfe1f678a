package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Locking;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads virtual datasets while the files of their sources grow, as in a running experiment. */
class GrowingVirtualSourcesTest {
  private static final long ALL = Shape.UNLIMITED;
  private static final int WIDTH = 3;

  @TempDir Path folder;

  @BeforeEach
  void creates_the_virtual_datasets_before_any_source() {
    VirtualLayout rows =
        VirtualLayout.builder()
            .map(
                Selection.at(0, 0).extent(ALL, WIDTH),
                VirtualSource.of("run0.h5", "/d").select(Selection.at(0, 0).extent(ALL, WIDTH)))
            .map(
                Selection.at(0, WIDTH).extent(ALL, WIDTH),
                VirtualSource.of("run1.h5", "/d").select(Selection.at(0, 0).extent(ALL, WIDTH)))
            .build();
    VirtualLayout blocks =
        VirtualLayout.builder()
            .map(
                Selection.at(0, 0).stride(2, 1).count(ALL, 1).block(2, WIDTH),
                VirtualSource.of("block%b.h5", "/d"))
            .build();
    try (H5File file = H5File.create(folder.resolve("live.h5"))) {
      file.createDataset("rows", spec(2 * WIDTH).virtual(rows));
      file.createDataset("blocks", spec(WIDTH).virtual(blocks));
    }
  }

  private static DatasetSpec spec(int width) {
    return DatasetSpec.of(Datatype.I32, Shape.of(0, width).unlimited(0))
        .fillValue((byte) -1, (byte) -1, (byte) -1, (byte) -1);
  }

  /** Appends rows to a run; only the first element of each row is written. */
  private static void append(H5File file, int value) {
    Dataset dataset = file.dataset("d");
    long row = dataset.shape().extent(0);
    dataset.extend(row + 1);
    dataset.write(Selection.at(row, 0), new int[] {value});
  }

  private H5File create(String name, Shape shape) {
    H5File file = H5File.create(folder.resolve(name));
    Dataset unused =
        file.createDataset(
            "d",
            DatasetSpec.of(Datatype.I32, shape)
                .sparse(2, 2)
                .fillValue((byte) -1, (byte) -1, (byte) -1, (byte) -1));
    return file;
  }

  private void check(FileOptions options, String name, long rows, int... first) {
    for (int ranks : new int[] {1, 2}) {
      List<Boolean> unused =
          LocalRanks.call(ranks, world -> check(world, options, name, rows, first));
    }
  }

  private boolean check(
      Communicator world, FileOptions options, String name, long rows, int[] first) {
    try (H5File file = H5File.open(folder.resolve("live.h5"), world, options)) {
      Dataset dataset = file.dataset(name);
      assertEquals(rows, dataset.shape().extent(0), name);
      int step = name.equals("rows") ? 2 : 1;
      Selection column = Selection.at(0, 0).stride(1, WIDTH).count(rows, step);
      assertArrayEquals(first, dataset.readInts(column), name);
      assertEquals(
          Arrays.stream(first).filter(value -> value >= 0).count(),
          dataset.defined(Selection.all()).count(dataset.shape()),
          name);
    }
    return true;
  }

  @Test
  void reopening_sees_the_rows_that_were_appended() {
    FileOptions options = FileOptions.standard();
    check(options, "rows", 0);
    create("run0.h5", Shape.of(0, WIDTH).unlimited(0)).close();
    check(options, "rows", 0);
    try (H5File file = H5File.openForWriting(folder.resolve("run0.h5"), Communicator.self())) {
      append(file, 10);
      append(file, 11);
    }
    check(options, "rows", 2, 10, -1, 11, -1);
    try (H5File file = create("run1.h5", Shape.of(0, WIDTH).unlimited(0))) {
      append(file, 20);
      append(file, 21);
      append(file, 22);
    }
    check(options, "rows", 3, 10, 20, 11, 21, -1, 22);
  }

  @Test
  void reopening_sees_the_files_that_were_added() {
    FileOptions options = FileOptions.standard();
    check(options, "blocks", 0);
    for (int block = 0; block < 3; block++) {
      try (H5File file = create("block" + block + ".h5", Shape.of(2, WIDTH))) {
        file.dataset("d").write(Selection.at(1, 0), new int[] {block});
      }
      int[] first = new int[2 * block + 2];
      Arrays.setAll(first, row -> row % 2 == 0 ? -1 : row / 2);
      check(options, "blocks", first.length, first);
    }
  }

  @Test
  void reopening_without_locks_sees_the_last_flush_of_files_that_are_being_written() {
    FileOptions options = FileOptions.standard().withLocking(Locking.NONE);
    try (H5File first = create("run0.h5", Shape.of(0, WIDTH).unlimited(0));
        H5File second = create("run1.h5", Shape.of(0, WIDTH).unlimited(0))) {
      first.flush();
      second.flush();
      check(options, "rows", 0);
      append(first, 10);
      append(second, 20);
      append(second, 21);
      check(options, "rows", 0);
      first.flush();
      check(options, "rows", 1, 10, -1);
      second.flush();
      check(options, "rows", 2, 10, 20, -1, 21);
      append(first, 11);
      first.flush();
      check(options, "rows", 2, 10, 20, 11, 21);
    }
  }

  @Test
  void the_ranks_agree_on_the_extent_if_one_of_them_sees_fewer_rows() throws IOException {
    try (H5File file = create("run0.h5", Shape.of(0, WIDTH).unlimited(0))) {
      append(file, 10);
      append(file, 11);
    }
    Path older = Files.createDirectory(folder.resolve("older"));
    Files.copy(folder.resolve("run0.h5"), older.resolve("run0.h5"));
    try (H5File file = H5File.openForWriting(folder.resolve("run0.h5"), Communicator.self())) {
      append(file, 12);
    }
    FileOptions standard = FileOptions.standard();
    FileOptions delayed = standard.withVirtualPrefix(older.toString());
    for (int late = 0; late < 3; late++) {
      int rank = late;
      List<Boolean> unused =
          LocalRanks.call(
              3,
              world ->
                  check(
                      world,
                      world.rank() == rank ? delayed : standard,
                      "rows",
                      2,
                      new int[] {10, -1, 11, -1}));
    }
  }

  private void copyFirstBlock(int files) throws IOException {
    for (int block = 1; block < files; block++) {
      Files.copy(folder.resolve("block0.h5"), folder.resolve("block" + block + ".h5"));
    }
  }

  @Test
  void an_open_dataset_keeps_its_extent_if_a_source_is_closed_and_opened_again()
      throws IOException {
    int files = 520;
    create("block0.h5", Shape.of(2, WIDTH)).close();
    for (int run = 0; run < 2; run++) {
      try (H5File file = create("run" + run + ".h5", Shape.of(0, WIDTH).unlimited(0))) {
        append(file, 10 * run);
      }
    }
    copyFirstBlock(files);
    try (H5File file = H5File.open(folder.resolve("live.h5"))) {
      Dataset rows = file.dataset("rows");
      Dataset blocks = file.dataset("blocks");
      assertEquals(2 * files, blocks.shape().extent(0));
      Path run = folder.resolve("run0.h5");
      try (H5File grown = create("grown.h5", Shape.of(0, WIDTH).unlimited(0))) {
        append(grown, 1);
        append(grown, 2);
      }
      Files.move(folder.resolve("grown.h5"), run, StandardCopyOption.REPLACE_EXISTING);
      assertEquals(2 * files, blocks.readInts(Selection.at(0, 0).extent(2 * files, 1)).length);
      assertEquals(1, rows.shape().extent(0));
      assertArrayEquals(
          new int[] {1, 10}, rows.readInts(Selection.at(0, 0).stride(1, WIDTH).count(1, 2)));
      assertEquals(2, rows.defined(Selection.all()).count(rows.shape()));
    }
  }
}
