package io.skerry.integration.randomprogram;

import io.skerry.integration.random.PickedElements;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Draws wrong arguments for one rank. */
final class InvalidArguments {
  private final RandomGenerator random;
  private final FileModel model;

  InvalidArguments(RandomGenerator random, FileModel model) {
    this.random = random;
    this.model = model;
  }

  /**
   * Returns a step with wrong arguments in place of a step of one collective call; empty if the
   * arguments cannot be wrong.
   *
   * @param victim the rank with the wrong arguments
   * @param ranks the number of ranks; the arguments of a single rank cannot differ from others
   */
  Optional<ProgramStep> spoiled(ProgramStep step, int victim, int ranks) {
    return switch (step) {
      case ProgramStep.Write write ->
          instead(write.requests(), victim, anyBad(write.dataset()))
              .map(all -> new ProgramStep.Write(write.dataset(), all, write.salt()));
      case ProgramStep.Erase erase ->
          instead(erase.requests(), victim, outside(erase.dataset()))
              .map(all -> new ProgramStep.Erase(erase.dataset(), all));
      case ProgramStep.Read read ->
          instead(read.requests(), victim, outside(read.dataset()))
              .map(all -> new ProgramStep.Read(read.dataset(), all));
      case ProgramStep.Defined asked ->
          instead(asked.requests(), victim, outside(asked.dataset()))
              .map(all -> new ProgramStep.Defined(asked.dataset(), all));
      case ProgramStep.Extend extend when ranks > 1 -> {
        long[] other = extend.extent().clone();
        other[random.nextInt(other.length)]++;
        yield Optional.of(new ProgramStep.Extend(extend.dataset(), other));
      }
      case ProgramStep.Create create when ranks > 1 -> {
        DatasetPlan plan = create.plan();
        DatasetPlan other =
            new DatasetPlan(plan.path() + "x", plan.spec(), plan.element(), plan.fill());
        yield Optional.of(new ProgramStep.Create(other));
      }
      // SingleCalls splits a write to several datasets into writes to one.
      case ProgramStep.WriteAll _,
          ProgramStep.Extend _,
          ProgramStep.Create _,
          ProgramStep.Flush _ ->
          Optional.empty();
    };
  }

  private static Optional<List<PickedElements>> instead(
      List<PickedElements> requests, int victim, PickedElements bad) {
    if (requests.isEmpty()) {
      // No rank makes a call.
      return Optional.empty();
    }
    List<PickedElements> all = new ArrayList<>(requests);
    while (all.size() <= victim) {
      all.add(PickedElements.NOTHING);
    }
    all.set(victim, bad);
    return Optional.of(all);
  }

  /** Returns more values than elements, or elements that do not exist. */
  private PickedElements anyBad(int dataset) {
    return random.nextInt(3) == 0
        ? new PickedElements(Selection.none(), new long[1])
        : outside(dataset);
  }

  /** Returns elements outside of the extent, or in a dataspace of another rank. */
  private PickedElements outside(int dataset) {
    long[] at = model.dataset(dataset).extent();
    int rank = at.length;
    Arrays.setAll(at, d -> d == 0 ? at[0] + random.nextInt(3) : 0);
    Selection selection =
        random.nextBoolean() ? Selection.at(at) : Selection.at(Arrays.copyOf(at, rank + 1));
    return new PickedElements(selection, new long[1]);
  }
}
