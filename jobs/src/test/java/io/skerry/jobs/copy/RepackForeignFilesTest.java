package io.skerry.jobs.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.jobs.SharedData;
import io.skerry.jobs.Skerry;
import io.skerry.testkit.oracle.Oracle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that {@code skerry repack} preserves the content of files of other programs. */
class RepackForeignFilesTest {
  /**
   * The number of random files, at most 81. The digests of file 81 differ: one of its objects has
   * two paths, a digest names the target of a reference by the path that is found first, and that
   * path depends on how links are stored (h5py shows equal names).
   */
  private static final int RANDOM_FILES = Integer.getInteger("skerry.repack.files", 6);

  /** Files with references to deleted objects, which become null in the copy. */
  private static final Set<String> DANGLING = Set.of("trefer_obj_del.h5");

  @TempDir private Path folder;

  private record Ran(int code, String out) {}

  private static Ran skerry(String... line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code = Skerry.run(Map.of(), new PrintStream(out, true, StandardCharsets.UTF_8), line);
    return new Ran(code, out.toString(StandardCharsets.UTF_8));
  }

  /** Repacks and compares a file; returns false if the file cannot be read completely. */
  private static boolean repacked(Path file, String... more) {
    Ran before = skerry("digest", "--json", file.toString());
    if (before.code() != 0) {
      return false;
    }
    String out = file + ".repacked";
    List<String> line = new ArrayList<>(List.of("repack", file.toString(), out, "--force"));
    line.addAll(List.of(more));
    Ran ran = skerry(line.toArray(String[]::new));
    assertEquals(0, ran.code(), file.toString());
    if (!DANGLING.contains(String.valueOf(file.getFileName()))) {
      assertEquals(before.out(), skerry("digest", "--json", out).out(), file.toString());
    }
    Ran verified = skerry("verify", out);
    assertEquals(0, verified.code(), file + "\n" + verified.out());
    assertTrue(verified.out().contains(" 0  bytes: unclaimed\n"), file + "\n" + verified.out());
    return true;
  }

  @Test
  void the_files_of_the_hdf5_library_keep_their_content() throws IOException {
    Path corpus = SharedData.file("hdf5-corpus");
    // The outputs are in the folder of the copies, because some files refer to others by name.
    copy(corpus);
    int read = 0;
    for (Path file : files()) {
      read += repacked(file) ? 1 : 0;
    }
    assertTrue(read > 200, "read=" + read);
    System.out.println("repacked=" + read);
  }

  private void copy(Path from) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path to = folder.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(to);
        } else {
          Files.copy(path, to);
        }
      }
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(path -> path.toString().matches(".*\\.(h5|hdf5|he5|nc)")).sorted().toList();
    }
  }

  @Test
  void a_file_that_holds_elements_of_the_input_is_not_replaced() throws IOException {
    Optional<Oracle> h5py = Oracle.h5py("2.0.0");
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    String made =
        """
        import h5py, numpy as np
        with h5py.File("source.h5", "w") as f: f["d"] = np.arange(9)
        layout = h5py.VirtualLayout((9,), "i8")
        layout[:] = h5py.VirtualSource("source.h5", "d", (9,))
        with h5py.File("virtual.h5", "w") as f: f.create_virtual_dataset("g/v", layout)
        with h5py.File("outer.h5", "w") as f:
            f.create_dataset("e", data=np.arange(9), external=[("data.bin", 0, 72)])
        """;
    h5py.get().run(folder, "-c", made).expectSuccess();
    for (String[] names : new String[][] {{"virtual.h5", "source.h5"}, {"outer.h5", "data.bin"}}) {
      Path out = folder.resolve(names[1]);
      byte[] before = Files.readAllBytes(out);
      String in = folder.resolve(names[0]).toString();
      for (int ranks : new int[] {1, 3}) {
        Ran ran = skerry("repack", in, out.toString(), "--force", "--ranks", "" + ranks);
        assertEquals(1, ran.code(), names[1]);
      }
      assertArrayEquals(before, Files.readAllBytes(out), names[1]);
      assertEquals(0, skerry("repack", in, folder.resolve("new.h5").toString(), "--force").code());
    }
  }

  @Test
  void random_files_keep_their_content_on_several_ranks_and_under_other_filters() {
    Optional<Oracle> h5py = Oracle.h5py("2.0.0");
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    h5py.get().script(folder, "random_files.py", folder, 0, RANDOM_FILES).expectSuccess();
    for (int seed = 0; seed < RANDOM_FILES; seed++) {
      Path file = folder.resolve(seed + ".h5");
      if (seed % 2 == 0) {
        assertTrue(repacked(file, "--ranks", "" + (1 + seed % 3)), "seed=" + seed);
      } else {
        assertTrue(repacked(file, "--filter", "shuf+gzip=4"), "seed=" + seed);
      }
    }
  }
}
