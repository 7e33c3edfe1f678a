package io.skerry.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Builds the documentation site of a checkout.
 *
 * <pre>
 * site.jar build REPOSITORY SITE LIBRARIES   writes pages, diagrams and Javadoc to the folder SITE
 * site.jar update REPOSITORY                 updates the diagrams in the checkout from their sources
 * </pre>
 */
public final class SiteBuilder {
  private SiteBuilder() {}

  public static void main(String[] args) throws IOException {
    try {
      run(List.of(args));
    } catch (SiteException e) {
      System.err.println("skerry: " + e.getMessage());
      System.exit(1);
    }
  }

  private static void run(List<String> args) throws IOException {
    if (args.size() == 4 && args.getFirst().equals("build")) {
      Path repository = Path.of(args.get(1));
      Path site = Files.createDirectories(Path.of(args.get(2)));
      pages(repository, site);
      new ApiPages(repository, Path.of(args.get(3))).write(site.resolve("api"));
      LinkCheck.Outcome outcome = checked(site);
      System.out.println(
          outcome.pages()
              + " pages, "
              + outcome.checked()
              + " links and pictures checked, "
              + outcome.external()
              + " links to other hosts not followed");
    } else if (args.size() == 2 && args.getFirst().equals("update")) {
      new Diagrams(Path.of(args.get(1))).update();
    } else {
      throw new IllegalArgumentException(
          "expected: build REPOSITORY SITE LIBRARIES or update REPOSITORY");
    }
  }

  /** Creates all parts of the site except the Javadoc. */
  static void pages(Path repository, Path site) throws IOException {
    new MarkdownPages(repository, site).write();
    new Diagrams(repository).copyTo(site);
  }

  private static LinkCheck.Outcome checked(Path site) throws IOException {
    LinkCheck.Outcome outcome = LinkCheck.of(site);
    if (!outcome.broken().isEmpty()) {
      throw new SiteException("links that lead nowhere", outcome.broken());
    }
    return outcome;
  }
}
