package io.skerry.testkit.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Digests of files made by h5py, compared with the reference implementation. */
class DigestAgainstH5pyTest {
  @TempDir Path folder;

  @Test
  void elements_of_every_type_and_virtual_datasets_digest_as_in_h5py() throws Exception {
    Optional<Oracle> h5py = Oracle.h5py("2.0.0");
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    Optional<Path> reference = reference();
    assumeTrue(reference.isPresent(), "skipped: no shared/tools/digest.py beside the repository");
    List<String> names =
        h5py.get().script(folder, "every_type.py").expectSuccess().out().lines().toList();
    assertEquals(12, names.size());
    for (String name : names) {
      Path mine = digest(name);
      Ran compared =
          h5py.get()
              .script(folder, "compare_digests.py", reference.get(), name, mine.getFileName());
      assertEquals(0, compared.code(), name + ": " + compared.err());
      System.out.println(name + ": " + compared.out().strip());
    }
  }

  /** As a user does it, in a process of its own. */
  private Path digest(String name) throws IOException, InterruptedException {
    Path mine = folder.resolve(name + ".json");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.skerry.jobs.Skerry",
                "digest",
                folder.resolve(name).toString(),
                "--json")
            .redirectOutput(mine.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals(0, process.waitFor(), name + " " + Files.readString(mine));
    assertTrue(Files.size(mine) > 0);
    return mine;
  }

  private static Optional<Path> reference() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path script = at.resolve("shared/tools/digest.py");
      if (Files.exists(script)) {
        return Optional.of(script);
      }
    }
    return Optional.ofNullable(System.getProperty("skerry.shared"))
        .map(data -> Path.of(data).resolveSibling("tools").resolve("digest.py"))
        .filter(Files::exists);
  }
}
