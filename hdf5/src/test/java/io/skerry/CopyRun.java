package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Copies objects in a test.
 *
 * @param folder the folder of the files
 */
public record CopyRun(Path folder) {
  /** Creates a file. */
  public Path made(String name, Consumer<H5File> content) {
    Path path = folder.resolve(name);
    try (H5File file = H5File.create(path)) {
      content.accept(file);
    }
    return path;
  }

  /** Copies from one new file into another, checks the result, and verifies it. */
  public void between(
      Consumer<H5File> content, BiConsumer<H5File, H5File> copy, Consumer<H5File> check) {
    Path in = made("in.h5", content);
    Path out = folder.resolve("out.h5");
    try (H5File source = H5File.open(in);
        H5File target = H5File.create(out)) {
      copy.accept(source, target);
    }
    checked(out, check);
  }

  /** Checks that a file is valid, has no lost space, and has the expected content. */
  public static void checked(Path path, Consumer<H5File> check) {
    List<Verification.Finding> findings = new ArrayList<>();
    SpaceReport report = Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
    assertEquals(0, report.unclaimed());
    try (H5File file = H5File.open(path)) {
      check.accept(file);
    }
  }
}
