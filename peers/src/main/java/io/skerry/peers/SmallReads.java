package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.chunk.filter.Filters;
import io.skerry.chunk.space.Box;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * Reads single elements, pieces of rows and small squares at random places of datasets whose chunks
 * are all in the cache, by Skerry, the HDF5 library and h5py, with one thread and with several; a
 * sparse dataset by Skerry alone.
 *
 * <p>Every library has a cache that holds all chunks, and has read all places before the time
 * begins. Times are per read; of several threads, of all together: half of one's if two do not
 * hinder each other.
 */
final class SmallReads {
  /** Rows and columns of each dataset; chunks are 256 × 256, 256 KiB, which makes 64. */
  static final int SIDE = 2048;

  private static final long CHUNK = 256;

  /** Rounds that are not counted: a compiler makes what runs on the JVM faster as it runs. */
  private static final int WARM_UPS = 12;

  private final SmallOptions options;
  private final Path path;
  private final String together;
  private final List<String[]> pairs;
  private final List<Race> races = new ArrayList<>();

  private SmallReads(SmallOptions options) {
    this.options = options;
    this.path = options.folder().resolve("small.h5");
    this.together = ", " + options.threads() + " threads";
    this.pairs =
        List.of(
            new String[] {"skerry", "libhdf5"},
            new String[] {"skerry", "h5py"},
            new String[] {"skerry" + together, "libhdf5" + together},
            new String[] {"skerry" + together, "skerry"},
            new String[] {"libhdf5" + together, "libhdf5"});
  }

  /**
   * Runs and prints.
   *
   * @param args what the options were parsed from
   */
  static void run(SmallOptions options, String[] args) throws IOException {
    Files.createDirectories(options.folder());
    SmallReads reads = new SmallReads(options);
    try {
      reads.write();
      for (String dataset : List.of("plain", "deflate", "sparse")) {
        for (Boxes boxes : List.of(Boxes.ONE, Boxes.ROW, Boxes.SQUARE)) {
          reads.race(dataset, boxes);
        }
      }
      Report.print(
          "./skerry bench small", args, options.runs(), options.output(), reads.races, reads.pairs);
    } finally {
      Files.deleteIfExists(reads.path);
    }
  }

  private void write() {
    DatasetSpec plain = DatasetSpec.of(Datatype.I32, Shape.of(SIDE, SIDE));
    DatasetSpec dense = plain.chunked(CHUNK, CHUNK);
    SplittableRandom random = new SplittableRandom(1);
    int[] values = random.ints((long) SIDE * SIDE, 0, 1000).toArray();
    try (H5File file = H5File.create(path)) {
      file.createDataset("plain", dense).write(Selection.all(), values);
      file.createDataset("deflate", dense.filters(Filters.deflate(Layout.LEVEL)))
          .write(Selection.all(), values);
      Selection spots = spots(random);
      int defined = Math.toIntExact(spots.count(Shape.of(SIDE, SIDE)));
      file.createDataset(
              "sparse", plain.sparse(CHUNK, CHUNK).filters(Filters.deflate(Layout.LEVEL)))
          .write(spots, random.ints(defined, 0, 1000).toArray());
    }
  }

  /** Rows of 8, on a twentieth of the area. */
  private static Selection spots(SplittableRandom random) {
    List<Box> rows = new ArrayList<>();
    for (int i = 0; i < SIDE * SIDE / 8 / 20; i++) {
      long row = random.nextInt(SIDE);
      long column = random.nextInt(SIDE - 8);
      rows.add(new Box(new long[] {row, column}, new long[] {row + 1, column + 8}));
    }
    return Selection.blocks(rows);
  }

  private void race(String dataset, Boxes boxes) throws IOException {
    String task = dataset + "-" + boxes.name();
    if (!options.only().matcher(task).find()) {
      return;
    }
    Race race = new Race(task, WARM_UPS, Race.Unit.NANOSECONDS);
    Throughput throughput = new Throughput(boxes.places(), options.millis());
    try (H5File file = H5File.open(path)) {
      Dataset open = file.dataset(dataset);
      add(race, "skerry", throughput, () -> new SkerryBoxes(open, boxes));
      if (dataset.equals("sparse")) {
        show(race.run(options.runs()));
      } else {
        runWithOthers(race, dataset, boxes, throughput);
      }
    }
  }

  private void add(Race race, String name, Throughput throughput, Supplier<BoxReader> reader) {
    race.add(name, () -> throughput.run(1, reader));
    if (options.threads() > 1) {
      race.add(name + together, () -> throughput.run(options.threads(), reader));
    }
  }

  private void runWithOthers(Race race, String dataset, Boxes boxes, Throughput throughput)
      throws IOException {
    Path list = options.folder().resolve("places.bin");
    Files.write(list, bytes(throughput.places()));
    try (Libhdf5Boxes libhdf5 = new Libhdf5Boxes(path, dataset);
        PythonChild h5py =
            new PythonChild("small_reads.py", path, dataset, list, boxes.rows(), boxes.columns())) {
      add(race, "libhdf5", throughput, () -> libhdf5.reader(boxes));
      race.add(
          "h5py",
          () -> {
            String[] answer = h5py.ask("read " + options.millis()).split(" ");
            return new Race.Timed(Double.parseDouble(answer[0]), () -> Long.parseLong(answer[1]));
          });
      show(race.run(options.runs()));
    } finally {
      Files.deleteIfExists(list);
    }
  }

  /** Row and column of each box as little-endian i32. */
  private static byte[] bytes(int[][] places) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * places.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int[] place : places) {
      bytes.putInt(place[0]).putInt(place[1]);
    }
    return bytes.array();
  }

  private void show(Race race) {
    races.add(race);
    if (!options.json()) {
      System.out.println(race.table(pairs));
    }
  }
}
