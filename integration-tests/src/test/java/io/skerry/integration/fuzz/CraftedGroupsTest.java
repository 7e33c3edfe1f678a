package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.H5File;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that groups whose symbol table entries refer to wrong texts are refused. */
class CraftedGroupsTest {
  private static final int LINKS = 300;
  private static final int ENTRY = 40;
  private static final int CACHED = 24;

  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void make() {
    path = folder.resolve("group.h5");
    try (H5File file =
        H5File.create(
            path, Communicator.self(), FileOptions.standard().withBounds(FormatBounds.EARLIEST))) {
      for (int i = 0; i < LINKS; i++) {
        file.createSoftLink("/n%03d".formatted(i), i == 0 ? "x".repeat(4000) : "/path");
      }
    }
  }

  @Test
  void entries_that_all_refer_to_one_long_text_are_refused() {
    CraftedFile file = CraftedFile.of(path);
    int first = file.all("SNOD").getFirst() + 8;
    int longest = -1;
    for (int node : file.all("SNOD")) {
      for (int i = 0; i < file.u16(node + 6); i++) {
        int entry = node + 8 + i * ENTRY;
        if (longest < 0) {
          longest = (int) file.u64(first + CACHED) & 0xffff;
        }
        file.put(entry + CACHED, 4, longest);
      }
    }
    file.store();
    try (H5File read = H5File.open(path)) {
      CraftedFile.refused(() -> read.root().links(), "bytes of all links");
    }
  }

  @Test
  void a_name_outside_the_heap_is_refused() {
    CraftedFile file = CraftedFile.of(path);
    int entry = file.all("SNOD").getFirst() + 8;
    file.u64(entry, 1L << 40).store();
    try (H5File read = H5File.open(path)) {
      CraftedFile.refused(() -> read.root().links(), "offset in a local heap");
    }
  }

  @Test
  void two_entries_of_one_name_are_refused() {
    CraftedFile file = CraftedFile.of(path);
    int entry = file.all("SNOD").getFirst() + 8;
    file.u64(entry + ENTRY, file.u64(entry)).store();
    try (H5File read = H5File.open(path)) {
      assertEquals("/", read.root().path());
      CraftedFile.refused(() -> read.root().links(), "order of links in a symbol table");
    }
  }
}
