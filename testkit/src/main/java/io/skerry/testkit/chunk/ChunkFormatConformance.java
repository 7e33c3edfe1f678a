package io.skerry.testkit.chunk;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.ChunkFormat.Definedness;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Conformance suite for a {@link ChunkFormat}: random operations, compared with a plain array. A
 * failure is reported as an {@link AssertionError} that contains the seed.
 */
@SuppressWarnings("exports") // chunk formats are exported to the modules that implement them
public final class ChunkFormatConformance {
  private static final int STEPS = 40;
  private static final byte UNTOUCHED = 0x5a;

  private final ChunkFormat format;
  private final ChunkElementKind kind;
  private final int elements;

  /**
   * Creates the suite.
   *
   * @param format a format with chunks of a few hundred elements of the given kind, without a fill
   *     value
   * @param kind the kind of elements
   */
  public ChunkFormatConformance(ChunkFormat format, ChunkElementKind kind) {
    this.format = format;
    this.kind = kind;
    this.elements = Math.toIntExact(format.elements());
  }

  /** A chunk and its expected content. */
  private record Case(MemoryChunk chunk, String[] values, BitSet defined) {}

  /** Runs the random program that the given seed determines. */
  public void check(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    try {
      List<Case> versions = new ArrayList<>();
      versions.add(fresh());
      for (int step = 0; step < STEPS; step++) {
        // Sometimes continue from an earlier version, since no operation may have modified it.
        int from = random.nextInt(4) == 0 ? random.nextInt(versions.size()) : versions.size() - 1;
        Case next = step(versions.get(from), random);
        compare(next, random);
        versions.add(next);
      }
      for (Case version : versions) {
        compare(version, random);
      }
      refusals(versions.getLast());
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed=" + seed + " format=" + format + ": " + e.getMessage(), e);
    }
  }

  private Case fresh() {
    String[] values = new String[elements];
    Arrays.fill(values, kind.zero());
    return new Case(format.newChunk(), values, new BitSet());
  }

  private boolean isSparse() {
    return format.definedness() == Definedness.WRITTEN;
  }

  private Case step(Case old, RandomGenerator random) {
    return switch (random.nextInt(6)) {
      case 0, 1, 2 -> write(old, random);
      case 3 -> isSparse() ? erase(old, random) : write(old, random);
      case 4 -> clip(old, random);
      default -> throughFile(old, random);
    };
  }

  private Case write(Case old, RandomGenerator random) {
    RunSet set = draw(random);
    List<String> values = new ArrayList<>();
    String[] after = old.values.clone();
    BitSet defined = (BitSet) old.defined.clone();
    forEach(
        set,
        index -> {
          values.add(kind.draw(random));
          after[index] = values.getLast();
          defined.set(index);
        });
    return new Case(format.write(old.chunk, set, kind.pack(values)), after, defined);
  }

  private Case erase(Case old, RandomGenerator random) {
    RunSet set = random.nextInt(10) == 0 ? RunSet.range(0, elements) : draw(random);
    return without(old, set, format.erase(old.chunk, set));
  }

  private Case without(Case old, RunSet set, MemoryChunk chunk) {
    String[] after = old.values.clone();
    BitSet defined = (BitSet) old.defined.clone();
    forEach(
        set,
        index -> {
          after[index] = kind.zero();
          defined.clear(index);
        });
    return new Case(chunk, after, defined);
  }

  private Case clip(Case old, RandomGenerator random) {
    long[] shape = format.chunkShape();
    long[] valid = shape.clone();
    int cut = random.nextInt(shape.length);
    valid[cut] = random.nextLong(shape[cut] + 1);
    RunSet.Builder outside = new RunSet.Builder();
    for (int index = 0; index < elements; index++) {
      long rest = index;
      boolean inside = true;
      for (int d = shape.length - 1; d >= 0; d--) {
        inside &= rest % shape[d] < valid[d];
        rest /= shape[d];
      }
      if (!inside) {
        outside.add(index, index + 1);
      }
    }
    return without(old, outside.build(), format.clip(old.chunk, valid));
  }

