package io.skerry.integration.randomprogram;

import io.skerry.DatasetSpec;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.integration.random.PickedElements;
import io.skerry.integration.random.SelectionGenerator;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * An endless program of flushes. The seed and the number of a flush determine the state of the file
 * after it. The program changes dense filtered and sparse datasets with every index that grows,
 * variable-length values in chunks and in the global heap, and groups. Extents grow and sometimes
 * shrink.
 */
final class NumberedFlushes {
  /** The attribute of the root group with the number of the flush. */
  static final String NUMBER = "flush";

  static final String GROUPS = "/groups";

  private final RandomGenerator random;
  private final SelectionGenerator picker;
  private final FileModel model = new FileModel();
  private final List<TextColumn> texts = List.of(TextColumn.sparse(), TextColumn.dense());
  private final TreeSet<String> groups = new TreeSet<>();
  private int number = -1;

  /**
   * The changes before one flush.
   *
   * @param number the number of the flush; 0 creates all datasets
   * @param steps the steps on numeric datasets
   * @param texts a change for each column of strings; none in flush 0
   * @param created the names of created groups
   * @param deleted the names of deleted groups
   */
  record Turn(
      int number,
      List<ProgramStep> steps,
      List<TextColumn.Change> texts,
      List<String> created,
      List<String> deleted) {}

  NumberedFlushes(long seed) {
    random = new SplittableRandom(seed);
    picker = new SelectionGenerator(random);
  }

  /** Returns the state after the flush with a number. */
  static NumberedFlushes after(long seed, int number) {
    NumberedFlushes state = new NumberedFlushes(seed);
    while (state.number < number) {
      Turn unused = state.next();
    }
    return state;
  }

  /** Returns the numeric datasets after the last turn. */
  FileModel model() {
    return model;
  }

  /** Returns the columns of strings after the last turn. */
  List<TextColumn> texts() {
    return texts;
  }

  /** Returns the names of the groups after the last turn. */
  TreeSet<String> groups() {
    return groups;
  }

  /** Returns the next turn, and advances the state by it. */
  Turn next() {
    number++;
    if (number == 0) {
      List<ProgramStep> steps = creation();
      steps.forEach(model::apply);
      return new Turn(0, steps, List.of(), List.of(), List.of());
    }
    List<ProgramStep> steps = changes();
    List<TextColumn.Change> written = new ArrayList<>();
    for (TextColumn column : texts) {
      TextColumn.Change change = column.draw(random);
      column.apply(change);
      written.add(change);
    }
    List<String> created = number % 3 == 0 ? List.of("g" + number) : List.of();
    List<String> deleted =
        number % 5 == 0 && !groups.isEmpty() ? List.of(groups.first()) : List.of();
    groups.addAll(created);
    deleted.forEach(groups::remove);
    return new Turn(number, steps, written, created, deleted);
  }

  private static ProgramStep plan(String path, DatasetSpec spec) {
    return new ProgramStep.Create(new DatasetPlan(path, spec, NumericElement.I32, 0));
  }

  private static DatasetSpec spec(Shape shape) {
    return DatasetSpec.of(Datatype.I32, shape);
  }

  private static List<ProgramStep> creation() {
    Shape grows = Shape.of(10, 8).unlimited(0);
    Shape both = Shape.of(6, 6).unlimited(0).unlimited(1);
    return List.of(
        plan("/dense", spec(grows).chunked(4, 4).filters(Filters.shuffle(), Filters.deflate(1))),
        plan("/fixed", spec(Shape.of(12, 12)).chunked(5, 5).filters(Filters.deflate(1))),
        plan("/tree", spec(both).chunked(3, 3).filters(Filters.fletcher32())),
        plan("/plain", spec(grows).chunked(4, 8)),
        plan("/single", spec(Shape.of(6, 6)).sparse(6, 6)),
        plan("/sparse", spec(grows).sparse(3, 3).filters(Filters.shuffle(), Filters.deflate(1))),
        plan("/far", spec(both).sparse(2, 4)));
  }

  /** Draws changes and applies them to the model. */
  private List<ProgramStep> changes() {
    Optional<ProgramStep> shrink = shrink();
    shrink.ifPresent(model::apply);
    List<ProgramStep> steps = new ArrayList<>();
    for (int at = 0; at < model.datasets().size(); at++) {
      if (random.nextInt(3) > 0) {
        // Few changes per turn, so that flushes take most of the time.
        continue;
      }
      ArrayModel dataset = model.dataset(at);
      long[] extent = dataset.extent();
      long[] next = extent.clone();
      Arrays.setAll(
          next, d -> grows(dataset, d) ? Math.min(60, next[d] + random.nextInt(4)) : next[d]);
      if (!Arrays.equals(extent, next)) {
        steps.add(new ProgramStep.Extend(at, next));
      }
      List<PickedElements> requests = new ArrayList<>();
      for (int i = random.nextInt(3); i > 0; i--) {
        requests.add(picker.any(next));
      }
      steps.add(new ProgramStep.Write(at, requests, random.nextLong()));
      if (dataset.plan().isSparse() && random.nextInt(3) == 0) {
        steps.add(new ProgramStep.Erase(at, List.of(picker.any(next))));
      }
    }
    steps.forEach(model::apply);
    shrink.ifPresent(steps::addFirst);
    return steps;
  }

  private static boolean grows(ArrayModel dataset, int dimension) {
    return dataset.plan().spec().shape().maximum(dimension) == Shape.UNLIMITED;
  }

  /** Draws an extent to shrink to, before other changes: a shrink flushes pending changes. */
  private Optional<ProgramStep> shrink() {
    int at = random.nextInt(model.datasets().size());
    ArrayModel dataset = model.dataset(at);
    if (random.nextInt(4) > 0 || !grows(dataset, 0)) {
      return Optional.empty();
    }
    long[] next = dataset.extent();
    next[0] = Math.max(1, next[0] - 1 - random.nextInt(4));
    return Optional.of(new ProgramStep.Extend(at, next));
  }
}
