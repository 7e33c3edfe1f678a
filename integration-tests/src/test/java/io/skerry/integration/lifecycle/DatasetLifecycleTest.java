package io.skerry.integration.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.format.FormatBounds;
import io.skerry.integration.random.PickedElements;
import io.skerry.integration.random.SelectionGenerator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DatasetLifecycleTest {
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);

  /** The number of seeds that are reserved for each family. */
  private static final long SEEDS = 1_000_000;

  @TempDir Path folder;

  /**
   * {@code -Dskerry.model.operations} sets the number of operations. {@code -Dskerry.model.seed=N}
   * replays the operations on the file of one seed; the seeds of the families are disjoint.
   */
  @ParameterizedTest
  @EnumSource
  void random_operations_agree_with_a_map_in_memory_and_on_disk(TypeFamily family) {
    int operations = Integer.getInteger("skerry.model.operations", 100);
    long only = Long.getLong("skerry.model.seed", -1);
    Optional<Oracle> decoder = Oracle.numpy();
    LifecycleRun trial = new LifecycleRun(family, folder, decoder);
    long first = family.ordinal() * SEEDS + 1;
    assumeTrue(only < 0 || only / SEEDS == family.ordinal(), "a seed of another family");
    LifecycleRun.Tally tally = only < 0 ? trial.run(first, operations) : trial.replay(only);
    System.out.println(family + " " + tally);
    assertTrue(tally.verified() > 0);
    if (only < 0) {
      assertEquals(operations, tally.changes().values().stream().mapToInt(Integer::intValue).sum());
    }
    assumeTrue(decoder.isPresent(), "no Python with numpy: nothing was decoded a second time");
    assertTrue(tally.decoded() > 0);
  }

  private static DatasetModel texts(String path, DatasetSpec.Storage storage) {
    long[] six = {6};
    return new DatasetModel(path, TEXT, storage, six, six, new long[] {4}, FillContent.zeros(TEXT));
  }

  private static List<Value> words(String... words) {
    return List.of(words).stream().<Value>map(Value.Text::new).toList();
  }

  @Test
  void a_value_or_an_element_that_the_map_lacks_is_detected() {
    try (H5File file = H5File.create(folder.resolve("noticed.h5"))) {
      Dataset dataset = file.createDataset("/t", DatasetSpec.of(TEXT, Shape.of(6)).sparse(4));
      dataset.write(Selection.at(1).extent(2), new String[] {"one", "two"});
      Comparison comparison = new Comparison(file);
      DatasetModel same = texts("/t", DatasetSpec.Storage.SPARSE);
      same.write(
          new PickedElements(Selection.at(1).extent(2), new long[] {1, 2}), words("one", "two"));
      comparison.everything(same);
      DatasetModel other = same.copy("/t", Optional::of);
      other.write(new PickedElements(Selection.at(2), new long[] {2}), words("too"));
      assertThrows(AssertionError.class, () -> comparison.everything(other));
      DatasetModel less = same.copy("/t", Optional::of);
      less.erase(new PickedElements(Selection.at(2), new long[] {2}));
      assertThrows(
          AssertionError.class,
          () -> comparison.defined(less, SelectionGenerator.all(less.extent())));
      file.flush();
      comparison.chunks(same);
      less.erase(SelectionGenerator.all(less.extent()));
      assertThrows(AssertionError.class, () -> comparison.chunks(less));
    }
  }

  @Test
  void the_independent_decoder_detects_an_element_that_the_map_lacks() {
    Optional<Oracle> decoder = Oracle.numpy();
    assumeTrue(decoder.isPresent(), "no Python with numpy");
    Path path = folder.resolve("decoded.h5");
    try (H5File file = H5File.create(path)) {
      Dataset sparse = file.createDataset("/s", DatasetSpec.of(TEXT, Shape.of(6)).sparse(4));
      sparse.write(Selection.at(1).extent(2), new String[] {"one", ""});
      Dataset dense = file.createDataset("/d", DatasetSpec.of(TEXT, Shape.of(6)).chunked(4));
      dense.write(Selection.at(4), new String[] {"four"});
    }
    DatasetModel sparse = texts("/s", DatasetSpec.Storage.SPARSE);
    sparse.write(
        new PickedElements(Selection.at(1).extent(2), new long[] {1, 2}), words("one", ""));
    DatasetModel dense = texts("/d", DatasetSpec.Storage.DENSE);
    dense.write(new PickedElements(Selection.at(4), new long[] {4}), words("four"));
    decode(decoder, path, sparse, dense);

    PickedElements second = new PickedElements(Selection.at(2), new long[] {2});
    DatasetModel less = sparse.copy("/s", Optional::of);
    less.erase(second);
    assertThrows(AssertionError.class, () -> decode(decoder, path, less));
    for (DatasetModel other : List.of(sparse, dense)) {
      DatasetModel changed = other.copy(other.path(), Optional::of);
      changed.write(second, words("two"));
      assertThrows(AssertionError.class, () -> decode(decoder, path, changed));
    }
  }

  private void decode(Optional<Oracle> decoder, Path path, DatasetModel... datasets) {
    Path beside = folder.resolve("beside" + System.nanoTime());
    assertTrue(beside.toFile().mkdir());
    Checkpoints checkpoints = new Checkpoints(beside, decoder);
    try (H5File file = H5File.open(path)) {
      checkpoints.decode(
          path, "copy.h5", Checkpoints.expectation(file, FormatBounds.V110, List.of(datasets)));
    }
    checkpoints.decodeAll();
    assertEquals(1, checkpoints.decoded());
  }

  @Test
  void a_failure_names_the_seed_that_repeats_it() {
    Path nowhere = folder.resolve("nowhere");
    LifecycleRun trial = new LifecycleRun(TypeFamily.INTEGERS, nowhere, Optional.empty());
    AssertionError failed = assertThrows(AssertionError.class, () -> trial.run(17, 10));
    assertTrue(failed.getMessage().startsWith("seed=17 "), failed.getMessage());
  }
}
