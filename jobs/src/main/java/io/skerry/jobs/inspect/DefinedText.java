package io.skerry.jobs.inspect;

import io.skerry.chunk.text.PrintableText;
import io.skerry.jobs.report.Json;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Prints the defined elements of a dataset part by part, so that neither the coordinates nor the
 * selections of all chunks are in memory at the same time.
 *
 * @param options the options of the command
 * @param shape the shape of the dataset
 * @param asked the selected elements
 * @param found the defined elements among them
 */
record DefinedText(DefinedOptions options, Shape shape, Selection asked, Parts found) {

  /** A sequence of selections in row-major order; each traversal computes them again. */
  @FunctionalInterface
  interface Parts {
    void forEach(Consumer<Selection> visitor);
  }

  void print(PrintWriter out) {
    switch (options.output()) {
      case COUNT -> out.println(count());
      case COORDINATES -> printLines(out);
      case SUMMARY -> printSummary(out);
      case JSON -> printJson(out);
    }
  }

  private long count() {
    long[] count = {0};
    found.forEach(part -> count[0] += part.count(shape));
    return count[0];
  }

  private void printSummary(PrintWriter out) {
    long[] count = {0};
    List<Selection> bounds = new ArrayList<>(List.of(Selection.none()));
    found.forEach(part -> {
      count[0] += part.count(shape);
      part.boundingBox(shape)
          .ifPresent(box ->
              bounds.set(
                  0,
                  bounds
                      .getFirst()
                      .union(Selection.blocks(List.of(box)))
                      .boundingBox(shape)
                      .<Selection>map(all -> Selection.blocks(List.of(all)))
                      .orElseThrow()));
    });
    long of = asked.count(shape);
    out.printf(
        Locale.ROOT,
        "%s: %,d of %,d elements defined (%.4f %%)%n",
        PrintableText.text(options.dataset()),
        count[0],
        of,
        of == 0 ? 0 : 100.0 * count[0] / of);
    bounds
        .getFirst()
        .boundingBox(shape)
        .ifPresent(box -> out.println("bounds: " + text(box.start(), box.end())));
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
            .with("defined", count())
            .text();
    out.print(begin.substring(0, begin.length() - 1) + ", \"coordinates\": [");
    printList(out);
    out.println("]}");
  }

  private void printLines(PrintWriter out) {
    forEachRun((start, length) -> {
      String outer = outer(start, ",");
      for (long i = 0; i < length; i++) {
        out.print(outer);
        out.println(start[start.length - 1] + i);
      }
    });
  }

  private void printList(PrintWriter out) {
    String[] before = {"["};
    forEachRun((start, length) -> {
      String outer = outer(start, ", ");
      for (long i = 0; i < length; i++) {
        out.append(before[0]).append(outer);
        out.print(start[start.length - 1] + i);
        out.append(']');
        before[0] = ", [";
      }
    });
  }

  private void forEachRun(Selection.RunVisitor visitor) {
    found.forEach(part -> part.forEachRun(shape, visitor));
  }

  /** Returns the text of all coordinates except the last. */
  private static String outer(long[] start, String separator) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < start.length - 1; i++) {
      text.append(start[i]).append(separator);
    }
    return text.toString();
  }

  private static String text(long[] start, long[] end) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < start.length; i++) {
      text.append(i == 0 ? "" : ",").append(start[i]).append(':').append(end[i]);
    }
    return text.toString();
  }
}
