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
 * An endless program, and what a file holds after each of its flushes: it follows from the seed and
 * the number of the flush. Dense filtered and sparse datasets under every index that grows, values
 * of variable length in chunks and in the global heap, groups that come and go. Extents grow, and
 * shrink sometimes.
 */
final class NumberedFlushes {
  /** Attribute of the root group with the number of the flush. */
  static final String NUMBER = "flush";

  static final String GROUPS = "/groups";

  private final RandomGenerator random;
  private final SelectionGenerator picker;
  private final FileModel model = new FileModel();
  private final List<TextColumn> texts = List.of(TextColumn.sparse(), TextColumn.dense());
  private final TreeSet<String> groups = new TreeSet<>();
  private int number = -1;

  /**
   * What leads to one flush.
   *
   * @param number of the flush; 0 creates everything
   * @param steps on datasets of numbers
   * @param texts one for each column of texts; none in flush 0
   * @param created groups
   * @param deleted groups
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

  /** The state after that flush. */
  static NumberedFlushes after(long seed, int number) {
    NumberedFlushes state = new NumberedFlushes(seed);
    while (state.number < number) {
      Turn unused = state.next();
    }
    return state;
  }

  /** The datasets of numbers as they are after the last turn. */
  FileModel model() {
    return model;
  }

  /** The columns of texts as they are after the last turn. */
  List<TextColumn> texts() {
    return texts;
  }

  /** The groups that there are after the last turn. */
  TreeSet<String> groups() {
    return groups;
  }

  /** The next turn; the state is then that after it. */
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

  /** Draws changes and takes them in the model. */
  private List<ProgramStep> changes() {
    Optional<ProgramStep> shrink = shrink();
    shrink.ifPresent(model::apply);
    List<ProgramStep> steps = new ArrayList<>();
    for (int at = 0; at < model.datasets().size(); at++) {
      if (random.nextInt(3) > 0) {
        // Small turns, so that most of the time goes into flushes.
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

  /** Sometimes, and before any other change: shrinking stores first what is not stored yet. */
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
