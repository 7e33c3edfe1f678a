package io.skerry.format.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Interpreter;
import io.skerry.format.SharedData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares links and attributes of the HDF5 library's own test files with the listing by h5py. */
class CorpusLinksTest {
  @TempDir Path directory;

  @Test
  void links_and_attribute_names_are_those_of_h5py() throws IOException {
    assumeFalse(Interpreter.all().isEmpty(), "no Python with h5py");
    Path corpus = SharedData.file("hdf5-corpus");
    int equal = 0;
    int compared = 0;
    List<String> refused = new ArrayList<>();
    Map<Path, List<String>> oracle =
        Listing.byOracle(Interpreter.all().get(0), directory, corpus, Listing.Detail.NAMES);
    for (Map.Entry<Path, List<String>> expected : oracle.entrySet()) {
      List<String> wanted = expected.getValue();
      if (wanted.stream().anyMatch(line -> line.startsWith("X "))) {
        continue;
      }
      String name = expected.getKey().getFileName().toString();
      List<String> lines;
      try {
        lines = Listing.of(expected.getKey(), Listing.Detail.NAMES);
      } catch (FormatException | UnsupportedFeatureException e) {
        refused.add(name + ": " + e.getMessage());
        continue;
      }
      List<String> doubted =
          wanted.stream().filter(line -> line.startsWith("! ") || line.startsWith("? ")).toList();
      compared += wanted.size();
      assertEquals(kept(wanted, doubted), kept(lines, doubted), name);
      equal++;
    }
    System.out.printf("oracle: %d files list %d lines as h5py does%n", equal, compared);
    assertEquals(List.of(), refused);
    assertTrue(equal > 200);
  }

  /**
   * Removes the lines that h5py cannot list: the attributes of an object, or the object with all
   * objects below it.
   */
  private static List<String> kept(List<String> all, List<String> doubted) {
    return all.stream()
        .filter(line -> doubted.stream().noneMatch(doubt -> isBelow(line, doubt)))
        .toList();
  }

  private static boolean isBelow(String line, String doubt) {
    String path = doubt.substring(2);
    return line.equals("! " + path)
        || line.equals("? " + path)
        || line.startsWith("A " + path + "@")
        || (doubt.startsWith("! ") && line.startsWith(path + "/", 2));
  }
}
