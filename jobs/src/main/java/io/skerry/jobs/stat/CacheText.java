package io.skerry.jobs.stat;

import io.skerry.chunk.text.PrintableText;
import java.io.PrintWriter;
import java.util.Locale;

/** What the chunk cache did, for people: a few lines for one dataset, a line in a table of many. */
final class CacheText {
  private static final String ROW = "%-28s %-8s %9s %9s %9s %10s %9s %13s";

  private final PrintWriter out;

  CacheText(PrintWriter out) {
    this.out = out;
  }

  /** The heads of the columns. */
  void head() {
    out.println();
    out.println(
        ROW.formatted(
            "dataset", "read by", "requests", "chunks", "reads", "per chunk", "hits", "cache"));
  }

  /** A line of the table. */
  void row(String path, CacheStat stat) {
    out.println(
        ROW.formatted(
                PrintableText.text(path),
                stat.order(),
                number(stat.requests()),
                number(stat.chunks()),
                number(stat.reads()),
                decimal(stat.readsPerChunk()),
                percent(stat.told().hitRatio()),
                number(stat.told().quiescent()))
            + (stat.fits() ? "" : "  does not fit"));
  }

  /** Lines of a page. */
  void page(CacheStat stat) {
    line(
        "read by " + stat.order(),
        number(stat.requests())
            + " requests, "
            + number(stat.told().hits())
            + " of "
            + number(stat.told().hits() + stat.told().misses())
            + " chunks of them in the cache ("
            + percent(stat.told().hitRatio())
            + ")");
    line(
        "",
        number(stat.reads())
            + " reads of "
            + number(stat.chunks())
            + " chunks, "
            + decimal(stat.readsPerChunk())
            + " of each; "
            + number(stat.told().loadedBytes())
            + " bytes in memory");
    line(
        "",
        number(stat.told().passed())
            + " past the cache; "
            + number(stat.told().evictions())
            + " evicted");
    line(
        "",
        "limit "
            + number(stat.told().quiescent())
            + " bytes in the end, may grow to "
            + number(stat.most()));
    line("", stat.fits() ? "chunks and cache fit this order" : advice(stat));
  }

  private static String advice(CacheStat stat) {
    return stat.told().quiescent() >= stat.most()
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
