package io.skerry.integration.trust;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Verification;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Trust;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests external files that exist and cannot be opened. */
class UnreadableExternalFileTest {
  /** A regular file that not even root can open for reading. */
  private static final Path WRITE_ONLY = Path.of("/sys/bus/platform/drivers_probe");

  @TempDir Path folder;

  @Test
  void verification_reports_an_external_file_that_cannot_be_opened_and_continues()
      throws IOException {
    List<Oracle> pythons = Oracle.h5py();
    assumeFalse(pythons.isEmpty(), "skipped: no Python with h5py");
    Path main = NamingFiles.make(folder, pythons.getFirst()).main();
    makeUnreadable(main.resolveSibling("near.txt"));
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(main, FileOptions.standard().withTrust(Trust.ALL), findings::add);
    for (String object : List.of("/data/near", "/data/short")) {
      Verification.Finding found = of(object, findings).orElseThrow();
      assertEquals("external data file", found.what());
      assertTrue(found.expected().startsWith("a readable file named "), found.toString());
    }
    // Verification continues with the other objects of the group.
    Verification.Finding missing = of("/data/missing", findings).orElseThrow();
    assertEquals("a file named missing.txt", missing.expected());
    assertTrue(of("/data/pipe", findings).isPresent(), findings.toString());
    assertTrue(of("/data/absolute", findings).isEmpty(), findings.toString());
  }

  private static void makeUnreadable(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    if (Files.isReadable(file)) {
      assumeFalse(
          !Files.isRegularFile(WRITE_ONLY) || canOpen(WRITE_ONLY),
          "skipped: root can read every file");
      Files.delete(file);
      Files.createSymbolicLink(file, WRITE_ONLY);
    }
  }

  private static boolean canOpen(Path file) {
    try (var _ = Files.newByteChannel(file)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<Verification.Finding> of(
      String path, List<Verification.Finding> findings) {
    return findings.stream().filter(finding -> finding.path().equals(path)).findFirst();
  }
}
