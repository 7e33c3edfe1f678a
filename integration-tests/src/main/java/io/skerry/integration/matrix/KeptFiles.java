package io.skerry.integration.matrix;

import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the files of many cases in a folder, so that another library can read them all in one
 * run. One run per file would take longer than the cases themselves. For use by one process.
 */
public final class KeptFiles {
  private static final String LINES = "expected.tsv";

  private final Path folder;

  /** Uses an existing folder, and the files that it already contains. */
  public KeptFiles(Path folder) {
    this.folder = folder;
  }

  /** Returns the path of a new file. */
  public Path file(String label) {
    return folder.resolve(label + ".h5");
  }

  /** Keeps a file if other libraries can read its content, and deletes it otherwise. */
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

  /** Returns the number of arrays that the files must contain. */
  public int arrays() {
    Path lines = folder.resolve(LINES);
    try {
      return Files.exists(lines) ? Files.readAllLines(lines).size() : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the files with other libraries, and deletes the files if no difference is found.
   *
   * @param h5py the Python installations with h5py
   * @return the number of arrays that each installation has read
   * @throws IllegalStateException if an installation finds differences; the message contains them
   */
  public int check(List<Oracle> h5py) {
    int arrays = arrays();
    if (arrays > 0) {
      for (Oracle oracle : h5py) {
        ProcessResult ran =
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
