package io.skerry.site;

import java.util.List;
import java.util.Optional;

/**
 * A page of the site.
 *
 * @param source the path of the Markdown file in the repository
 * @param target the name of the HTML file in the site
 * @param label the text of its link in the navigation
 */
record SitePage(String source, String target, String label) {
  /** All pages, in the order of the navigation. */
  static final List<SitePage> ALL =
      List.of(
          new SitePage("README.md", "index.html", "Skerry"),
          new SitePage("docs/user-guide.md", "user-guide.html", "User guide"),
          new SitePage("docs/virtual-datasets.md", "virtual-datasets.html", "Virtual datasets"),
          new SitePage("docs/commands.md", "commands.html", "Commands"),
          new SitePage("docs/parallel.md", "parallel.html", "Parallel jobs"),
          new SitePage("slurm/README.md", "slurm.html", "Slurm"),
          new SitePage("docs/format.md", "format.html", "Format"),
          new SitePage("docs/performance.md", "performance.html", "Performance"),
          new SitePage("docs/limits.md", "limits.html", "Limits"),
          new SitePage("docs/architecture.md", "architecture.html", "Architecture"),
          new SitePage("ARCHITECTURE.md", "design.html", "Design"),
          new SitePage("docs/maintenance.md", "maintenance.html", "Maintenance"),
          new SitePage("CONTRIBUTING.md", "contributing.html", "Contributing"),
          new SitePage("CHANGELOG.md", "changelog.html", "Changelog"));

  /** Returns the page that is created from a file of the repository; empty if there is none. */
  static Optional<SitePage> from(String source) {
    return ALL.stream().filter(page -> page.source().equals(source)).findFirst();
  }
}
