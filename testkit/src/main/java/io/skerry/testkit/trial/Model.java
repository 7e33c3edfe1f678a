package io.skerry.testkit.trial;

import java.util.ArrayList;
import java.util.List;

/** The expected content of a file. Every rank has a complete model of the writes of all ranks. */
final class Model {
  private final List<ModelDataset> datasets = new ArrayList<>();

  Model copy() {
    Model copy = new Model();
    datasets.forEach(dataset -> copy.datasets.add(dataset.copy()));
    return copy;
  }

  List<ModelDataset> datasets() {
    return datasets;
  }

  ModelDataset dataset(int number) {
    return datasets.get(number);
  }

  void apply(Step step) {
    switch (step) {
      case Step.Create(DatasetPlan plan) -> datasets.add(new ModelDataset(plan));
      case Step.Write write -> write(write);
      case Step.WriteAll(List<Step.Write> writes) -> writes.forEach(this::write);
      case Step.Erase(int number, List<Pick> requests) -> {
        for (Pick request : requests) {
          for (long element : request.elements()) {
            dataset(number).erase(element);
          }
        }
      }
      case Step.Extend(int number, long[] extent) -> dataset(number).extend(extent);
      case Step.Flush _, Step.Read _, Step.Defined _ -> {}
    }
  }

  private void write(Step.Write write) {
    for (int r = 0; r < write.requests().size(); r++) {
      long[] elements = write.requests().get(r).elements();
      for (int place = 0; place < elements.length; place++) {
        dataset(write.dataset()).set(elements[place], write.value(r, place));
      }
    }
  }
}
