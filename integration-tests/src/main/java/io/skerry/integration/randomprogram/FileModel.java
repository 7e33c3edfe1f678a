package io.skerry.integration.randomprogram;

import io.skerry.integration.random.PickedElements;
import java.util.ArrayList;
import java.util.List;

/** The expected content of a file. Every rank has a complete model of the writes of all ranks. */
final class FileModel {
  private final List<ArrayModel> datasets = new ArrayList<>();

  FileModel copy() {
    FileModel copy = new FileModel();
    datasets.forEach(dataset -> copy.datasets.add(dataset.copy()));
    return copy;
  }

  List<ArrayModel> datasets() {
    return datasets;
  }

  ArrayModel dataset(int number) {
    return datasets.get(number);
  }

  void apply(ProgramStep step) {
    switch (step) {
      case ProgramStep.Create(DatasetPlan plan) -> datasets.add(new ArrayModel(plan));
      case ProgramStep.Write write -> write(write);
      case ProgramStep.WriteAll(List<ProgramStep.Write> writes) -> writes.forEach(this::write);
      case ProgramStep.Erase(int number, List<PickedElements> requests) -> {
        for (PickedElements request : requests) {
          for (long element : request.elements()) {
            dataset(number).erase(element);
          }
        }
      }
      case ProgramStep.Extend(int number, long[] extent) -> dataset(number).extend(extent);
      case ProgramStep.Flush _, ProgramStep.Read _, ProgramStep.Defined _ -> {}
    }
  }

  private void write(ProgramStep.Write write) {
    for (int r = 0; r < write.requests().size(); r++) {
      long[] elements = write.requests().get(r).elements();
      for (int place = 0; place < elements.length; place++) {
        dataset(write.dataset()).set(elements[place], write.value(r, place));
      }
    }
  }
}
