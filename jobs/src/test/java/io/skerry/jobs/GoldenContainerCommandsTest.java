package io.skerry.jobs;

import static io.skerry.jobs.InProcess.good;
import static io.skerry.jobs.InProcess.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.testkit.connector.GoldenContainer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the commands print for the container of an earlier version what they printed then. */
class GoldenContainerCommandsTest {
  @TempDir private Path folder;

  @Test
  void the_digest_and_the_dump_are_those_of_the_version_that_wrote_it() {
    GoldenContainer golden = GoldenContainer.FIRST;
    Path container = golden.unpack(folder);
    assertEquals(golden.digest(), good("digest", "iod:" + container).out());
    assertEquals(golden.dump(), good("iod", "dump", container).out());
    String verified = good("verify", "iod:" + container).out();
    assertTrue(verified.endsWith("clean\n"), verified);
  }

  @Test
  void a_copy_in_a_file_has_the_same_digest() {
    GoldenContainer golden = GoldenContainer.FIRST;
    String container = "iod:" + golden.unpack(folder);
    String file = folder.resolve("copy.h5").toString();
    // An HDF5 file has no maps.
    refused(1, "map", "repack", container, file);
    String other = "iod:" + folder.resolve("other");
    good("repack", container, other);
    assertEquals(golden.digest(), good("digest", other).out());
  }
}
