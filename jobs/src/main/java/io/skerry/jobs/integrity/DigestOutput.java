package io.skerry.jobs.integrity;

import io.skerry.chunk.text.PrintableText;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.ReportForm;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints digest entries one by one. */
final class DigestOutput {
  private final PrintWriter out;
  private final ReportForm form;
  private String before = "{\"objects\": [";
  private boolean failed;

  DigestOutput(PrintWriter out, ReportForm form) {
    this.out = out;
    this.form = form;
  }

  /** Returns whether an entry with an error has been printed. */
  boolean isIncomplete() {
    return failed;
  }

  void entry(DigestEntry entry) {
    failed |=
        entry.error().isPresent()
            || entry.attributes().stream().anyMatch(note -> note.error().isPresent());
    switch (form) {
      case TEXT -> text(entry);
      case JSON -> {
        out.print(before);
        out.print(json(entry).text());
        before = ",\n";
      }
    }
  }

  void end() {
    if (form == ReportForm.JSON) {
      out.println("]}");
    }
    out.flush();
  }

  private void text(DigestEntry entry) {
    line(PrintableText.field(entry.path()), entry.kind(), entry.content(), entry.error());
    for (DigestEntry.Note note : entry.attributes()) {
      line(
          PrintableText.field(entry.path()) + "@" + PrintableText.field(note.name()),
          "attribute",
          note.content(),
          note.error());
    }
  }

  private void line(
      String name, String kind, Optional<DigestEntry.Content> content, Optional<String> error) {
    String hash = content.flatMap(DigestEntry.Content::sha256).orElse("-");
    String described = content.map(DigestOutput::described).orElse("");
    String reason = error.map(e -> "  ? " + e).orElse("");
    out.println(
        String.format(Locale.ROOT, "%-64s  %-9s  ", hash, kind)
            + name
            + PrintableText.text(described + reason));
  }

  private static String described(DigestEntry.Content content) {
    String shape =
        content
            .shape()
            .map(s -> s.stream().map(String::valueOf).collect(Collectors.joining("x", "  ", " ")))
            .orElse("  ");
    return shape + content.type();
  }

  private static Json json(DigestEntry entry) {
    Json.Members object =
        with(
            Json.object().with("path", entry.path()).with("kind", entry.kind()),
            entry.content(),
            entry.error());
    List<Json> notes = new ArrayList<>();
    for (DigestEntry.Note note : entry.attributes()) {
      notes.add(with(Json.object().with("name", note.name()), note.content(), note.error()));
    }
    return object.with("attributes", new Json.Items(notes));
  }

  private static Json.Members with(
      Json.Members object, Optional<DigestEntry.Content> content, Optional<String> error) {
    Json.Members more = object;
    if (content.isPresent()) {
      Json shape =
          content
              .get()
              .shape()
              .<Json>map(s -> new Json.Items(s.stream().<Json>map(Json.Whole::new).toList()))
              .orElse(Json.Nothing.NULL);
      more = more.with("shape", shape).with("type", content.get().type());
      if (content.get().sha256().isPresent()) {
        more = more.with("sha256", content.get().sha256().get());
      }
    }
    return error.isPresent() ? more.with("error", error.get()) : more;
  }
}
