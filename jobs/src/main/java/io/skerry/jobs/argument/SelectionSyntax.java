package io.skerry.jobs.argument;

import io.skerry.jobs.run.JobException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses selections given on the command line: one part per dimension, separated by commas. A part
 * is {@code INDEX}, {@code START:END}, {@code START:END:STEP} or {@code :}. As in Python, the end
 * is exclusive, an omitted bound defaults to that of the extent, and a negative index or bound
 * counts from the end of the extent.
 */
public final class SelectionSyntax {
  private static final Pattern PART =
      Pattern.compile("\\s*(?:(-?\\d{1,18})|(-?\\d{1,18})?:(-?\\d{1,18})?(?::(\\d{1,18})?)?)\\s*");

  private SelectionSyntax() {}

  /**
   * Parses a selection of elements of a dataset.
   *
   * @param shape the shape of the dataset
   * @return the selection; {@link Selection#none()} if a range is empty
   * @throws IllegalArgumentException if the text is not a selection with one part for each
   *     dimension, an index or bound is outside the extent, an end is less than its start, or a
   *     step is 0
   */
  public static Selection parse(String text, Shape shape) {
    String[] parts = text.split(",", -1);
    if (parts.length != shape.rank()) {
      throw new IllegalArgumentException(
          "a selection needs one part per dimension: selection=%s parts=%d dimensions=%d"
              .formatted(text, parts.length, shape.rank()));
    }
    long[] start = new long[parts.length];
    long[] stride = new long[parts.length];
    long[] count = new long[parts.length];
    boolean empty = false;
    for (int i = 0; i < parts.length; i++) {
      Matcher part = PART.matcher(parts[i]);
      if (!part.matches()) {
        throw new IllegalArgumentException(
            "not INDEX, START:END, START:END:STEP or ':': part=%s selection=%s"
                .formatted(parts[i], text));
      }
      long extent = shape.extent(i);
      if (part.group(1) != null) {
        start[i] = fromEnd(part.group(1), extent);
        stride[i] = 1;
        count[i] = 1;
        check(start[i], start[i] + 1, extent, parts[i], i);
      } else {
        start[i] = part.group(2) == null ? 0 : fromEnd(part.group(2), extent);
        long end = part.group(3) == null ? extent : fromEnd(part.group(3), extent);
        stride[i] = part.group(4) == null ? 1 : Long.parseLong(part.group(4));
        check(start[i], end, extent, parts[i], i);
        if (stride[i] < 1) {
          throw new IllegalArgumentException("a step must be at least 1: part=" + parts[i]);
        }
        count[i] = Math.ceilDiv(end - start[i], stride[i]);
      }
      empty |= count[i] == 0;
    }
    if (empty) {
      return Selection.none();
    }
    return Selection.at(start).stride(stride).count(count);
  }

  /**
   * Parses a selection like {@link #parse}, but reports an error as a failure of the command.
   *
   * @throws JobException if {@link #parse} refuses the text
   */
  public static Selection parseArgument(String text, Shape shape) {
    try {
      return parse(text, shape);
    } catch (IllegalArgumentException e) {
      throw new JobException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Returns whether the part of a selection for one dimension is a single {@code INDEX}, not a
   * range.
   *
   * @param text a selection that {@link #parse} accepts
   * @param dimension the dimension, counted from 0
   */
  public static boolean isIndex(String text, int dimension) {
    return !text.split(",", -1)[dimension].contains(":");
  }

  private static long fromEnd(String number, long extent) {
    long value = Long.parseLong(number);
    return value < 0 ? value + extent : value;
  }

  private static void check(long start, long end, long extent, String part, int dimension) {
    if (start < 0 || end < start || end > extent) {
      throw new IllegalArgumentException(
          "outside the extent: part=%s dimension=%d extent=%d".formatted(part, dimension, extent));
    }
  }
}
