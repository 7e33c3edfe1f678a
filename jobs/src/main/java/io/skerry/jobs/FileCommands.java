package io.skerry.jobs;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Mpi;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the subcommands do, on HDF5 files. */
final class FileCommands implements Commands {
  private final Map<String, String> environment;

  FileCommands(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  @Override
  public int lcls(LclsOptions options) {
    if (Launch.of(environment).isLaunched()) {
      return Mpi.run(world -> report(options, world));
    }
    return LocalRanks.call(options.ranks(), world -> report(options, world)).getFirst();
  }

  private int report(LclsOptions options, Communicator world) {
    LclsReport report = DetectorJob.run(options, world, environment);
    if (world.rank() == 0) {
      PrintWriter out = standardOutput();
      switch (options.report()) {
        case TABLE -> out.print(report.toTable());
        case JSON -> out.println(report.toJson());
      }
      out.flush();
    }
    return report.exitCode();
  }

  @Override
  public int ls(LsOptions options) {
    try (H5File file = H5File.open(options.file())) {
      PrintWriter out = standardOutput();
      new TreeListing(file, out).print();
      out.flush();
    }
    return 0;
  }

  @Override
  public int defined(DefinedOptions options) {
    try (H5File file = H5File.open(options.file())) {
      Dataset dataset = file.dataset(options.dataset());
      Shape shape = dataset.shape();
      Selection asked =
          options
              .selection()
              .map(text -> SelectionSyntax.parse(text, shape))
              .orElse(Selection.all());
      Selection found = dataset.defined(asked);
      PrintWriter out = standardOutput();
      print(found, asked, shape, options, out);
      out.flush();
    }
    return 0;
  }

  private static void print(
      Selection found, Selection asked, Shape shape, DefinedOptions options, PrintWriter out) {
    switch (options.output()) {
      case COUNT -> out.println(found.count(shape));
      case COORDINATES -> printCoordinates(found, shape, out);
      case SUMMARY -> {
        long count = found.count(shape);
        long of = asked.count(shape);
        out.printf(
            Locale.ROOT,
            "%s: %,d of %,d elements defined (%.4f %%)%n",
            options.dataset(),
            count,
            of,
            of == 0 ? 0 : 100.0 * count / of);
        found
            .boundingBox(shape)
            .ifPresent(box -> out.println("bounds: " + text(box.start(), box.end())));
      }
      case JSON -> out.println(json(found, asked, shape, options));
    }
  }

  private static String json(
      Selection found, Selection asked, Shape shape, DefinedOptions options) {
    List<Json> extent = new ArrayList<>();
    for (long size : shape.extent()) {
      extent.add(new Json.Whole(size));
    }
    List<Json> elements = new ArrayList<>();
    long[] flat = found.toCoordinates(shape);
    for (int at = 0; at < flat.length; at += shape.rank()) {
      List<Json> one = new ArrayList<>();
      for (int i = 0; i < shape.rank(); i++) {
        one.add(new Json.Whole(flat[at + i]));
      }
      elements.add(new Json.Items(one));
    }
    return Json.object()
        .with("dataset", options.dataset())
        .with("shape", new Json.Items(extent))
        .with("selected", asked.count(shape))
        .with("defined", found.count(shape))
        .with("coordinates", new Json.Items(elements))
        .text();
  }

  private static void printCoordinates(Selection found, Shape shape, PrintWriter out) {
    found.forEachRun(
        shape,
        (start, length) -> {
          StringBuilder before = new StringBuilder();
          for (int i = 0; i < start.length - 1; i++) {
            before.append(start[i]).append(',');
          }
          for (long i = 0; i < length; i++) {
            out.append(before).println(start[start.length - 1] + i);
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

  private static PrintWriter standardOutput() {
    return new PrintWriter(System.out, false, StandardCharsets.UTF_8);
  }
}
