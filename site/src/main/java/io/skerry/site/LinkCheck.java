package io.skerry.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * Checks every link, image and script in the HTML files of a folder: the target file must exist in
 * the folder, and an HTML file must contain the anchor that a fragment names. Links to other hosts
 * are counted, but not followed.
 */
final class LinkCheck {
  private final Path site;
  private final Map<Path, Set<String>> anchors = new HashMap<>();
  private final List<String> broken = new ArrayList<>();
  private int checked;
  private int external;

  private LinkCheck(Path site) {
    this.site = site;
  }

  /**
   * The outcome of a check.
   *
   * @param pages the number of HTML files
   * @param checked the number of links, images and scripts that were checked
   * @param external the number of links to other hosts
   * @param broken one line for each broken link
   */
  record Outcome(int pages, int checked, int external, List<String> broken) {
    Outcome {
      broken = List.copyOf(broken);
    }
  }

  /** Checks all HTML files below a folder. */
  static Outcome of(Path site) throws IOException {
    LinkCheck check = new LinkCheck(site);
    List<Path> pages;
    try (Stream<Path> files = Files.walk(site)) {
      pages = files.filter(file -> file.toString().endsWith(".html")).sorted().toList();
    }
    Map<Path, Document> documents = new LinkedHashMap<>();
    for (Path page : pages) {
      Document document = Jsoup.parse(page, UTF_8.name());
      documents.put(page, document);
      check.anchors.put(page, anchors(document));
    }
    documents.forEach(check::followAll);
    return new Outcome(pages.size(), check.checked, check.external, check.broken);
  }

  private static Set<String> anchors(Document document) {
    Set<String> names = new HashSet<>();
    document.select("[id]").forEach(element -> names.add(element.id()));
    document.select("a[name]").forEach(element -> names.add(element.attr("name")));
    return names;
  }

  private void followAll(Path page, Document document) {
    for (Element element : document.select("a[href], link[href]")) {
      follow(page, element.attr("href"));
    }
    for (Element element : document.select("img[src], script[src]")) {
      follow(page, element.attr("src"));
    }
  }

  private void follow(Path page, String target) {
    if (target.startsWith("https://") || target.startsWith("http://")) {
      external++;
      return;
    }
    if (target.startsWith("javascript:") || target.startsWith("data:")) {
      return;
    }
    checked++;
    int hash = target.indexOf('#');
    String path = decoded(hash < 0 ? target : target.substring(0, hash));
    String fragment = hash < 0 ? "" : decoded(target.substring(hash + 1));
    Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
    if (!file.startsWith(site) || !Files.isRegularFile(file)) {
      broken.add(site.relativize(page) + ": " + target);
    } else if (!fragment.isEmpty() && anchors.containsKey(file) && !named(file, fragment)) {
      broken.add(site.relativize(page) + ": " + target + " (no such place in the page)");
    }
  }

  private boolean named(Path file, String fragment) {
    return anchors.getOrDefault(file, Set.of()).contains(fragment);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
  }
}
