package io.skerry.jobs.integrity;

import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.chunk.text.PrintableText;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.report.ReportForm;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints the findings of a verification one by one, followed by the use of the file space. */
final class VerifyOutput implements Verification.Watcher {
  private final PrintWriter out;
  private final ReportForm form;
  private final ProgressDisplay progress;
  private final List<Verification.Finding> notes = new ArrayList<>();
  private long found;

  VerifyOutput(PrintWriter out, ReportForm form, ProgressDisplay progress) {
    this.out = out;
    this.form = form;
    this.progress = progress;
    if (form == ReportForm.JSON) {
      out.print("{\"findings\": [");
    }
  }

  /** Returns whether there are no findings. */
  boolean isClean() {
    return found == 0;
  }

  @Override
  public void finding(Verification.Finding finding) {
    switch (form) {
      case TEXT -> out.println(PrintableText.text(finding.toString()));
      case JSON -> out.print((found == 0 ? "" : ",\n") + json(finding).text());
    }
    found++;
  }

  @Override
  public void note(Verification.Finding note) {
    switch (form) {
      case TEXT -> out.println(PrintableText.text("note: " + note));
      case JSON -> notes.add(note);
    }
  }

  @Override
  public void checked(long bytes) {
    progress.advance(bytes);
  }

  void end(SpaceReport report) {
    switch (form) {
      case TEXT -> text(report);
      case JSON -> {
        if (!notes.isEmpty()) {
          out.print("],\n\"notes\": [");
          out.print(
              notes.stream().map(note -> json(note).text()).collect(Collectors.joining(",\n")));
        }
        out.println("],\n\"space\": " + json(report).text() + "}");
      }
    }
    out.flush();
  }

  private void text(SpaceReport report) {
    line(report.objects(), "objects");
    if (report.objects() > 0 && report.blocks() == 0) {
      line(report.endOfFile(), "bytes");
      ends();
      return;
    }
    line(report.blocks(), "blocks");
    for (Map.Entry<SpaceReport.Kind, Long> use : report.bytes().entrySet()) {
      line(use.getValue(), "bytes: " + use.getKey().text());
    }
    line(report.unclaimed(), "bytes: unclaimed");
    if (report.beyond() > 0) {
      line(report.beyond(), "bytes: after the allocated end");
    }
    ends();
  }

  private void ends() {
    out.println(found == 0 ? "clean" : found + (found == 1 ? " finding" : " findings"));
  }

  private void line(long number, String what) {
    out.println(String.format(Locale.ROOT, "%16d  %s", number, what));
  }

  private static Json json(Verification.Finding finding) {
    return Json.object()
        .with("address", finding.address())
        .with("structure", finding.structure())
        .with("path", finding.path())
        .with("what", finding.what())
        .with("expected", finding.expected())
        .with("actual", finding.actual());
  }

  private static Json json(SpaceReport report) {
    Json.Members bytes = Json.object();
    for (Map.Entry<SpaceReport.Kind, Long> use : report.bytes().entrySet()) {
      bytes = bytes.with(use.getKey().text(), use.getValue().longValue());
    }
    return Json.object()
        .with("objects", report.objects())
        .with("blocks", report.blocks())
        .with("bytes", bytes)
        .with("unclaimed", report.unclaimed())
        .with("endOfFile", report.endOfFile())
        .with("beyond", report.beyond());
  }
}