  /** Encodes and decodes a chunk, and requires the content to be unchanged. */
  private Case throughFile(Case old, RandomGenerator random) {
    Optional<ChunkImage> image = format.encode(old.chunk);
    if (image.isEmpty()) {
      // A chunk without an image is not stored, so it must have the content of a new chunk.
      boolean nothing = Arrays.stream(old.values).allMatch(kind.zero()::equals);
      require(nothing && (!isSparse() || old.defined.isEmpty()), "no image of something");
      return new Case(format.newChunk(), old.values, old.defined);
    }
    require(!isSparse() || !old.defined.isEmpty(), "an image of nothing");
    ChunkImage stored = image.orElseThrow();
    long size = stored.bytes().byteSize();
    switch (format.encodedSize()) {
      case EncodedSize.Exactly(long bytes) -> require(size == bytes, "size " + size);
      case EncodedSize.AtMost(long bytes) -> require(size <= bytes, "size " + size);
      case EncodedSize.Unknown _ -> {}
    }
    ChunkImage again = format.encode(old.chunk).orElseThrow();
    require(again.bytes().mismatch(stored.bytes()) == -1, "another image of the same chunk");
    require(again.sections().equals(stored.sections()), "another record of the same chunk");
    ChunkImage copy = new ChunkImage(HeapBytes.copyOf(stored.bytes()), stored.sections());
    require(format.decodeDefined(copy).equals(defined(old)), "decodeDefined");
    RunSet some = draw(random);
    require(
        unpack(format.readStored(copy, some, (bytes, _) -> HeapBytes.allocate(bytes)), some)
            .equals(expected(old, some)),
        "readStored");
    storedAt(old, copy);
    MemoryChunk decoded = format.decode(copy);
    copy.bytes().fill((byte) 0x55);
    require(encodesTo(decoded, stored), "the decoded chunk has another image");
    return new Case(decoded, old.values, old.defined);
  }

  private boolean encodesTo(MemoryChunk chunk, ChunkImage image) {
    ChunkImage other = format.encode(chunk).orElseThrow();
    return other.bytes().mismatch(image.bytes()) == -1;
  }

  private void storedAt(Case old, ChunkImage image) {
    for (int index = 0; index < elements && format.storedAt(index).isPresent(); index++) {
      MemorySegment value =
          image.bytes().asSlice(format.storedAt(index).getAsLong(), kind.type().size());
      require(kind.unpack(value, 1).getFirst().equals(old.values[index]), "storedAt " + index);
    }
  }

  private RunSet defined(Case version) {
    if (!isSparse()) {
      return RunSet.range(0, elements);
    }
    return RunSet.ofIndices(version.defined.stream().asLongStream().toArray());
  }

  private List<String> expected(Case version, RunSet set) {
    List<String> values = new ArrayList<>();
    forEach(set, index -> values.add(version.values[index]));
    return values;
  }

  private List<String> unpack(MemorySegment packed, RunSet set) {
    return kind.unpack(packed, Math.toIntExact(set.count()));
  }

  private void compare(Case version, RandomGenerator random) {
    RunSet set = random.nextBoolean() ? RunSet.range(0, elements) : draw(random);
    MemorySegment packed =
        format.readPacked(version.chunk, set, (bytes, _) -> HeapBytes.allocate(bytes));
    require(unpack(packed, set).equals(expected(version, set)), "values");
    if (format.contentPacking().isEmpty()) {
      byte[] room = new byte[Math.toIntExact(set.count() * kind.type().size())];
      Arrays.fill(room, (byte) 0x77);
      format.read(version.chunk, set, MemorySegment.ofArray(room));
      require(Arrays.equals(room, packed.toArray(ValueLayout.JAVA_BYTE)), "read beside readPacked");
      compareRows(version, random);
    }
    require(format.defined(version.chunk, set).equals(defined(version).intersect(set)), "defined");
    require(version.chunk.bytes() > 0, "bytes");
    require(version.chunk.definedCount() == defined(version).count(), "definedCount");
  }

