package io.skerry.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/**
 * Creates the HTML pages from the Markdown files of the repository. Links between Markdown files
 * become links between pages; links to other files of the repository, except diagrams, are
 * rejected, since the site does not contain them.
 */
final class MarkdownPages {
  private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());

  private final Path repository;
  private final Path site;
  private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
  private final HtmlRenderer renderer = HtmlRenderer.builder().extensions(EXTENSIONS).build();

  /**
   * Creates the writer of the pages.
   *
   * @param repository the root of the repository
   * @param site an existing folder
   */
  MarkdownPages(Path repository, Path site) {
    this.repository = repository;
    this.site = site;
  }

  /** Writes all pages and the style sheet. */
  void write() throws IOException {
    for (SitePage page : SitePage.ALL) {
      Files.writeString(site.resolve(page.target()), html(page));
    }
    Files.writeString(site.resolve("style.css"), SiteResource.text("style.css"));
  }

  private String html(SitePage page) throws IOException {
    Node document = parser.parse(Files.readString(repository.resolve(page.source())));
    document.accept(new LinkTargets(page));
    String body = renderer.render(document);
    Map<String, String> fields =
        Map.of(
            "title", title(document, page),
            "navigation", navigation(page),
            "body", finished(body));
    String html = SiteResource.text("page.html");
    for (Map.Entry<String, String> field : fields.entrySet()) {
      html = html.replace("{{" + field.getKey() + "}}", field.getValue());
    }
    return html;
  }

  private static String title(Node document, SitePage page) {
    String heading =
        document.getFirstChild() instanceof Heading first
            ? TextContentRenderer.builder().build().render(first).strip()
            : page.label();
    return heading.equals("Skerry") ? heading : heading + " · Skerry";
  }

  private static String navigation(SitePage current) {
    String pages =
        SitePage.ALL.stream()
            .map(page ->
                page.equals(current)
                    ? "<li aria-current=\"page\">" + page.label() + "</li>"
                    : item(page.target(), page.label()))
            .collect(Collectors.joining("\n"));
    return pages + "\n" + item("api/index.html", "Javadoc");
  }

  private static String item(String target, String label) {
    return "<li><a href=\"" + target + "\">" + label + "</a></li>";
  }

  /**
   * Adds to the headings of levels 1 to 3 the anchors that Markdown viewers generate, and wraps
   * tables and images, which may be wider than a small screen, in scrollable boxes. These boxes and
   * blocks of code can receive the keyboard focus.
   */
  private static String finished(String body) {
    Document html = Jsoup.parseBodyFragment(body);
    html.outputSettings().prettyPrint(false);
    html.select("h1, h2, h3").forEach(heading -> heading.id(anchor(heading.text())));
    html.select("table, img").wrap("<div class=\"scroll\" tabindex=\"0\"></div>");
    html.select("pre").attr("tabindex", "0");
    return html.body().html();
  }

  /**
   * Returns a heading in lower case, without punctuation except underscores and hyphens, and with
   * hyphens in place of spaces.
   */
  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  /** Changes the targets of links and images from files of the repository to files of the site. */
  private static final class LinkTargets extends AbstractVisitor {
    private final SitePage page;

    LinkTargets(SitePage page) {
      this.page = page;
    }

    @Override
    public void visit(Link link) {
      link.setDestination(target(link.getDestination()));
      visitChildren(link);
    }

    @Override
    public void visit(Image image) {
      image.setDestination(target(image.getDestination()));
      visitChildren(image);
    }

    private String target(String destination) {
      if (destination.startsWith("https://") || destination.startsWith("#")) {
        return destination;
      }
      int hash = destination.indexOf('#');
      String path = hash < 0 ? destination : destination.substring(0, hash);
      String fragment = hash < 0 ? "" : destination.substring(hash);
      String file = Path.of(page.source()).resolveSibling(path).normalize().toString();
      if (file.startsWith("docs/diagrams/")) {
        return file.substring("docs/".length()) + fragment;
      }
      return SitePage.from(file)
          .map(other -> other.target() + fragment)
          .orElseThrow(() ->
              new SiteException(
                  "link to a file that is no page of the site",
                  List.of(page.source() + ": " + destination)));
    }
  }
}
