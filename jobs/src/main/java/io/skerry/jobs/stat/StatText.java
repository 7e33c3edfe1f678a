package io.skerry.jobs.stat;

import io.skerry.StorageStatistics;
import io.skerry.chunk.text.PrintableText;
import io.skerry.selection.Selection;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** Prints storage statistics: a page for one dataset, or a row of a table. */
final class StatText {
  private static final String ROW = "%-28s %-10s %9s %13s %9s %13s %7s %9s";

  private final PrintWriter out;

  StatText(PrintWriter out) {
    this.out = out;
  }

  /** Prints the header of the table. */
  void head() {
    out.println(
        ROW.formatted(
            "dataset", "layout", "chunks", "defined", "density", "bytes", "ratio", "B/defined"));
  }

  /** Prints a row of the table. */
  void row(DatasetStat stat) {
    StorageStatistics s = stat.statistics();
    String line =
        ROW.formatted(
            PrintableText.text(stat.path()),
            stat.storage().layout(),
            number(s.chunks()),
            number(s.defined()),
            percent(s.defined(), s.elements()),
            number(s.dataBytes()),
            decimal(stat.ratio()),
            decimal(stat.bytesPerDefined()));
    out.println(s.wouldBeSmallerDense() ? line + "  dense would be smaller" : line);
  }

  /**
   * Prints a row with the reason why an object, or a file that stores its elements, cannot be read.
   */
  void unreadable(String path, String reason) {
    out.println(PrintableText.text("%-28s %s".formatted(path, reason)));
  }

  /** Prints the page of one dataset. */
  void page(DatasetStat stat) {
    StorageStatistics s = stat.statistics();
    out.println(PrintableText.text(stat.path() + "  " + stat.shape() + " " + stat.type()));
    stat.refused().forEach(reason -> unreadable(stat.path(), reason));
    String chunk =
        stat.storage().chunk().stream().map(String::valueOf).collect(Collectors.joining("x"));
    line(
        "layout",
        chunk.isEmpty()
            ? stat.storage().layout()
            : stat.storage().layout() + " " + chunk + " by " + stat.storage().index());
    if (!stat.storage().filters().isEmpty()) {
      line("filters", String.join("  ", stat.storage().filters()));
    }
    stat.mappings()
        .ifPresent(mapped -> {
          line("mappings", mapped.text());
          mapped.lines().forEach(each -> line("", each));
        });
    line(
        "defined",
        number(s.defined())
            + " of "
            + number(s.elements())
            + " elements ("
            + percent(s.defined(), s.elements())
            + ")");
    if (!chunk.isEmpty()) {
      chunks(s);
    }
    for (StorageStatistics.SectionUsage section : s.sections()) {
      line(
          section.name(),
          number(section.storedBytes())
              + " bytes, unfiltered "
              + number(section.unfilteredBytes())
              + ", ratio "
              + decimal(DatasetStat.share(section.unfilteredBytes(), section.storedBytes())));
    }
    line(
        "together",
        number(s.dataBytes())
            + " bytes, "
            + decimal(stat.bytesPerDefined())
            + " for each defined element");
    if (stat.sparse()) {
      sparse(s);
    }
  }

  private void chunks(StorageStatistics s) {
    line(
        "chunks",
        number(s.chunks())
            + " of "
            + number(s.reachableChunks())
            + ", "
            + percent(s.defined(), s.allocatedElements())
            + " of their elements defined");
    if (s.skippingChunks() > 0) {
      line("", "a filter was skipped for " + number(s.skippingChunks()));
    }
    line("index", number(s.indexBytes()) + " bytes");
    StorageStatistics.Fragmentation f = s.fragmentation();
    line(
        "fragmentation",
        number(f.breaks())
            + " breaks ("
            + percent(f.breaks(), Math.max(1, s.chunks() - 1))
            + "), "
            + number(f.holes())
            + " holes of "
            + number(f.holeBytes())
            + " bytes");
  }

  private void sparse(StorageStatistics s) {
    StringJoiner forms = new StringJoiner(", ");
    for (Selection.Form form : Selection.Form.values()) {
      long count = s.forms().getOrDefault(form, 0L);
      if (count > 0) {
        forms.add(DatasetStat.name(form) + " " + number(count));
      }
    }
    line("location forms", s.forms().isEmpty() ? "none" : forms + " (chunks)");
    s.dense()
        .ifPresent(dense -> {
          boolean measured = dense.sampledChunks() == s.chunks();
          String how =
              measured ? "measured" : "estimated from " + dense.sampledChunks() + " chunks";
          line(
              "if dense",
              number(dense.bytes())
                  + " bytes ("
                  + how
                  + "), without filters "
                  + number(dense.plainBytes()));
          line(
              "",
              s.wouldBeSmallerDense()
                  ? "a dense dataset would be smaller"
                  : "a dense dataset would not be smaller");
        });
  }

  private void line(String name, String text) {
    out.println("  %-15s %s".formatted(name, PrintableText.text(text)));
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.3f%%", 100 * DatasetStat.share(part, whole));
  }
}
