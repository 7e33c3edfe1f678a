package io.skerry.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteTest {
  @TempDir Path site;

  @Test
  void every_link_and_picture_of_the_pages_leads_to_a_file() throws IOException {
    SiteBuilder.pages(Checkout.root(), site);
    // The Javadoc takes long and is checked by ./skerry docs.
    Files.writeString(Files.createDirectories(site.resolve("api")).resolve("index.html"), "");
    LinkCheck.Outcome outcome = LinkCheck.of(site);
    assertEquals(List.of(), outcome.broken());
    assertTrue(outcome.checked() > 100, outcome.toString());
  }

  @Test
  void every_page_of_the_documentation_is_a_page_of_the_site() throws IOException {
    try (Stream<Path> files = Files.list(Checkout.root().resolve("docs"))) {
      List<String> missing =
          files
              .map(file -> "docs/" + file.getFileName())
              .filter(name -> name.endsWith(".md") && SitePage.from(name).isEmpty())
              .toList();
      assertEquals(List.of(), missing);
    }
  }

  @Test
  void a_link_to_a_missing_file_picture_or_place_is_found() throws IOException {
    Files.writeString(
        site.resolve("a.html"),
        "<a href='b.html'></a><a href='#here'></a><h1 id='there'></h1><a href='#there'></a>"
            + "<img src='c.svg'><a href='https://example.org/'></a>");
    LinkCheck.Outcome outcome = LinkCheck.of(site);
    assertEquals(
        List.of("a.html: b.html", "a.html: #here (no such place in the page)", "a.html: c.svg"),
        outcome.broken());
    assertEquals(1, outcome.external());
  }

  @Test
  void a_picture_of_another_source_is_refused() throws IOException {
    Path folder = Files.createDirectories(site.resolve("docs/diagrams"));
    Files.writeString(folder.resolve("style.iuml"), "");
    Files.writeString(folder.resolve("a.puml"), "@startuml\nA -> B\n@enduml\n");
    Diagrams diagrams = new Diagrams(site);
    assertThrows(SiteException.class, () -> diagrams.copyTo(site));
    Files.writeString(folder.resolve("a.svg"), "<svg/>\n<!-- SHA-256 of the source: 00 -->\n");
    assertThrows(SiteException.class, () -> diagrams.copyTo(site));
  }
}
