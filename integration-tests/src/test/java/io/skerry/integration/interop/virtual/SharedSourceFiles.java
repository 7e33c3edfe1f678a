package io.skerry.integration.interop.virtual;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.SharedFolder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Files with virtual datasets over chunked sources, and the expected values.
 *
 * @param world the ranks
 * @param folder the folder of the files
 * @param number the number of the {@link CountedFilter.Counts}
 */
record SharedSourceFiles(Communicator world, SharedFolder folder, int number) {
  static final int SOURCES = 6;
  static final int ROWS = 8;
  static final int WIDTH = 10;
  static final int HEIGHT = SOURCES * ROWS;

  /** The number of chunks of all sources; each has two rows and five columns. */
  static final int CHUNKS = (SOURCES - 1) * (ROWS / 2) * (WIDTH / 5);

  /** The source that does not exist. */
  private static final int MISSING = 4;

  private static final int FILL = -1;

  /** Creates the files. Collective. */
  static SharedSourceFiles create(Communicator world, SharedFolder folder) {
    byte[] own = {(byte) new Random().nextInt(), (byte) new Random().nextInt(), 0};
    byte[] agreed = world.broadcast(own, 0);
    SharedSourceFiles files =
        new SharedSourceFiles(world, folder, (agreed[0] & 0xff) << 8 | agreed[1] & 0xff);
    if (world.rank() == 0) {
      files.write();
    }
    long unused = files.decoded();
    return files;
  }

  Path file(String name) {
    return folder.file(name);
  }

  private void write() {
    VirtualLayout.Builder rows = VirtualLayout.builder();
    for (int source = 0; source < SOURCES; source++) {
      if (source != MISSING) {
        writeSource(file(name(source)), source);
      }
      rows.map(
          Selection.at((long) source * ROWS, 0).extent(ROWS, WIDTH),
          VirtualSource.of(name(source), "/d"));
    }
    VirtualLayout swapped =
        VirtualLayout.builder()
            .map(half(0), VirtualSource.of("all.h5", "/all").select(half(1)))
            .map(half(1), VirtualSource.of("all.h5", "/all").select(half(0)))
            .build();
    // The second mapping covers rows of the first; the source of the third is missing.
    VirtualLayout covered =
        VirtualLayout.builder()
            .map(Selection.all(), VirtualSource.of("all.h5", "/all"))
            .map(Selection.at(4, 0).extent(ROWS, WIDTH), VirtualSource.of(name(3), "/d"))
            .map(Selection.at(0, 0).extent(ROWS, WIDTH), VirtualSource.of(name(MISSING), "/d"))
            .build();
    try (H5File file = H5File.create(file("all.h5"))) {
      file.createDataset("all", spec().virtual(rows.build()));
      file.createDataset("swapped", spec().virtual(swapped));
      file.createDataset("covered", spec().virtual(covered));
    }
  }

  /** Returns the upper or the lower half of the rows. */
  private static Selection half(int which) {
    return Selection.at((long) which * HEIGHT / 2, 0).extent(HEIGHT / 2, WIDTH);
  }

  private static DatasetSpec spec() {
    return DatasetSpec.of(Datatype.I32, Shape.of(HEIGHT, WIDTH))
        .fillValue((byte) -1, (byte) -1, (byte) -1, (byte) -1);
  }

  static String name(int source) {
    return "source" + source + ".h5";
  }

  /** Writes a source; those with odd numbers have another datatype. */
  void writeSource(Path path, int source) {
    Datatype type = source % 2 == 0 ? Datatype.I32 : Datatype.I16;
    int[] values = new int[ROWS * WIDTH];
    Arrays.setAll(values, i -> source * ROWS * WIDTH + i);
    try (H5File file = H5File.create(path)) {
      file.createDataset(
              "d",
              DatasetSpec.of(type, Shape.of(ROWS, WIDTH))
                  .chunked(2, 5)
                  .filters(CountedFilter.spec(number)))
          .write(Selection.all(), values);
    }
  }

  /** Returns the row of "all" from which a row of a virtual dataset is read. */
  private static long source(String dataset, long row) {
    if (dataset.equals("swapped")) {
      return (row + HEIGHT / 2) % HEIGHT;
    }
    return dataset.equals("covered") && row >= 4 && row < 4 + ROWS ? 3 * ROWS + row - 4 : row;
  }

  /** Returns the value of an element of a virtual dataset. */
  private static int value(String dataset, long row, long column) {
    long from = source(dataset, row);
    return from / ROWS == MISSING ? FILL : (int) (from * WIDTH + column);
  }

  /** Returns the chunks from which the elements are read; a chunk may be repeated. */
  static Stream<Long> chunks(String dataset, Selection selection) {
    long[] at = selection.toCoordinates(Shape.of(HEIGHT, WIDTH));
    return IntStream.range(0, at.length / 2)
        .filter(i -> source(dataset, at[2 * i]) / ROWS != MISSING)
        .mapToObj(i -> source(dataset, at[2 * i]) / 2 * 2 + at[2 * i + 1] / 5);
  }

  private static int[] expected(String dataset, Selection selection) {
    long[] at = selection.toCoordinates(Shape.of(HEIGHT, WIDTH));
    return IntStream.range(0, at.length / 2)
        .map(i -> value(dataset, at[2 * i], at[2 * i + 1]))
        .toArray();
  }

  /**
   * Reads elements on all ranks and compares them. Collective.
   *
   * @return the number of chunks that all ranks together decoded
   */
  long read(String dataset, Selection selection, FileOptions options) {
    try (H5File file = H5File.open(file("all.h5"), world, options)) {
      compare(file.dataset(dataset), selection);
    }
    return decoded();
  }

  static void compare(Dataset dataset, Selection selection) {
    int[] read = dataset.readInts(selection);
    int[] expected = expected(dataset.path().substring(1), selection);
    int different = Arrays.mismatch(expected, read);
    Expect.that(different < 0, dataset.path() + " " + selection + " first difference=" + different);
  }

  CountedFilter.Counts counts() {
    return CountedFilter.counts(number);
  }

  /** Returns whether this rank is the first one of its process. Collective. */
  boolean isFirstOfProcess() {
    long[] processes = world.allGather(ProcessHandle.current().pid());
    return IntStream.range(0, world.rank())
        .noneMatch(rank -> processes[rank] == processes[world.rank()]);
  }

  /** Returns the number of chunks that all ranks have decoded since the last call. Collective. */
  long decoded() {
    boolean first = isFirstOfProcess();
    long decoded = world.allReduce(first ? counts().takeDecoded() : 0, Reduction.SUM);
    world.barrier();
    return decoded;
  }
}
