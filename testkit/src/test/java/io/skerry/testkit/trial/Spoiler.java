package io.skerry.testkit.trial;

import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Arguments that one rank gets wrong. */
final class Spoiler {
  private final RandomGenerator random;
  private final Model model;

  Spoiler(RandomGenerator random, Model model) {
    this.random = random;
    this.model = model;
  }

  /**
   * What a rank does instead of a step that is one collective call; nothing if there is no way to
   * do it wrong.
   *
   * @param victim the rank
   * @param ranks how many there are; alone, nobody can be of another opinion
   */
  Optional<Step> spoiled(Step step, int victim, int ranks) {
    return switch (step) {
      case Step.Write write ->
          instead(write.requests(), victim, anyBad(write.dataset()))
              .map(all -> new Step.Write(write.dataset(), all, write.salt()));
      case Step.Erase erase ->
          instead(erase.requests(), victim, outside(erase.dataset()))
              .map(all -> new Step.Erase(erase.dataset(), all));
      case Step.Read read ->
          instead(read.requests(), victim, outside(read.dataset()))
              .map(all -> new Step.Read(read.dataset(), all));
      case Step.Defined asked ->
          instead(asked.requests(), victim, outside(asked.dataset()))
              .map(all -> new Step.Defined(asked.dataset(), all));
      case Step.Extend extend when ranks > 1 -> {
        long[] other = extend.extent().clone();
        other[random.nextInt(other.length)]++;
        yield Optional.of(new Step.Extend(extend.dataset(), other));
      }
      case Step.Create create when ranks > 1 -> {
        DatasetPlan plan = create.plan();
        DatasetPlan other =
            new DatasetPlan(plan.path() + "x", plan.spec(), plan.element(), plan.fill());
        yield Optional.of(new Step.Create(other));
      }
      // A write of several datasets has been cut into writes of one.
      case Step.WriteAll _, Step.Extend _, Step.Create _, Step.Flush _ -> Optional.empty();
    };
  }

  private static Optional<List<Pick>> instead(List<Pick> requests, int victim, Pick bad) {
    if (requests.isEmpty()) {
      // Then no rank makes a call.
      return Optional.empty();
    }
    List<Pick> all = new ArrayList<>(requests);
    while (all.size() <= victim) {
      all.add(Pick.NOTHING);
    }
    all.set(victim, bad);
    return Optional.of(all);
  }

  /** More values than elements, or elements that are not there. */
  private Pick anyBad(int dataset) {
    return random.nextInt(3) == 0 ? new Pick(Selection.none(), new long[1]) : outside(dataset);
  }

  /** Outside the extent, or in a space of another rank. */
  private Pick outside(int dataset) {
    long[] at = model.dataset(dataset).extent();
    int rank = at.length;
    Arrays.setAll(at, d -> d == 0 ? at[0] + random.nextInt(3) : 0);
    Selection selection =
        random.nextBoolean() ? Selection.at(at) : Selection.at(Arrays.copyOf(at, rank + 1));
    return new Pick(selection, new long[1]);
  }
}
