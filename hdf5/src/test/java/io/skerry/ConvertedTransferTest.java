package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reads and writes with a conversion, for every storage of the elements. */
class ConvertedTransferTest {
  private static final int ROWS = 11;
  private static final int COLUMNS = 13;

  @TempDir Path folder;

  /** The storage of the elements. */
  private enum Kept {
    CHUNKED,
    FILTERED,
    SPARSE,
    CONTIGUOUS,
    COMPACT;

    DatasetSpec spec(Datatype type, Shape shape) {
      DatasetSpec spec = DatasetSpec.of(type, shape);
      return switch (this) {
        case CHUNKED -> spec.chunked(4, 5);
        case FILTERED -> spec.chunked(4, 5).filters(Filters.shuffle(), Filters.deflate(1));
        case SPARSE -> spec.sparse(4, 5).filters(Filters.deflate(1));
        case CONTIGUOUS -> spec.contiguous();
        case COMPACT -> spec.compact();
      };
    }
  }

  private static Compound.Member member(String name, int offset, Datatype type) {
    return new Compound.Member(name, offset, type);
  }

  private static final Datatype FILE =
      new Compound(
          16,
          List.of(
              member("a", 0, Datatype.I32.withOrder(Endian.BIG)),
              member("b", 5, Datatype.F32),
              member("c", 9, new ArrayType(List.of(2), Datatype.I16)),
              member("d", 14, Datatype.U8)));

  private static final List<Datatype> MEMORY =
      List.of(
          FILE,
          new Compound(8, List.of(member("b", 0, Datatype.F64))),
          new Compound(12, List.of(member("d", 0, Datatype.U16), member("a", 3, Datatype.I64))),
          new Compound(9, List.of(member("c", 1, new ArrayType(List.of(2), Datatype.F32)))),
          new Compound(4, List.of(member("a", 0, Datatype.I16), member("zz", 2, Datatype.I16))),
          new Compound(
              20,
              List.of(
                  member("d", 0, Datatype.I8),
                  member("c", 1, new ArrayType(List.of(2), Datatype.I32)),
                  member("b", 10, Datatype.F32),
                  member("a", 14, Datatype.I32))));

  /** The points and values that one rank writes in one step. */
  private record Part(List<long[]> points, Datatype memory, byte[] values) {
    static Part random(Random random) {
      List<long[]> points = new ArrayList<>();
      if (random.nextBoolean()) {
        int row = random.nextInt(ROWS);
        int column = random.nextInt(COLUMNS);
        int rows = 1 + random.nextInt(ROWS - row);
        int columns = 1 + random.nextInt(COLUMNS - column);
        for (int i = 0; i < rows * columns; i++) {
          points.add(new long[] {row + i / columns, column + i % columns});
        }
      } else {
        for (int i = random.nextInt(20); i > 0; i--) {
          points.add(new long[] {random.nextInt(ROWS), random.nextInt(COLUMNS)});
        }
      }
      Datatype memory = MEMORY.get(random.nextInt(MEMORY.size()));
      byte[] values = new byte[points.size() * memory.size()];
      random.nextBytes(values);
      return new Part(points, memory, values);
    }

    Selection selection() {
      return points.isEmpty() ? Selection.none() : Selection.points(points.toArray(long[][]::new));
    }
  }

  /** The expected elements. */
  private static final class Model {
    private final byte[] elements = new byte[ROWS * COLUMNS * FILE.size()];
    private final BitSet defined = new BitSet();

    private static int index(long[] point) {
      return (int) (point[0] * COLUMNS + point[1]);
    }

    private MemorySegment element(long[] point) {
      return MemorySegment.ofArray(elements)
          .asSlice((long) index(point) * FILE.size(), FILE.size());
    }

    void write(Part part) {
      Conversion conversion = Conversion.between(part.memory, FILE);
      for (int i = 0; i < part.points.size(); i++) {
        MemorySegment value =
            MemorySegment.ofArray(part.values)
                .asSlice((long) i * part.memory.size(), part.memory.size());
        conversion.convert(value, element(part.points.get(i)), 1);
        defined.set(index(part.points.get(i)));
      }
    }

    byte[] read(Part part) {
      byte[] out = part.values.clone();
      Conversion conversion = Conversion.between(FILE, part.memory);
      for (int i = 0; i < part.points.size(); i++) {
        MemorySegment value =
            MemorySegment.ofArray(out).asSlice((long) i * part.memory.size(), part.memory.size());
        conversion.convert(element(part.points.get(i)), value, 1);
      }
      return out;
    }
  }

