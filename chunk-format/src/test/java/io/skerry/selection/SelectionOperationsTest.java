package io.skerry.selection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.encoding.SelectedDataspace;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Applies random operations to the results of earlier ones, for all kinds of selections and ranks 1
 * to 5, and compares each result with {@link SelectionModel}. The property {@code
 * skerry.selection.operations} sets the number of operations.
 */
class SelectionOperationsTest {
  private static final int OPERATIONS = Integer.getInteger("skerry.selection.operations", 15_000);
  private static final int PER_EXTENT = 250;

  private final Random random = new Random(20_180_601);
  private long[] sizes = {};
  private Shape extent = Shape.scalar();
  private SelectionVisits visits = new SelectionVisits(random, sizes);
  private final List<ModeledSelection> pool = new ArrayList<>();
  private final int[] done = new int[16];

  @Test
  void random_operations_agree_with_a_plain_list_of_elements() {
    for (int i = 0; i < OPERATIONS; i++) {
      if (i % PER_EXTENT == 0) {
        sizes = ModeledSelection.sizes(random);
        extent = Shape.of(sizes);
        visits = new SelectionVisits(random, sizes);
        pool.clear();
        while (pool.size() < 8) {
          take(ModeledSelection.any(random, sizes));
        }
      }
      if (random.nextInt(6) == 0) {
        take(ModeledSelection.any(random, sizes));
      }
      int operation = random.nextInt(done.length);
      done[operation]++;
      run(operation, pick(), pick());
    }
    assertTrue(Arrays.stream(done).min().orElseThrow() > OPERATIONS / 20, "each in its turn");
  }

  private ModeledSelection pick() {
    return pool.get(random.nextInt(pool.size()));
  }

  private void run(int operation, ModeledSelection a, ModeledSelection b) {
    switch (operation) {
      case 0 -> take(intersection(a, b));
      case 1 -> take(union(a, b));
      case 2 -> take(combine(a, b, Selection::subtract, a.model().subtract(b.model())));
      case 3 ->
          take(
              combine(
                  a, b, Selection::symmetricDifference, a.model().symmetricDifference(b.model())));
      case 4 -> take(unionOfMany(a, b, pick()));
      case 5 -> shift(a);
      case 6 -> changeRank(a);
      case 7 -> compareShapes(a, b);
      case 8 -> visits.pullRuns(a);
      case 9 -> visits.cut(a);
      case 10 -> take(encodeAndDecode(a));
      case 11 -> take(encodeSet(a));
      case 12 -> ask(a, b);
      case 13 -> visits.boxes(a);
      case 14 -> take(project(a, b, pick()));
      default -> take(new ModeledSelection(a.selection().resolve(extent), a.model()));
    }
  }

  /** Checks a result and keeps it for further operations. */
  private void take(ModeledSelection result) {
    check(result, sizes);
    if (pool.size() < 16) {
      pool.add(result);
    } else {
      pool.set(random.nextInt(pool.size()), result);
    }
  }

  private static void check(ModeledSelection result, long[] sizes) {
    Selection selection = result.selection();
    SelectionModel model = result.model();
    Shape extent = Shape.of(sizes);
    assertArrayEquals(model.flat(), selection.toCoordinates(extent), selection::toString);
    assertEquals(model.count(), selection.count(extent));
    Selection resolved = selection.resolve(extent);
    assertEquals(model.isList(), resolved instanceof PointList);
    if (model.count() == 0) {
      assertTrue(selection.boundingBox(extent).isEmpty());
      return;
    }
    long[] end = Arrays.stream(model.high()).map(high -> high + 1).toArray();
    assertEquals(new Box(model.low(), end), selection.boundingBox(extent).orElseThrow());
    if (!model.isList()) {
      Selection oneByOne =
          Selection.blocks(
              Arrays.stream(model.order())
                  .mapToObj(index -> SelectionModel.coordinates(sizes, index))
                  .map(at -> new Box(at, Arrays.stream(at).map(c -> c + 1).toArray()))
                  .toList());
      assertEquals(oneByOne, SelectionAlgebra.simplest(resolved), "equal sets are equal values");
      assertEquals(oneByOne.hashCode(), resolved.hashCode());
    }
  }

