package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.filter.Filters;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that files reuse freed space: a file does not grow after the third rewrite. */
class SpaceReuseTest {
  /** {@code -Pslow} and {@code -Pstress} increase this number. */
  private static final int ROUNDS = Integer.getInteger("skerry.rewrites", 12);

  private static final int[] RANKS =
      Boolean.getBoolean("skerry.thorough") ? new int[] {1, 2, 3} : new int[] {1, 3};

  @TempDir Path folder;

  /** The storage of the values. */
  enum Kind {
    CONTIGUOUS,
    COMPACT,
    FILTERED,
    EXTENSIBLE,
    TREE,
    SPARSE,
    TEXTS,
    CHUNKED_TEXTS;

    DatasetSpec spec(int ranks) {
      Shape shape = Shape.of(ranks * 20L, 100);
      DatasetSpec numbers = DatasetSpec.of(Datatype.I32, shape);
      DatasetSpec texts =
          DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(ranks * 20L, 3));
      return switch (this) {
        case CONTIGUOUS -> numbers.contiguous();
        case COMPACT -> DatasetSpec.of(Datatype.I32, Shape.of(ranks * 20L, 5)).compact();
        case FILTERED -> numbers.chunked(4, 50).filters(Filters.shuffle(), Filters.deflate(1));
        case EXTENSIBLE ->
            DatasetSpec.of(Datatype.I32, shape.unlimited(0))
                .chunked(7, 30)
                .filters(Filters.deflate(1));
        case TREE ->
            DatasetSpec.of(Datatype.I32, shape.unlimited(0).unlimited(1))
                .chunked(7, 30)
                .filters(Filters.deflate(1));
        case SPARSE -> numbers.sparse(10, 40).filters(Filters.deflate(1));
        case TEXTS -> texts.contiguous();
        case CHUNKED_TEXTS -> texts.chunked(7, 2).filters(Filters.deflate(1));
      };
    }

    boolean isText() {
      return this == TEXTS || this == CHUNKED_TEXTS;
    }
  }

  private static void write(Dataset d, int round, int rank) {
    Random random = new Random(round * 10L + rank);
    int columns = (int) d.shape().extent(1);
    Selection mine = Selection.at(rank * 20L, 0).extent(20, columns);
    if (d.datatype() instanceof VariableLength) {
      String[] texts = new String[20 * columns];
      Arrays.setAll(texts, i -> "x".repeat(20 + random.nextInt(200)));
      d.write(mine, texts);
      return;
    }
    if (d.isSparse()) {
      Selection points = DatasetScript.points(Shape.of(20, columns), random);
      d.erase(mine);
      int[] values = new int[(int) points.count(Shape.of(20, columns))];
      Arrays.setAll(values, i -> random.nextInt());
      if (rank == 0) {
        d.write(points, values);
      } else {
        d.write(Selection.at(rank * 20L, 0).extent(10, columns), new int[10 * columns]);
      }
      return;
    }
    int[] values = new int[20 * columns];
    Arrays.setAll(values, i -> random.nextInt(1 << 20));
    d.write(mine, values);
  }

  private static void decorate(Dataset d, int round) {
    d.setAttribute(Attribute.of("count", round));
    d.setAttribute(Attribute.of("text", "y".repeat(round % 50)));
    d.setAttribute(Attribute.of("long", new double[100 + round % 20]));
    List<Value> names = List.of(new Value.Text("z".repeat(round % 7)), new Value.Text("second"));
    d.setAttribute("names", VariableLength.string(CharacterSet.UTF8), Shape.of(2), names);
  }

  /** The changes of each round. */
  enum Way {
    RECREATE,
    RECREATE_WITH_ATTRIBUTES,
    OVERWRITE,
    OVERWRITE_WITH_ATTRIBUTES;

    boolean recreates() {
      return this == RECREATE || this == RECREATE_WITH_ATTRIBUTES;
    }

    boolean decorates() {
      return this == RECREATE_WITH_ATTRIBUTES || this == OVERWRITE_WITH_ATTRIBUTES;
    }
  }

  @ParameterizedTest
  @EnumSource
  void rewriting_a_dataset_takes_no_more_space_after_the_third_time(Kind kind) {
    for (Way way : Way.values()) {
      for (int ranks : RANKS) {
        rewrite(kind, way, ranks);
      }
    }
  }

  private void rewrite(Kind kind, Way way, int ranks) {
    Path path = folder.resolve(kind + "-" + way + ranks + ".h5");
    List<Long> sizes = new ArrayList<>();
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Dataset d = file.createDataset("/d", kind.spec(ranks));
            for (int round = 0; round < ROUNDS; round++) {
              if (round > 0 && way.recreates()) {
                file.unlink("/d");
                d = file.createDataset("/d", kind.spec(ranks));
              }
              write(d, round, world.rank());
              if (way.decorates()) {
                decorate(d, round);
              }
              file.flush();
              if (world.rank() == 0) {
                sizes.add(file.size());
              }
            }
          }
        });
    String what = kind + " " + way + " on " + ranks + ": ";
    System.out.println(what + sizes.subList(0, 5) + " at last " + sizes.getLast());
    assertEquals(sizes.get(2), sizes.getLast(), what + sizes);
    assertEquals(sizes.get(2), sizes.stream().max(Long::compare).orElseThrow(), what + sizes);
    verify(path);
  }

  private static void verify(Path path) {
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings, path.toString());
  }
}
