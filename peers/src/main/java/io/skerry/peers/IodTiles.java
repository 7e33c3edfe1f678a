package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.rocksdb.ReadOptions;

/**
 * Writes and reads a stream of 4 MiB tiles one after another, in native memory that is reused.
 * After every few tiles, everything is synced. The measured time begins when the container is open
 * and ends when it is closed. In a cluster, {@code rados bench} writes objects of the same size,
 * several of them at a time and without a sync, and reads them one by one; its time does not
 * include its start either.
 */
final class IodTiles implements IodBenchmark.Task {
  private static final String DATASET = "tiles";
  private static final int SIDE = 1024;
  private static final int TILE = 4 * SIDE * SIDE;

  private final IodOptions options;
  private final List<StoreLocation> stores;
  private final Path bare;
  private final Optional<RadosBench> rados;
  private final Shape shape;

  /** The tile to write; its first element is the tile number. */
  private final MemorySegment written = Arena.ofAuto().allocate(TILE);

  private final MemorySegment read = Arena.ofAuto().allocate(TILE);

  IodTiles(IodOptions options) {
    this.options = options;
    this.stores = new ArrayList<>(options.containers("tiles"));
    stores.add(options.file("tiles"));
    this.bare = options.folder().resolve("tiles-rocksdb");
    this.rados = options.at().flatMap(url -> RadosBench.of(url, TILE));
    this.shape = Shape.of(options.tiles(), SIDE, SIDE);
    SplittableRandom random = new SplittableRandom(1);
    for (long at = 0; at < TILE; at += Long.BYTES) {
      written.set(ValueLayout.JAVA_LONG, at, random.nextLong());
    }
  }

  private MemorySegment tile(int number) {
    written.set(ValueLayout.JAVA_INT, 0, number);
    return written;
  }

  private static Selection selection(int number) {
    return Selection.at(number, 0, 0).extent(1, SIDE, SIDE);
  }

  /** Returns a number that depends on the first and last elements of the tile that was read. */
  private long token() {
    return read.get(ValueLayout.JAVA_INT, 0) * 31L
        + read.get(ValueLayout.JAVA_INT, TILE - Integer.BYTES);
  }

  private boolean isSynced(int number) {
    return (number + 1) % options.tilesPerFlush() == 0;
  }

  @Override
  public Race writes(String name) {
    Race race = new Race(name, options.warmUps());
    for (StoreLocation store : stores) {
      race.add(
          store.name(),
          () -> {
            store.delete();
            return write(store);
          });
    }
    rados.ifPresent(bench -> race.add("rados bench", () -> bench.write(options.tiles())));
    return race.add(
        "rocksdb",
        () -> {
          new FileTree(bare).delete();
          return writeBare();
        });
  }

  /** Returns the number of tiles with the time since a start. */
  private Race.Check since(long start) {
    return new Race.Timed((System.nanoTime() - start) / 1e9, () -> options.tiles());
  }

  private Race.Check write(StoreLocation store) {
    DatasetSpec spec = DatasetSpec.of(Datatype.I32, shape).chunked(1, SIDE, SIDE);
    long start;
    try (H5File file = store.create()) {
      start = System.nanoTime();
      Dataset dataset = file.createDataset(DATASET, spec);
      for (int number = 0; number < options.tiles(); number++) {
        dataset.write(selection(number), Datatype.I32, tile(number));
        if (isSynced(number)) {
          file.flush();
        }
      }
    }
    return since(start);
  }

  private static ByteBuffer key(int number) {
    return ByteBuffer.allocateDirect(Long.BYTES).putLong(number).flip();
  }

  private Race.Check writeBare() throws IOException {
    long start;
    try (BareRocks rocks = new BareRocks(bare, BareRocks.Access.CREATE)) {
      start = System.nanoTime();
      for (int number = 0; number < options.tiles(); number++) {
        ByteBuffer key = key(number);
        ByteBuffer value = tile(number).asByteBuffer();
        var kind = isSynced(number) ? rocks.synced() : rocks.buffered();
        int unused =
            rocks.call(database -> {
              database.put(kind, key, value);
              return 0;
            });
      }
    }
    return since(start);
  }

  @Override
  public Race reads(String name) {
    Race race = new Race(name, options.warmUps());
    for (StoreLocation store : stores) {
      race.add(store.name(), () -> read(store));
    }
    rados.ifPresent(bench -> race.add("rados bench", () -> bench.read(options.tiles())));
    return race.add("rocksdb", this::readBare);
  }

  private Race.Check read(StoreLocation store) {
    long sum = 0;
    long start;
    try (H5File file = store.open()) {
      start = System.nanoTime();
      Dataset dataset = file.dataset(DATASET);
      for (int number = 0; number < options.tiles(); number++) {
        dataset.read(selection(number), Datatype.I32, read);
        sum += token();
      }
    }
    return checked(sum, start);
  }

  /** Checks the sum of the tokens, and returns the number of tiles with the time since a start. */
  private Race.Check checked(long sum, long start) {
    Race.Check tiles = since(start);
    long last = written.get(ValueLayout.JAVA_INT, TILE - Integer.BYTES);
    long expected = 0;
    for (int number = 0; number < options.tiles(); number++) {
      expected += number * 31L + last;
    }
    if (sum != expected) {
      throw new IllegalStateException(
          "other tiles were read: expected=" + expected + " actual=" + sum);
    }
    return tiles;
  }

  private Race.Check readBare() throws IOException {
    long sum = 0;
    long start;
    try (BareRocks rocks = new BareRocks(bare, BareRocks.Access.READ);
        ReadOptions reading = new ReadOptions()) {
      start = System.nanoTime();
      for (int number = 0; number < options.tiles(); number++) {
        ByteBuffer key = key(number);
        int size = rocks.call(database -> database.get(reading, key, read.asByteBuffer()));
        sum += size == TILE ? token() : -1;
      }
    }
    return checked(sum, start);
  }

  @Override
  public void delete() throws IOException {
    for (StoreLocation store : stores) {
      store.delete();
    }
    new FileTree(bare).delete();
    if (rados.isPresent()) {
      rados.get().delete();
    }
  }
}