  private ModeledSelection intersection(ModeledSelection a, ModeledSelection b) {
    boolean asTheOther = a.selection() instanceof AllSelection && !b.selection().isEmpty();
    SelectionModel model = asTheOther ? b.model() : a.model().intersect(b.model());
    return combine(a, b, Selection::intersect, model);
  }

  private ModeledSelection union(ModeledSelection a, ModeledSelection b) {
    SelectionModel model = a.model().union(b.model());
    if (b.selection().isEmpty() && !a.selection().isEmpty()) {
      model = a.model();
    } else if (a.selection().isEmpty()) {
      model = b.model();
    }
    return combine(a, b, Selection::union, model);
  }

  /**
   * Combines two selections. If the result would need an extent, resolves both against the extent
   * first.
   */
  private ModeledSelection combine(
      ModeledSelection a,
      ModeledSelection b,
      BinaryOperator<Selection> operation,
      SelectionModel model) {
    try {
      return new ModeledSelection(operation.apply(a.selection(), b.selection()), model);
    } catch (IllegalArgumentException e) {
      assertTrue(e.getMessage().startsWith("needs an extent"), e::toString);
      assertTrue(a.needsExtent() || b.needsExtent());
      return new ModeledSelection(
          operation.apply(a.selection().resolve(extent), b.selection().resolve(extent)), model);
    }
  }

  private ModeledSelection unionOfMany(ModeledSelection... given) {
    List<Selection> all =
        Arrays.stream(given).map(each -> each.selection().resolve(extent)).toList();
    SelectionModel model =
        Arrays.stream(given).map(ModeledSelection::model).reduce(SelectionModel::union).get();
    return new ModeledSelection(Selection.unionAll(all), SelectionModel.of(sizes, model.set()));
  }

  private void shift(ModeledSelection a) {
    Selection selection = a.selection().resolve(extent);
    long[] offset = random.longs(sizes.length, 0, 5).toArray();
    long[] grown = IntStream.range(0, sizes.length).mapToLong(d -> sizes[d] + offset[d]).toArray();
    Selection moved = selection.shift(offset);
    check(
        new ModeledSelection(
            moved,
            a.model()
                .map(
                    grown,
                    at ->
                        IntStream.range(0, at.length).mapToLong(d -> at[d] + offset[d]).toArray())),
        grown);
    take(
        new ModeledSelection(moved.shift(Arrays.stream(offset).map(o -> -o).toArray()), a.model()));
  }

  private void changeRank(ModeledSelection a) {
    Selection selection = a.selection().resolve(extent);
    int rank = 1 + random.nextInt(7);
    int dropped = Math.max(0, sizes.length - rank);
    int added = Math.max(0, rank - sizes.length);
    boolean flat =
        a.model().count() == 0
            || IntStream.range(0, dropped).allMatch(d -> a.model().low()[d] == a.model().high()[d]);
    if (!flat) {
      assertThrows(IllegalArgumentException.class, () -> selection.withRank(rank));
      return;
    }
    long[] newSizes =
        LongStream.concat(
                LongStream.generate(() -> 2).limit(added), Arrays.stream(sizes).skip(dropped))
            .toArray();
    SelectionModel model =
        a.model()
            .map(
                newSizes,
                at ->
                    LongStream.concat(
                            new Random(0).longs(added, 0, 1), Arrays.stream(at).skip(dropped))
                        .toArray());
    check(new ModeledSelection(selection.withRank(rank), model), newSizes);
    assertTrue(selection.hasSameShape(extent, selection.withRank(rank), Shape.of(newSizes)));
  }

