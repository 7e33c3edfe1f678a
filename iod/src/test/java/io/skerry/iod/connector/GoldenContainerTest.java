package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.iod.engine.ContainerException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.testkit.connector.GoldenContainer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens the container of an earlier version. */
class GoldenContainerTest {
  @TempDir Path folder;

  private static String dump(Path container) {
    StringBuilder text = new StringBuilder();
    new IodConnector().dump(container, line -> text.append(line).append('\n'));
    return text.toString();
  }

  @Test
  void the_golden_container_gives_its_dump_and_no_findings() {
    Path container = GoldenContainer.FIRST.unpack(folder);
    assertEquals(GoldenContainer.FIRST.dump(), dump(container));
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = new IodConnector().verify(container, FileOptions.standard(), findings::add);
    assertEquals(List.of(), findings);
  }

  @Test
  void this_version_writes_the_same_container() {
    Path container = folder.resolve("written");
    GoldenContainerWriter.write(container);
    assertEquals(withoutSizes(GoldenContainer.FIRST.dump()), withoutSizes(dump(container)));
  }

  /** Removes what depends on the compressor: sizes and checksums of values that are not shown. */
  private static String withoutSizes(String dump) {
    return dump.replaceAll("[0-9]+ bytes CRC-64 [0-9a-f]+", "bytes");
  }

  @Test
  void the_golden_container_can_be_changed() {
    Path container = GoldenContainer.FIRST.unpack(folder);
    String location = "iod:" + container;
    try (H5File file = H5File.openForWriting(location, Communicator.self())) {
      assertEquals("a sample", file.root().attribute("title").orElseThrow().text());
      file.createGroup("/later");
      file.unlink("/dense");
    }
    VerifyingConnector.verify(container);
  }

  @Test
  void a_container_of_a_newer_version_is_refused_on_all_ranks() throws IOException {
    Path container = GoldenContainer.FIRST.unpack(folder);
    Path description = container.resolve("container");
    String text =
        Files.readString(description).replace("skerry-iod-container 1", "skerry-iod-container 2");
    String lines = text.substring(0, text.indexOf("crc32c")) + "compression zstd\n";
    CRC32C crc = new CRC32C();
    crc.update(lines.getBytes(StandardCharsets.ISO_8859_1));
    Files.writeString(description, lines + String.format("crc32c %08x\n", crc.getValue()));
    String location = "iod:" + container;
    LocalRanks.run(
        2,
        world -> {
          refused(() -> H5File.open(location, world));
          refused(() -> H5File.openForWriting(location, world));
        });
    refused(() -> H5File.open(location, Communicator.self()));
    refused(() -> dump(container));
    refused(() -> new IodConnector().verify(container, FileOptions.standard(), _ -> {}));
  }

  private static void refused(Runnable opening) {
    var e = assertThrows(CollectiveException.class, opening::run);
    assertTrue(e.getMessage().contains("a container of a newer version"), e.getMessage());
    assertTrue(e.getMessage().contains("expected=version at most 1 actual=2"), e.getMessage());
    if (e.getCause() instanceof ContainerException cause) {
      assertEquals(ContainerException.Reason.NEWER_VERSION, cause.reason());
    }
  }
}
