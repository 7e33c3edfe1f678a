package io.skerry.peers;

import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Datatype;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Puts pairs in a map with 8-byte integer keys and gets them again, in random order. Pairs are put
 * in batches, each of which is synced; they are retrieved one by one, in a different random order.
 */
final class IodMap implements IodBenchmark.Task {
  private static final String MAP = "map";
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final IodOptions options;
  private final List<StoreLocation> containers;
  private final Path bare;
  private final Datatype valueType;
  private final long[] put;
  private final long[] got;

  IodMap(IodOptions options) {
    this.options = options;
    this.containers = options.containers("map");
    this.bare = options.folder().resolve("map-rocksdb");
    this.valueType = new ArrayType(List.of(options.valueBytes() / Long.BYTES), Datatype.I64);
    this.put = permutation(1);
    this.got = permutation(2);
  }

  private long[] permutation(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] keys = new long[options.pairs()];
    for (int i = 0; i < keys.length; i++) {
      int j = random.nextInt(i + 1);
      keys[i] = keys[j];
      keys[j] = i;
    }
    return keys;
  }

  private MemorySegment keys(int from, int count) {
    MemorySegment keys = MemorySegment.ofArray(new byte[count * Long.BYTES]);
    for (int i = 0; i < count; i++) {
      keys.set(U64, (long) i * Long.BYTES, put[from + i]);
    }
    return keys;
  }

  /**
   * Returns the values for a range of keys; the first 8 bytes of each value are three times its
   * key.
   */
  private MemorySegment values(int from, int count) {
    MemorySegment values = MemorySegment.ofArray(new byte[count * options.valueBytes()]);
    for (int i = 0; i < count; i++) {
      for (int at = 0; at < options.valueBytes(); at += Long.BYTES) {
        long value = 3 * put[from + i] + at * 0x9e3779b97f4a7c15L;
        values.set(U64, (long) i * options.valueBytes() + at, value);
      }
    }
    return values;
  }

  @Override
  public Race writes(String name) {
    Race race = new Race(name, options.warmUps());
    for (StoreLocation container : containers) {
      race.add(
          container.name(),
          () -> {
            container.delete();
            long start = System.nanoTime();
            write(container);
            return new Race.Timed((System.nanoTime() - start) / 1e9, () -> options.pairs());
          });
    }
    return race.add(
        "rocksdb",
        () -> {
          new FileTree(bare).delete();
          long start = System.nanoTime();
          writeBare();
          return new Race.Timed((System.nanoTime() - start) / 1e9, () -> options.pairs());
        });
  }

  private void write(StoreLocation container) {
    try (H5File file = container.create()) {
      MapObject map = file.createMap(MAP, Datatype.I64, valueType);
      for (int from = 0; from < put.length; from += options.pairsPerFlush()) {
        int count = Math.min(options.pairsPerFlush(), put.length - from);
        map.putAll(Datatype.I64, keys(from, count), valueType, values(from, count));
        file.flush();
      }
    }
  }

  private void writeBare() throws IOException {
    try (BareRocks rocks = new BareRocks(bare, BareRocks.Access.CREATE)) {
      for (int from = 0; from < put.length; from += options.pairsPerFlush()) {
        int count = Math.min(options.pairsPerFlush(), put.length - from);
        byte[] keys = keys(from, count).toArray(ValueLayout.JAVA_BYTE);
        byte[] values = values(from, count).toArray(ValueLayout.JAVA_BYTE);
        rocks.call(database -> {
          try (WriteBatch batch = new WriteBatch()) {
            fill(batch, count, keys, values);
            database.write(rocks.synced(), batch);
          }
          return count;
        });
      }
    }
  }

  private void fill(WriteBatch batch, int count, byte[] keys, byte[] values)
      throws RocksDBException {
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[Long.BYTES];
      byte[] value = new byte[options.valueBytes()];
      System.arraycopy(keys, i * Long.BYTES, key, 0, key.length);
      System.arraycopy(values, i * value.length, value, 0, value.length);
      batch.put(key, value);
    }
  }

  @Override
  public Race reads(String name) {
    Race race = new Race(name, options.warmUps());
    for (StoreLocation container : containers) {
      race.add(container.name(), () -> read(container));
    }
    return race.add("rocksdb", this::readBare);
  }

  private Race.Check read(StoreLocation container) {
    long sum = 0;
    try (H5File file = container.open()) {
      MapObject map = file.map(MAP);
      MemorySegment key = MemorySegment.ofArray(new byte[Long.BYTES]);
      for (long next : got) {
        key.set(U64, 0, next);
        sum += map.get(Datatype.I64, key, valueType).orElseThrow().get(U64, 0);
      }
    }
    long total = sum;
    return () -> total;
  }

  private Race.Check readBare() throws IOException {
    long sum = 0;
    try (BareRocks rocks = new BareRocks(bare, BareRocks.Access.READ)) {
      for (long next : got) {
        byte[] key =
            ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(next).array();
        byte[] value = Objects.requireNonNull(rocks.call(database -> database.get(key)));
        sum += ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
      }
    }
    long total = sum;
    return () -> total;
  }

  @Override
  public void delete() throws IOException {
    for (StoreLocation container : containers) {
      container.delete();
    }
    new FileTree(bare).delete();
  }
}
