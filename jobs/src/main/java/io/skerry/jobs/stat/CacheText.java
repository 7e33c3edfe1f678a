package io.skerry.jobs.stat;

import io.skerry.chunk.text.PrintableText;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints statistics of the chunk cache: several lines for one dataset, or a row of a table. */
final class CacheText {
  private static final String ROW = "%-28s %-8s %9s %9s %9s %10s %9s %13s";

  private final PrintWriter out;

  CacheText(PrintWriter out) {
    this.out = out;
  }

  /** Prints the header of the table. */
  void head() {
    out.println();
    out.println(
        ROW.formatted(
            "dataset", "read by", "requests", "chunks", "reads", "per chunk", "hits", "cache"));
  }

  /** Prints a row of the table. */
  void row(String path, CacheStat stat) {
    out.println(
        ROW.formatted(
                PrintableText.text(path),
                stat.order(),
                number(stat.requests()),
                number(stat.chunks()),
                number(stat.reads()),
                decimal(stat.readsPerChunk()),
                percent(stat.statistics().hitRatio()),
                number(stat.statistics().quiescent()))
            + (stat.fits() ? "" : "  does not fit"));
  }

  /** Prints the lines for one dataset and reading order. */
  void page(CacheStat stat) {
    line(
        "read by " + stat.order(),
        number(stat.requests())
            + " requests, "
            + number(stat.statistics().hits())
            + " of "
            + number(stat.statistics().hits() + stat.statistics().misses())
            + " chunks of them in the cache ("
            + percent(stat.statistics().hitRatio())
            + ")");
    line(
        "",
        number(stat.reads())
            + " reads of "
            + number(stat.chunks())
            + " chunks, "
            + decimal(stat.readsPerChunk())
            + " of each; "
            + number(stat.statistics().loadedBytes())
            + " bytes in memory");
    line(
        "",
        number(stat.statistics().passed())
            + " past the cache; "
            + number(stat.statistics().evictions())
            + " evicted");
    line(
        "",
        "limit "
            + number(stat.statistics().quiescent())
            + " bytes in the end, may grow to "
            + number(stat.most()));
    line("", stat.fits() ? "chunks and cache fit this order" : advice(stat));
  }

  private static String advice(CacheStat stat) {
    return stat.statistics().quiescent() >= stat.most()
        ? "chunks are read again: other chunks, another order or a larger cache would help"
        : "chunks are read again: other chunks or another order would help";
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

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f%%", 100 * share);
  }
}