  @ParameterizedTest
  @EnumSource(Kept.class)
  void partial_members_of_several_ranks_agree_with_a_map(Kept kept) {
    for (int ranks = 1; ranks <= 3; ranks++) {
      Path path = folder.resolve(kept + "-" + ranks + ".h5");
      int size = ranks;
      LocalRanks.run(ranks, world -> steps(kept, path, world, size));
      List<Verification.Finding> findings = new ArrayList<>();
      SpaceReport unused = Verification.of(path, findings::add);
      assertEquals(List.of(), findings);
    }
  }

  private static void steps(Kept kept, Path path, Communicator world, int ranks) {
    Random random = new Random(77 + ranks);
    Model model = new Model();
    H5File file = H5File.create(path, world);
    Dataset dataset = file.createDataset("/d", kept.spec(FILE, Shape.of(ROWS, COLUMNS)));
    for (int step = 0; step < 40; step++) {
      List<Part> parts = IntStream.range(0, ranks).mapToObj(_ -> Part.random(random)).toList();
      Part mine = parts.get(world.rank());
      dataset.write(mine.selection(), mine.memory, MemorySegment.ofArray(mine.values));
      parts.forEach(model::write);
      switch (random.nextInt(4)) {
        case 0 -> file.flush();
        case 1 -> {
          file.close();
          file = H5File.openForWriting(path, world);
          dataset = file.dataset("/d");
        }
        default -> {}
      }
      List<Part> reads = IntStream.range(0, ranks).mapToObj(_ -> Part.random(random)).toList();
      Part read = reads.get(world.rank());
      byte[] out = read.values.clone();
      dataset.read(read.selection(), read.memory, MemorySegment.ofArray(out));
      assertArrayEquals(model.read(read), out, kept + " step " + step + " as " + read.memory);
      if (kept == Kept.SPARSE) {
        assertEquals(
            model.defined.cardinality(), dataset.defined(Selection.all()).count(dataset.shape()));
      }
    }
    file.close();
  }

