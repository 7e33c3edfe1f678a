package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.jobs.Skerry;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.testkit.oracle.Oracle;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads files that the HDF5 library closed with their metadata in a cache image. */
class CacheImagesTest {
  @TempDir Path folder;

  @Test
  void a_file_reads_the_same_with_its_metadata_in_an_image() {
    List<Oracle> pythons = Oracle.h5py();
    assumeFalse(pythons.isEmpty(), "skipped: no Python with h5py");
    for (Oracle h5py : pythons) {
      Path image = folder.resolve(h5py.hdf5() + " image.h5");
      Path plain = folder.resolve(h5py.hdf5() + " plain.h5");
      h5py.script(folder, "cache_image.py", image, plain).expectSuccess();
      assertEquals(digest(plain), digest(image), h5py.name());
      List<Verification.Finding> findings = new ArrayList<>();
      assertTrue(Verification.of(image, findings::add).bytes().size() > 4, h5py.name());
      assertEquals(List.of(), findings, h5py.name());
      CollectiveException refused =
          assertThrows(
              CollectiveException.class, () -> H5File.openForWriting(image, Communicator.self()));
      assertTrue(refused.getMessage().contains("metadata cache image"), refused.getMessage());
    }
  }

  private static String digest(Path file) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    int code = Skerry.run(Map.of(), out, "digest", "--json", file.toString());
    String text = bytes.toString(StandardCharsets.UTF_8);
    assertEquals(0, code, text);
    return text.replace(file.toString(), "FILE");
  }
}
