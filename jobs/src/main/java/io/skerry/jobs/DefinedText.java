package io.skerry.jobs;

import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints which elements are defined. Coordinates are written as they come, never held as a list: a
 * file may define millions.
 *
 * @param asked the selected elements
 * @param found the defined ones among them
 */
record DefinedText(DefinedOptions options, Shape shape, Selection asked, Selection found) {

  void print(PrintWriter out) {
    switch (options.output()) {
      case COUNT -> out.println(found.count(shape));
      case COORDINATES -> printCoordinates(out, "", System.lineSeparator(), "");
      case SUMMARY -> printSummary(out);
      case JSON -> printJson(out);
    }
  }

  private void printSummary(PrintWriter out) {
    long count = found.count(shape);
    long of = asked.count(shape);
    out.printf(
        Locale.ROOT,
        "%s: %,d of %,d elements defined (%.4f %%)%n",
        TreeText.printable(options.dataset()),
        count,
        of,
        of == 0 ? 0 : 100.0 * count / of);
    if (shape.rank() > 0) {
      found
          .boundingBox(shape)
          .ifPresent(box -> out.println("bounds: " + text(box.start(), box.end())));
    }
  }

  private void printJson(PrintWriter out) {
    List<Json> extent = new ArrayList<>();
    for (long size : shape.extent()) {
      extent.add(new Json.Whole(size));
    }
    String begin =
        Json.object()
            .with("dataset", options.dataset())
            .with("shape", new Json.Items(extent))
            .with("selected", asked.count(shape))
            .with("defined", found.count(shape))
            .text();
    out.print(begin.substring(0, begin.length() - 1) + ", \"coordinates\": [");
    printCoordinates(out, "[", ", ", "]");
    out.println("]}");
  }

  /** Lines end in the separator; items of a list have it between them. */
  private void printCoordinates(PrintWriter out, String open, String separator, String close) {
    boolean list = !open.isEmpty();
    String[] before = {""};
    found.forEachRun(
        shape,
        (start, length) -> {
          StringBuilder outer = new StringBuilder();
          for (int i = 0; i < start.length - 1; i++) {
            outer.append(start[i]).append(',');
          }
          for (long i = 0; i < length; i++) {
            out.append(before[0]).append(open).append(outer);
            if (start.length > 0) {
              out.print(start[start.length - 1] + i);
            }
            out.append(close).append(list ? "" : separator);
            before[0] = list ? separator : "";
          }
        });
  }

  private static String text(long[] start, long[] end) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < start.length; i++) {
      text.append(i == 0 ? "" : ",").append(start[i]).append(':').append(end[i]);
    }
    return text.toString();
  }
}
