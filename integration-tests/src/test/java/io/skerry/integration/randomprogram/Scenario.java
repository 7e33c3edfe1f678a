package io.skerry.integration.randomprogram;

import io.skerry.DatasetSpec;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.integration.random.PickedElements;
import io.skerry.integration.random.SelectionGenerator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Draws random changes to a file with a dataset of every kind of storage and index. */
final class Scenario {
  /** Options without in-place writes, which are not part of a flush and can be torn in a crash. */
  static final FileOptions OPTIONS =
      FileOptions.standard().withWorkers(1).withOverwriting(FileOptions.Overwriting.BY_FLUSH);

  private final SelectionGenerator picker;
  private final RandomGenerator random;

  Scenario(long seed) {
    random = new SplittableRandom(seed);
    picker = new SelectionGenerator(random);
  }

  private static DatasetPlan plan(String path, DatasetSpec spec) {
    return new DatasetPlan(path, spec, NumericElement.I32, 0);
  }

  /** Creates the datasets. */
  static List<ProgramStep> creation() {
    Shape grows = Shape.of(10, 8).unlimited(0);
    List<ProgramStep> steps = new ArrayList<>();
    for (DatasetPlan plan :
        List.of(
            plan("/sparse", DatasetSpec.of(Datatype.I32, grows).sparse(2, 4)),
            plan(
                "/filtered",
                DatasetSpec.of(Datatype.I32, grows)
                    .sparse(3, 3)
                    .filters(Filters.shuffle(), Filters.deflate(1))),
            plan("/dense", DatasetSpec.of(Datatype.I32, grows).chunked(4, 4)),
            plan(
                "/fixed",
                DatasetSpec.of(Datatype.I32, Shape.of(12, 12))
                    .chunked(5, 5)
                    .filters(Filters.deflate(1))),
            plan("/paged", DatasetSpec.of(Datatype.I32, Shape.of(1200)).sparse(1)),
            plan("/single", DatasetSpec.of(Datatype.I32, Shape.of(6, 6)).sparse(6, 6)))) {
      steps.add(new ProgramStep.Create(plan));
    }
    return steps;
  }

  /** Returns writes to every dataset, erasures and extensions, and a flush at the end. */
  List<ProgramStep> changes(FileModel now) {
    List<ProgramStep> steps = new ArrayList<>();
    for (int number = 0; number < now.datasets().size(); number++) {
      ArrayModel dataset = now.dataset(number);
      long[] extent = dataset.extent();
      if (dataset.plan().spec().shape().maximum(0) == Shape.UNLIMITED) {
        extent[0] += random.nextInt(6);
        steps.add(new ProgramStep.Extend(number, extent));
      }
      List<PickedElements> requests = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        requests.add(picker.any(extent));
      }
      steps.add(new ProgramStep.Write(number, requests, random.nextLong()));
      if (dataset.plan().isSparse() && random.nextInt(3) == 0) {
        steps.add(new ProgramStep.Erase(number, List.of(picker.any(extent))));
      }
    }
    steps.add(new ProgramStep.Flush());
    return steps;
  }
}
