package io.skerry.testkit.connector;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A container that an earlier version of Skerry wrote, with the output of commands that print its
 * content. All later versions must open it and print the same output. It holds objects of all
 * kinds, some in the engine's sorted files and some in its log.
 *
 * @param version the version of the container format
 */
public record GoldenContainer(int version) {
  /** The container in the first version of the format. */
  public static final GoldenContainer FIRST = new GoldenContainer(1);

  private String name() {
    return "container-" + version;
  }

  private InputStream resource(String extension) {
    InputStream found = GoldenContainer.class.getResourceAsStream(name() + extension);
    if (found == null) {
      throw new IllegalStateException("no such resource: " + name() + extension);
    }
    return found;
  }

  /**
   * Writes the container to a folder.
   *
   * @param folder an existing folder
   * @return the path of the container, a new folder in it
   */
  public Path unpack(Path folder) {
    try (ZipInputStream in = new ZipInputStream(resource(".zip"))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = folder.resolve(name()).resolve(entry.getName()).normalize();
        if (!file.startsWith(folder)) {
          throw new IllegalStateException("an entry outside the folder: " + entry.getName());
        }
        Files.createDirectories(file.getParent());
        Files.write(file, in.readAllBytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return folder.resolve(name());
  }

  /** Returns the expected output of {@code skerry iod dump}. */
  public String dump() {
    return text(".dump.txt");
  }

  /** Returns the expected output of {@code skerry digest}. */
  public String digest() {
    return text(".digest.txt");
  }

  private String text(String extension) {
    try (InputStream in = resource(extension)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
