package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.integration.SharedData;
import io.skerry.integration.interop.Digests;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares {@code skerry digest} with h5py for every way to store data. */
class DigestAgainstH5pyTest {
  /** {@code -Pslow} and {@code -Pstress} increase this number. */
  private static final int RANDOM_FILES = Integer.getInteger("skerry.random.files", 15);

  /** Less than 127: the HDF5 library cannot create the file with that number. */
  private static final int ODD_FILES = Boolean.getBoolean("skerry.thorough") ? 120 : 60;

  @TempDir Path folder;
  private Oracle h5py = new Oracle("none", "none", List.of());

  @BeforeEach
  void needs_h5py_on_the_newest_hdf5() {
    Optional<Oracle> found = Oracle.h5py("2.0.0");
    assumeTrue(found.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    h5py = found.get();
  }

  @Test
  void elements_of_every_type_and_virtual_datasets_digest_as_in_h5py() throws Exception {
    List<String> names =
        h5py.script(folder, "every_type.py").expectSuccess().out().lines().toList();
    assertEquals(12, names.size());
    compare(names.stream().map(folder::resolve).toList());
  }

  @Test
  void random_files_of_all_ages_digest_as_in_h5py() throws Exception {
    h5py.script(folder, "random_files.py", folder, 0, RANDOM_FILES).expectSuccess();
    List<Path> files = new ArrayList<>();
    for (int seed = 0; seed < RANDOM_FILES; seed++) {
      files.add(folder.resolve(seed + ".h5"));
    }
    compare(files);
  }

  @Test
  void files_with_rarely_used_settings_digest_as_in_h5py() throws Exception {
    h5py.script(folder, "odd_files.py", folder, 0, ODD_FILES).expectSuccess();
    List<Path> files = new ArrayList<>();
    for (int seed = 0; seed < ODD_FILES; seed++) {
      files.add(folder.resolve("odd-" + seed + ".h5"));
    }
    compare(files);
  }

  @Test
  void the_files_of_the_hdf5_library_and_of_instruments_digest_as_in_h5py() throws Exception {
    List<Path> files = new ArrayList<>();
    for (String part : List.of("hdf5-corpus", "nexus", "vds")) {
      try (Stream<Path> all = Files.walk(SharedData.require(part))) {
        all.filter(DigestAgainstH5pyTest::isHdf5).sorted().forEach(files::add);
      }
    }
    assertTrue(files.size() > 250, "files: " + files.size());
    compare(files);
  }

  /** Compares all files; a refusal by Skerry alone counts as a difference. */
  private void compare(List<Path> files) throws IOException {
    Path theirs = Files.createDirectory(folder.resolve("theirs"));
    Path ours = Files.createDirectory(folder.resolve("ours"));
    List<Object> line = new ArrayList<>(List.of(theirs));
    line.addAll(files);
    h5py.script(folder, "digest_files.py", line.toArray()).expectSuccess();
    Digests.write(ours, files);
    ProcessResult compared = h5py.script(folder, "compare_digests.py", ours, theirs, files.size());
    assertEquals(0, compared.code(), compared.out() + compared.err());
    assertTrue(compared.out().contains("\"datasets equal\""), compared.out());
    System.out.println(files.size() + " files: " + compared.out().strip());
  }

  private static boolean isHdf5(Path file) {
    String name = file.getFileName().toString();
    return name.matches(".*\\.(h5|hdf5|nxs|nx5|hdf)");
  }
}
