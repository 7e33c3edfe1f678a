package io.skerry.testkit.trial;

import java.util.ArrayList;
import java.util.List;

/** Cuts steps into parts that are one collective call each. */
final class SingleCalls {
  private SingleCalls() {}

  /** The parts of a step. */
  static List<Step> of(Step step, int ranks) {
    return switch (step) {
      case Step.Write write ->
          cut(write.requests(), ranks).stream()
              .<Step>map(some -> new Step.Write(write.dataset(), some, write.salt()))
              .toList();
      case Step.WriteAll(List<Step.Write> writes) ->
          writes.stream().flatMap(write -> of(write, ranks).stream()).toList();
      case Step.Erase erase ->
          cut(erase.requests(), ranks).stream()
              .<Step>map(some -> new Step.Erase(erase.dataset(), some))
              .toList();
      case Step.Read read ->
          cut(read.requests(), ranks).stream()
              .<Step>map(some -> new Step.Read(read.dataset(), some))
              .toList();
      case Step.Defined asked ->
          cut(asked.requests(), ranks).stream()
              .<Step>map(some -> new Step.Defined(asked.dataset(), some))
              .toList();
      case Step.Create _, Step.Extend _, Step.Flush _ -> List.of(step);
    };
  }

  private static List<List<Pick>> cut(List<Pick> requests, int ranks) {
    List<List<Pick>> parts = new ArrayList<>();
    for (int first = 0; first < requests.size(); first += ranks) {
      parts.add(requests.subList(first, Math.min(requests.size(), first + ranks)));
    }
    return parts;
  }
}
