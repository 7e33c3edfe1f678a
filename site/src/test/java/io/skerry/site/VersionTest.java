package io.skerry.site;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VersionTest {
  private static final Pattern REVISION = Pattern.compile("<revision>(.*)</revision>");

  @Test
  void the_readme_and_the_citation_name_the_version_of_the_pom() throws IOException {
    String version = version();
    assertEquals(
        List.of(version, version),
        found("README.md", "<version>(.*)</version>|skerry-hdf5:([^\"]+)\""));
    assertEquals(List.of(version), found("CITATION.cff", "(?m)^version: (.*)$"));
  }

  @Test
  void every_module_takes_its_version_from_the_parent() throws IOException {
    try (Stream<Path> folders = Files.list(Checkout.root())) {
      for (Path pom : folders.map(folder -> folder.resolve("pom.xml")).toList()) {
        if (Files.exists(pom)) {
          String text = Files.readString(pom);
          assertEquals(-1, text.indexOf("<version>" + version() + "</version>"), pom.toString());
        }
      }
    }
  }

  private static String version() throws IOException {
    Matcher revision = REVISION.matcher(Files.readString(Checkout.root().resolve("pom.xml")));
    return revision.find() ? revision.group(1) : "";
  }

  private static List<String> found(String file, String pattern) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(Checkout.root().resolve(file)))
        .results()
        .map(match ->
            match.group(1) != null || match.groupCount() == 1 ? match.group(1) : match.group(2))
        .toList();
  }
}