  /** Tests transfers longer than any buffer, by rows, by columns and by single elements. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void long_transfers_are_converted_like_short_ones(int ranks) {
    int rows = 700;
    int columns = 1000;
    for (Kept kept : List.of(Kept.CHUNKED, Kept.CONTIGUOUS)) {
      Path path = folder.resolve("long-" + kept + ranks + ".h5");
      DatasetSpec spec =
          DatasetSpec.of(Datatype.I16.withOrder(Endian.BIG), Shape.of(rows, columns));
      DatasetSpec stored = kept == Kept.CHUNKED ? spec.chunked(300, 300) : spec.contiguous();
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.create(path, world)) {
              Dataset dataset = file.createDataset("/d", stored);
              int half = rows / ranks;
              double[] mine = new double[half * columns];
              for (int i = 0; i < mine.length; i++) {
                mine[i] = value(world.rank() * half * columns + i) + 0.25;
              }
              Selection part = Selection.at(world.rank() * half, 0).extent(half, columns);
              dataset.write(part, mine);
              double[] all = dataset.readDoubles(Selection.all());
              for (int i = 0; i < all.length; i++) {
                assertEquals((int) (value(i) + 0.25), all[i]);
              }
              Selection column = Selection.at(0, 7).extent(rows, 1);
              long[] read = dataset.readLongs(column);
              for (int i = 0; i < rows; i++) {
                assertEquals((int) (value(i * columns + 7) + 0.25), read[i]);
              }
            }
          });
    }
  }

  private static int value(int index) {
    return (int) (index * 7919L % 60000) - 30000;
  }

  @ParameterizedTest
  @EnumSource(Kept.class)
  void an_undefined_conversion_is_refused_on_all_ranks_before_any_transfer(Kept kept) {
    Path path = folder.resolve("refused.h5");
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Dataset dataset =
                file.createDataset("/group/d", kept.spec(Datatype.I32, Shape.of(4, 5)));
            int[] numbers = IntStream.range(0, 20).toArray();
            dataset.write(
                world.rank() == 0 ? Selection.all() : Selection.none(),
                world.rank() == 0 ? numbers : new int[0]);
            Datatype memory = world.rank() == 1 ? StringType.of(4) : Datatype.F32;
            MemorySegment values = MemorySegment.ofArray(new float[20]);
            for (CollectiveException e :
                List.of(
                    assertThrows(
                        CollectiveException.class,
                        () -> dataset.write(Selection.all(), memory, values)),
                    assertThrows(
                        CollectiveException.class,
                        () -> dataset.read(Selection.all(), memory, values)))) {
              String message = String.valueOf(e.getMessage());
              assertTrue(message.contains("string[4]"), message);
              assertTrue(message.contains("i32"), message);
              assertTrue(message.contains("/group/d"), message);
            }
            assertArrayEquals(numbers, dataset.readInts(Selection.all()));
            assertArrayEquals(new float[20], values.toArray(ValueLayout.JAVA_FLOAT));
          }
        });
  }

  @Test
  void unwritten_members_have_the_fill_value() {
    byte[] fill = new byte[FILE.size()];
    new Random(5).nextBytes(fill);
    for (Kept kept : Kept.values()) {
      Path path = folder.resolve("fill-" + kept + ".h5");
      Datatype memory = new Compound(1, List.of(member("d", 0, Datatype.U8)));
      try (H5File file = H5File.create(path)) {
        Dataset dataset = file.createDataset("/d", kept.spec(FILE, Shape.of(4, 5)).fillValue(fill));
        byte[] values = new byte[20];
        new Random(6).nextBytes(values);
        dataset.write(Selection.all(), memory, MemorySegment.ofArray(values));
        byte[] read = dataset.readBytes(Selection.all());
        for (int i = 0; i < 20; i++) {
          byte[] expected = fill.clone();
          expected[14] = values[i];
          byte[] element = Arrays.copyOfRange(read, i * 16, i * 16 + 16);
          assertArrayEquals(expected, element, kept + " element " + i);
        }
      }
    }
  }

  /**
   * Tests that a write of the numeric members of a compound neither loses its strings nor releases
   * their content.
   */
  @ParameterizedTest
  @EnumSource(
      value = Kept.class,
      names = {"CHUNKED", "CONTIGUOUS"})
  void content_of_members_that_are_not_written_is_kept(Kept kept) {
    Datatype text = VariableLength.string(CharacterSet.UTF8);
    Datatype type = new Compound(20, List.of(member("n", 0, Datatype.I32), member("t", 4, text)));
    DatasetSpec spec = DatasetSpec.of(type, Shape.of(12));
    Path path = folder.resolve("content-" + kept + ".h5");
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Dataset dataset =
                file.createDataset(
                    "/d", kept == Kept.CHUNKED ? spec.chunked(5) : spec.contiguous());
            boolean first = world.rank() == 0;
            dataset.writeValues(
                first ? Selection.all() : Selection.none(), first ? pairs(0) : List.of());
            file.flush();
            Datatype memory = new Compound(8, List.of(member("n", 0, Datatype.I64)));
            MemorySegment numbers =
                MemorySegment.ofArray(
                    LongStream.range(100, 106).map(i -> i + 6 * world.rank()).toArray());
            dataset.write(Selection.at(6 * world.rank()).extent(6), memory, numbers);
            file.flush();
            assertEquals(pairs(100), dataset.readValues(Selection.all()));
            assertThrows(
                CollectiveException.class,
                () ->
                    dataset.write(
                        Selection.at(0),
                        new Compound(16, List.of(member("t", 0, text))),
                        MemorySegment.ofArray(new byte[16])));
          }
        });
    List<Verification.Finding> findings = new ArrayList<>();
    SpaceReport unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
    try (H5File file = H5File.open(path)) {
      assertEquals(pairs(100), file.dataset("/d").readValues(Selection.all()));
    }
  }

  private static List<Value> pairs(int first) {
    List<Value> pairs = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      pairs.add(
          new Value.Compound(
              List.of(
                  new Value.Field("n", new Value.Whole(BigInteger.valueOf(first + i))),
                  new Value.Field("t", new Value.Text("text " + i)))));
    }
    return pairs;
  }

  @Test
  void elements_packed_with_their_content_are_not_converted() {
    Datatype text = VariableLength.string(CharacterSet.UTF8);
    Datatype type = new Compound(20, List.of(member("n", 0, Datatype.I32), member("t", 4, text)));
    try (H5File file = H5File.create(folder.resolve("packed.h5"))) {
      Dataset dataset = file.createDataset("/d", DatasetSpec.of(type, Shape.of(12)).sparse(5));
      dataset.writeValues(Selection.all(), pairs(0));
      Datatype memory = new Compound(8, List.of(member("n", 0, Datatype.I64)));
      CollectiveException e =
          assertThrows(
              CollectiveException.class,
              () -> dataset.write(Selection.at(0), memory, MemorySegment.ofArray(new long[1])));
      assertTrue(String.valueOf(e.getMessage()).contains("/d"), e.getMessage());
      assertEquals(pairs(0), dataset.readValues(Selection.all()));
    }
  }
}
