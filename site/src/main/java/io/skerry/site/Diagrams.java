package io.skerry.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import net.sourceforge.plantuml.FileFormat;
import net.sourceforge.plantuml.FileFormatOption;
import net.sourceforge.plantuml.SourceStringReader;
import net.sourceforge.plantuml.error.PSystemError;

/**
 * The diagrams of the pages: PlantUML sources and the SVG files that are generated from them, both
 * in {@code docs/diagrams}. The last line of an SVG file is a comment with the SHA-256 of its
 * source and of the style file.
 */
final class Diagrams {
  private static final String STYLE = "style.iuml";

  private final Path folder;

  /**
   * Creates access to the diagrams.
   *
   * @param repository the root of the repository
   */
  Diagrams(Path repository) {
    this.folder = repository.resolve("docs/diagrams");
  }

  /** Generates all SVG files again. */
  void update() throws IOException {
    for (Path source : sources()) {
      Files.writeString(picture(source), svg(source) + "\n" + mark(source) + "\n");
    }
  }

  /**
   * Copies the SVG files into the site.
   *
   * @throws SiteException if an SVG file is missing or was generated from a different version of
   *     its source or of the style file
   */
  void copyTo(Path site) throws IOException {
    Path target = Files.createDirectories(site.resolve("diagrams"));
    List<String> outdated = new ArrayList<>();
    for (Path source : sources()) {
      Path picture = picture(source);
      if (Files.exists(picture) && Files.readString(picture).endsWith(mark(source) + "\n")) {
        Path copy = target.resolve(String.valueOf(picture.getFileName()));
        Files.copy(picture, copy, StandardCopyOption.REPLACE_EXISTING);
      } else {
        outdated.add(picture.toString());
      }
    }
    if (!outdated.isEmpty()) {
      throw new SiteException("out of date, make it anew: ./skerry docs --update", outdated);
    }
  }

  private List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".puml")).sorted().toList();
    }
  }

  private static Path picture(Path source) {
    String name = String.valueOf(source.getFileName());
    return source.resolveSibling(name.replace(".puml", ".svg"));
  }

  private String mark(Path source) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(Files.readAllBytes(source));
      digest.update(Files.readAllBytes(folder.resolve(STYLE)));
      return "<!-- SHA-256 of the source: " + HexFormat.of().formatHex(digest.digest()) + " -->";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without SHA-256", e);
    }
  }

  private String svg(Path source) throws IOException {
    String text =
        Files.readString(source)
            .replace("!include " + STYLE, Files.readString(folder.resolve(STYLE)));
    SourceStringReader reader = new SourceStringReader(text);
    if (reader.getBlocks().getFirst().getDiagram() instanceof PSystemError error) {
      throw new SiteException(
          "PlantUML refuses " + source,
          error.getErrorsUml().stream().map(each -> each.getError()).toList());
    }
    ByteArrayOutputStream svg = new ByteArrayOutputStream();
    reader.outputImage(svg, new FileFormatOption(FileFormat.SVG, false));
    return svg.toString(UTF_8).strip();
  }
}
