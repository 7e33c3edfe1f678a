package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests strings and sequences in chunks that are overwritten in place. */
class OverwrittenContentTest {
  private static final int TEXTS = 12;

  @TempDir Path folder;

  private static void write(Dataset texts, Communicator world, String prefix) {
    String[] all = new String[TEXTS];
    for (int i = 0; i < TEXTS; i++) {
      all[i] = prefix + i;
    }
    boolean first = world.rank() == 0;
    texts.write(first ? Selection.all() : Selection.none(), first ? all : new String[0]);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void texts_overwritten_in_place_are_stored_after_closing(int ranks) {
    Path path = folder.resolve("texts.h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            DatasetSpec spec =
                DatasetSpec.of(VariableLength.string(CharacterSet.UTF8), Shape.of(TEXTS));
            write(file.createDataset("/t", spec.chunked(4)), world, "first ");
          }
        });
    for (String prefix : List.of("second ", "third, and longer ", "")) {
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.openForWriting(path, world)) {
              write(file.dataset("/t"), world, "not " + prefix);
              file.flush();
              write(file.dataset("/t"), world, prefix);
            }
          });
      List<Verification.Finding> findings = new ArrayList<>();
      SpaceReport unused = Verification.of(path, findings::add);
      assertEquals(List.of(), findings);
      try (H5File file = H5File.open(path)) {
        List<String> read = file.dataset("/t").readStrings(Selection.all());
        for (int i = 0; i < TEXTS; i++) {
          assertEquals(prefix + i, read.get(i));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void sequences_written_after_a_dataset_shrank_twice_are_kept(int ranks) {
    Path path = folder.resolve("shrinking.h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            Shape shape = Shape.of(6, 7, 5).unlimited(0);
            DatasetSpec spec = DatasetSpec.of(VariableLength.sequence(Datatype.U8), shape);
            Dataset dataset = file.createDataset("/d", spec.chunked(3, 1, 1));
            write(dataset, world, 7);
            dataset.extendTo(13, 3, 5);
            write(dataset, world, 5);
            dataset.extendTo(21, 3, 3);
            write(dataset, world, 4);
            assertEquals(sequences(21 * 3 * 3, 4), dataset.readValues(Selection.all()));
          }
        });
    try (H5File file = H5File.open(path)) {
      assertEquals(sequences(21 * 3 * 3, 4), file.dataset("/d").readValues(Selection.all()));
    }
    List<Verification.Finding> findings = new ArrayList<>();
    SpaceReport unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
  }

  private static void write(Dataset dataset, Communicator world, int step) {
    boolean first = world.rank() == 0;
    dataset.writeValues(
        first ? Selection.all() : Selection.none(),
        first ? sequences(dataset.shape().elements(), step) : List.of());
  }

  private static List<Value> sequences(long count, int step) {
    List<Value> sequences = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<Value> members = new ArrayList<>();
      for (int k = 0; k <= i * step % 9; k++) {
        members.add(new Value.Whole(BigInteger.valueOf(k)));
      }
      sequences.add(new Value.Sequence(members));
    }
    return sequences;
  }
}
