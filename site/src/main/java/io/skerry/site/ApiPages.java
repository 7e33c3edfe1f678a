package io.skerry.site;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the Javadoc of the packages that are exported to every module. Links to the JDK are
 * omitted, so that no page needs a network connection.
 */
final class ApiPages {
  /** Each module of the API, and the folder of its sources. */
  private static final List<String> MODULES =
      List.of(
          "io.skerry=hdf5",
          "io.skerry.collective=collective-io",
          "io.skerry.cache=cache",
          "io.skerry.format=file-format",
          "io.skerry.mpi=mpi-core",
          "io.skerry.chunk=chunk-format");

  private final Path repository;
  private final Path libraries;

  /**
   * Creates the writer of the pages.
   *
   * @param repository the root of the repository
   * @param libraries a folder with the jars that the modules use
   */
  ApiPages(Path repository, Path libraries) {
    this.repository = repository;
    this.libraries = libraries;
  }

  /**
   * Writes the pages.
   *
   * @throws SiteException if the javadoc tool reports an error or a warning
   */
  void write(Path target) throws IOException {
    Path style = Files.createDirectories(target).resolve("javadoc.css");
    Files.writeString(style, SiteResource.text("javadoc.css"));
    List<String> options = new ArrayList<>();
    for (String module : MODULES) {
      String[] parts = module.split("=", 2);
      options.add("--module-source-path");
      options.add(parts[0] + "=" + repository.resolve(parts[1]).resolve("src/main/java"));
    }
    options.addAll(
        List.of(
            "--module",
            MODULES.stream().map(each -> each.split("=", 2)[0]).collect(Collectors.joining(",")),
            "--module-path",
            modulePath(),
            "--snippet-path",
            repository.resolve("hdf5/src/test/java").toString(),
            "--show-packages",
            "exported",
            "--show-module-contents",
            "api",
            "--no-platform-links",
            "-notree",
            "--add-stylesheet",
            style.toString(),
            "-d",
            target.toString(),
            "-windowtitle",
            "Skerry",
            "-doctitle",
            "Skerry",
            "-header",
            "<a href=\"{@docRoot}/../index.html\">Skerry</a>",
            "-encoding",
            "UTF-8",
            "-notimestamp",
            "-quiet",
            "-Xdoclint:all,-missing",
            "-Werror"));
    StringWriter output = new StringWriter();
    PrintWriter out = new PrintWriter(output);
    int code =
        ToolProvider.findFirst("javadoc")
            .orElseThrow(() -> new IllegalStateException("a JDK without the javadoc tool"))
            .run(out, out, options.toArray(String[]::new));
    out.flush();
    if (code != 0) {
      throw new SiteException("javadoc failed", output.toString().lines().toList());
    }
  }

  private String modulePath() throws IOException {
    try (Stream<Path> jars = Files.list(libraries)) {
      return jars.map(Path::toString)
          .filter(jar -> jar.endsWith(".jar") && !jar.contains("/skerry-"))
          .sorted()
          .collect(Collectors.joining(":"));
    }
  }
}
