package io.skerry.testkit.matrix;

import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.Ran;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of many cases in one folder, until another library has read all of them at once: to
 * start it for each would take longer than the cases themselves. For one process.
 */
public final class KeptFiles {
  private static final String LINES = "expected.tsv";

  private final Path folder;

  /** In an existing folder, with what is kept there already. */
  public KeptFiles(Path folder) {
    this.folder = folder;
  }

  /** A file that is not there yet. */
  public Path file(String label) {
    return folder.resolve(label + ".h5");
  }

  /** Keeps a file if anybody else reads what is in it, and deletes it otherwise. */
  public void keep(Path file, List<ExpectedArray> arrays) {
    try {
      if (arrays.isEmpty()) {
        Files.deleteIfExists(file);
        return;
      }
      Files.write(
          folder.resolve(LINES),
          arrays.stream().map(ExpectedArray::line).toList(),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Arrays that are expected in the files. */
  public int arrays() {
    Path lines = folder.resolve(LINES);
    try {
      return Files.exists(lines) ? Files.readAllLines(lines).size() : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Has others read the files, which are deleted then.
   *
   * @param h5py the Pythons
   * @return arrays that each of them has read
   * @throws IllegalStateException with what they found wrong
   */
  public int check(List<Oracle> h5py) {
    int arrays = arrays();
    if (arrays > 0) {
      for (Oracle oracle : h5py) {
        Ran ran =
            oracle
                .script(folder, "check_matrix.py", folder.toAbsolutePath(), LINES)
                .expectSuccess();
        if (!ran.out().startsWith("checked " + arrays + ", wrong 0")) {
          throw new IllegalStateException(
              "not all was read: expected=" + arrays + " actual=" + ran.out());
        }
      }
    }
    clear();
    return arrays;
  }

  private void clear() {
    List<Path> files = new ArrayList<>();
    try (var found = Files.list(folder)) {
      found.forEach(files::add);
      for (Path file : files) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
