package io.skerry.integration.randomprogram;

import io.skerry.integration.random.PickedElements;
import java.util.ArrayList;
import java.util.List;

/** Splits steps into parts of one collective call each. */
final class SingleCalls {
  private SingleCalls() {}

  /** Returns the parts of a step. */
  static List<ProgramStep> of(ProgramStep step, int ranks) {
    return switch (step) {
      case ProgramStep.Write write ->
          cut(write.requests(), ranks).stream()
              .<ProgramStep>map(some -> new ProgramStep.Write(write.dataset(), some, write.salt()))
              .toList();
      case ProgramStep.WriteAll(List<ProgramStep.Write> writes) ->
          writes.stream().flatMap(write -> of(write, ranks).stream()).toList();
      case ProgramStep.Erase erase ->
          cut(erase.requests(), ranks).stream()
              .<ProgramStep>map(some -> new ProgramStep.Erase(erase.dataset(), some))
              .toList();
      case ProgramStep.Read read ->
          cut(read.requests(), ranks).stream()
              .<ProgramStep>map(some -> new ProgramStep.Read(read.dataset(), some))
              .toList();
      case ProgramStep.Defined asked ->
          cut(asked.requests(), ranks).stream()
              .<ProgramStep>map(some -> new ProgramStep.Defined(asked.dataset(), some))
              .toList();
      case ProgramStep.Create _, ProgramStep.Extend _, ProgramStep.Flush _ -> List.of(step);
    };
  }

  private static List<List<PickedElements>> cut(List<PickedElements> requests, int ranks) {
    List<List<PickedElements>> parts = new ArrayList<>();
    for (int first = 0; first < requests.size(); first += ranks) {
      parts.add(requests.subList(first, Math.min(requests.size(), first + ranks)));
    }
    return parts;
  }
}