  /**
   * Reads the rows of a random block and compares their values. The chunk is the first of a grid;
   * the block may extend into later chunks.
   */
  private void compareRows(Case version, RandomGenerator random) {
    long[] shape = format.chunkShape();
    long[] start = new long[shape.length];
    long[] size = new long[shape.length];
    for (int d = 0; d < shape.length; d++) {
      start[d] = random.nextInt(3) == 0 ? 0 : random.nextLong(shape[d]);
      long inside = shape[d] - start[d];
      size[d] = random.nextBoolean() ? inside : 1 + random.nextLong(inside);
      size[d] += random.nextInt(4) == 0 ? 1 + random.nextLong(shape[d]) : 0;
    }
    ChunkGrid.of(shape).rows(Selection.box(start, size)).stream()
        .findFirst()
        .ifPresent(rows -> {
          long places = Arrays.stream(size).reduce(1, Math::multiplyExact);
          MemorySegment room = HeapBytes.allocate(places * kind.type().size());
          room.fill(UNTOUCHED);
          format.readRows(version.chunk, rows, room);
          require(inPlace(rows, room).equals(expected(version, rows.elements())), "rows");
        });
  }

  /** Returns the values of the rows, and requires all bytes outside the rows to be unchanged. */
  private List<String> inPlace(ChunkRows rows, MemorySegment room) {
    int size = kind.type().size();
    MemorySegment packed = HeapBytes.allocate(rows.count() * size);
    long bytes = rows.length() * size;
    for (long row = 0; row < rows.rows(); row++) {
      MemorySegment place = room.asSlice(rows.place(row) * size, bytes);
      packed.asSlice(row * bytes, bytes).copyFrom(place);
      place.fill(UNTOUCHED);
    }
    for (byte left : room.toArray(ValueLayout.JAVA_BYTE)) {
      require(left == UNTOUCHED, "a byte between the rows");
    }
    return unpack(packed, rows.elements());
  }

  private void refusals(Case version) {
    RunSet outside = RunSet.range(elements, elements + 1);
    MemorySegment one = kind.pack(List.of(kind.zero()));
    refused(() -> format.write(version.chunk, outside, one));
    refused(() -> format.write(version.chunk, RunSet.range(0, 2), one.asSlice(0, 2)));
    refused(() -> format.defined(version.chunk, outside));
    refused(() -> format.clip(version.chunk, new long[format.chunkShape().length + 1]));
    refused(() -> format.defined(new Foreign(), RunSet.range(0, 1)));
    if (format.contentPacking().isEmpty()) {
      long[] larger = format.chunkShape();
      larger[0]++;
      long[] beyond = new long[larger.length];
      beyond[0] = larger[0] - 1;
      ChunkRows rows = ChunkGrid.of(larger).rows(Selection.at(beyond)).getFirst();
      refused(() -> format.readRows(version.chunk, rows, one));
      ChunkRows first = ChunkGrid.of(larger).rows(Selection.at(new long[larger.length])).getFirst();
      refused(() -> format.readRows(version.chunk, first, one.asSlice(1)));
    }
    if (!isSparse()) {
      try {
        MemoryChunk unused = format.erase(version.chunk, RunSet.range(0, 1));
        throw new AssertionError("a dense format has erased");
      } catch (UnsupportedFeatureException expected) {
        // The exception that the interface documents.
      }
    }
  }

  /** A chunk that no chunk format has created. */
  private record Foreign() implements MemoryChunk {
    @Override
    public long bytes() {
      return 1;
    }

    @Override
    public long definedCount() {
      return 0;
    }
  }

  private static void refused(Runnable step) {
    try {
      step.run();
    } catch (IllegalArgumentException expected) {
      return;
    }
    throw new AssertionError("not refused");
  }

  private RunSet draw(RandomGenerator random) {
    RunSet.Builder runs = new RunSet.Builder();
    int at = random.nextInt(elements);
    int most = 1 + random.nextInt(elements);
    while (at < elements && random.nextInt(8) != 0) {
      int end = Math.min(elements, at + 1 + random.nextInt(most));
      runs.add(at, end);
      at = end + random.nextInt(most);
    }
    return runs.build();
  }

  @FunctionalInterface
  private interface IndexVisitor {
    void visit(int index);
  }

  private static void forEach(RunSet set, IndexVisitor visitor) {
    for (int run = 0; run < set.runs(); run++) {
      for (long index = set.start(run); index < set.end(run); index++) {
        visitor.visit((int) index);
      }
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
