package io.skerry.chunk.datatype.conversion;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the bytes of an element that a conversion writes. */
final class WrittenBytes {
  private final List<ElementParts.Range> ranges = new ArrayList<>();

  void add(int offset, int length) {
    if (!ranges.isEmpty()) {
      ElementParts.Range last = ranges.getLast();
      if (last.offset() + last.length() == offset) {
        ranges.set(
            ranges.size() - 1, new ElementParts.Range(last.offset(), last.length() + length));
        return;
      }
    }
    ranges.add(new ElementParts.Range(offset, length));
  }

  /** Returns the ranges in ascending order. Ranges that touch are joined. */
  List<ElementParts.Range> ranges() {
    List<ElementParts.Range> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingInt(ElementParts.Range::offset));
    List<ElementParts.Range> joined = new ArrayList<>();
    for (ElementParts.Range range : sorted) {
      int end = joined.isEmpty() ? -1 : joined.getLast().offset() + joined.getLast().length();
      if (range.offset() > end) {
        joined.add(range);
      } else {
        int first = joined.getLast().offset();
        int last = range.offset() + range.length();
        joined.set(joined.size() - 1, new ElementParts.Range(first, last - first));
      }
    }
    return List.copyOf(joined);
  }
}