  private void compareShapes(ModeledSelection a, ModeledSelection b) {
    assertEquals(
        a.model().hasShapeOf(b.model()), a.selection().hasSameShape(extent, b.selection(), extent));
    if (a.model().count() > 0) {
      long[] back = Arrays.stream(a.model().low()).map(low -> -low).toArray();
      Selection moved = a.selection().resolve(extent).shift(back);
      assertTrue(moved.hasSameShape(extent, a.selection(), extent));
    }
  }

  private ModeledSelection encodeAndDecode(ModeledSelection a) {
    SelectionEncoding encoding =
        SelectionEncoding.values()[random.nextInt(SelectionEncoding.values().length)];
    ByteWriter out = ByteWriter.create();
    try {
      SelectionCodec.encode(a.selection(), extent, encoding, out);
    } catch (UnsupportedFeatureException e) {
      assertEquals(SelectionEncoding.V1, encoding);
      assertTrue(a.selection() instanceof Hyperslab slab && slab.isUnlimited());
      return a;
    }
    ByteReader in = ByteReader.of(MemorySegment.ofArray(out.toArray()), "selection");
    SelectedDataspace read = SelectionCodec.decode(in);
    assertEquals(0, in.remaining());
    assertEquals(extent, read.extent().orElseThrow());
    return new ModeledSelection(read.selection(), a.model());
  }

  private ModeledSelection encodeSet(ModeledSelection a) {
    RunSet elements = SelectionSets.runs(a.selection(), sizes);
    assertEquals(
        RunSet.ofIndices(Arrays.stream(a.model().order()).asLongStream().toArray()), elements);
    SelectionEncoding encoding =
        SelectionEncoding.values()[random.nextInt(SelectionEncoding.values().length)];
    SelectionCodec.SectionStorage storage =
        random.nextBoolean()
            ? SelectionCodec.SectionStorage.RAW
            : SelectionCodec.SectionStorage.COMPRESSED;
    ByteWriter out = ByteWriter.create();
    SelectionCodec.encodeSet(elements, sizes, encoding, storage, out);
    ByteReader in = ByteReader.of(MemorySegment.ofArray(out.toArray()), "section 0");
    assertEquals(elements, SelectionCodec.decodeSet(in, sizes, elements.count()));
    return new ModeledSelection(
        SelectionSets.of(elements, sizes), SelectionModel.of(sizes, a.model().set()));
  }

  private void ask(ModeledSelection a, ModeledSelection b) {
    assertEquals(
        a.model().set().intersects(b.model().set()),
        a.selection().intersects(b.selection().resolve(extent)),
        () -> a.selection() + " and " + b.selection());
    int index = random.nextInt(SelectionModel.elements(sizes));
    assertEquals(
        a.model().set().get(index),
        a.selection().contains(SelectionModel.coordinates(sizes, index)));
  }

  private ModeledSelection project(
      ModeledSelection a, ModeledSelection part, ModeledSelection target) {
    if (a.model().count() != target.model().count()) {
      assertThrows(
          IllegalArgumentException.class,
          () -> a.selection().project(extent, part.selection(), target.selection(), extent));
      return projectReversed(a, part);
    }
    return project(a, part.selection(), part.model().set(), target);
  }

  /** Projects a selection to its own elements in reverse order, a target of the same size. */
  private ModeledSelection projectReversed(ModeledSelection a, ModeledSelection part) {
    int n = a.model().count();
    long[][] points = new long[n][];
    Arrays.setAll(points, i -> SelectionModel.coordinates(sizes, a.model().order()[n - 1 - i]));
    var target =
        new ModeledSelection(Selection.points(points), SelectionModel.points(sizes, points));
    return project(a, part.selection(), part.model().set(), target);
  }

  private ModeledSelection project(
      ModeledSelection a, Selection part, BitSet set, ModeledSelection target) {
    int[] order =
        IntStream.range(0, a.model().count())
            .filter(i -> set.get(a.model().order()[i]))
            .map(i -> target.model().order()[i])
            .toArray();
    boolean isList = target.model().isList() && order.length > 0;
    return new ModeledSelection(
        a.selection().project(extent, part, target.selection(), extent),
        new SelectionModel(sizes, order, isList));
  }
}
