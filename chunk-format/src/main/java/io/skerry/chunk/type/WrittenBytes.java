package io.skerry.chunk.type;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects which bytes of an element a conversion writes. */
final class WrittenBytes {
  private final List<Conversion.Range> ranges = new ArrayList<>();

  void add(int offset, int length) {
    if (!ranges.isEmpty()) {
      Conversion.Range last = ranges.getLast();
      if (last.offset() + last.length() == offset) {
        ranges.set(ranges.size() - 1, new Conversion.Range(last.offset(), last.length() + length));
        return;
      }
    }
    ranges.add(new Conversion.Range(offset, length));
  }

  /** Ascending and apart; the members of a damaged compound may have overlapped. */
  List<Conversion.Range> ranges() {
    List<Conversion.Range> sorted = new ArrayList<>(ranges);
    sorted.sort(Comparator.comparingInt(Conversion.Range::offset));
    List<Conversion.Range> joined = new ArrayList<>();
    for (Conversion.Range range : sorted) {
      Conversion.Range last = joined.isEmpty() ? new Conversion.Range(0, 0) : joined.getLast();
      int end = last.offset() + last.length();
      if (joined.isEmpty() || range.offset() > end) {
        joined.add(range);
      } else {
        int longest = Math.max(end, range.offset() + range.length());
        joined.set(joined.size() - 1, new Conversion.Range(last.offset(), longest - last.offset()));
      }
    }
    return List.copyOf(joined);
  }
}
