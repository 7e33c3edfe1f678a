package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Trust;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that source files with a prefix are searched in the same order as by HDF5 2.0.0. */
class VirtualPrefixTest {
  @TempDir Path folder;

  @BeforeEach
  void creates_sources_of_one_name_in_several_folders() throws IOException {
    source("a/s.h5", 1);
    source("env/s.h5", 2);
    source("env/sub/s.h5", 3);
    source("a/pre/s.h5", 4);
    virtual("v.h5", "s.h5");
    virtual("sub.h5", "sub/s.h5");
    virtual("gone.h5", folder.resolve("gone/s.h5").toString());
    virtual("absolute.h5", folder.resolve("a/s.h5").toString());
  }

  private void source(String name, int value) throws IOException {
    Path path = folder.resolve(name);
    Files.createDirectories(path.getParent());
    try (H5File file = H5File.create(path)) {
      file.createDataset("d", DatasetSpec.of(Datatype.I32, Shape.of(1)))
          .write(Selection.all(), new int[] {value});
    }
  }

  private void virtual(String name, String source) {
    VirtualLayout layout =
        VirtualLayout.builder()
            .map(Selection.at(0).extent(1), VirtualSource.of(source, "/d"))
            .build();
    try (H5File file = H5File.create(folder.resolve("a").resolve(name))) {
      file.createDataset("v", DatasetSpec.of(Datatype.I32, Shape.of(1)).virtual(layout));
    }
  }

  private int read(String name, FileOptions options) {
    try (H5File file =
        H5File.open(folder.resolve("a").resolve(name), Communicator.self(), options)) {
      return file.dataset("v").readInts(Selection.all())[0];
    }
  }

  private int read(String name, String... prefix) {
    return read(name, FileOptions.standard().withVirtualPrefix(prefix));
  }

  @Test
  void a_relative_name_is_searched_in_the_prefix_before_the_folder_of_the_file() {
    String env = folder.resolve("env").toString();
    assertEquals(1, read("v.h5"));
    assertEquals(2, read("v.h5", env));
    assertEquals(3, read("sub.h5", env));
    assertEquals(2, read("v.h5", folder.resolve("none").toString(), env));
    assertEquals(1, read("v.h5", folder.resolve("none").toString()));
  }

  @Test
  void the_origin_is_the_folder_of_the_virtual_dataset() {
    assertEquals(4, read("v.h5", "${ORIGIN}/pre"));
    assertEquals(2, read("v.h5", "${ORIGIN}/../env"));
  }

  @Test
  void an_absolute_name_is_tried_first_and_then_its_last_component() {
    String env = folder.resolve("env").toString();
    assertEquals(1, read("absolute.h5", env));
    assertEquals(2, read("gone.h5", env));
    assertEquals(1, read("gone.h5"));
  }

  @Test
  void the_policy_applies_to_the_file_that_the_prefix_leads_to() {
    FileOptions trusting = FileOptions.standard().withTrust(Trust.SAME_FOLDER);
    assertEquals(4, read("v.h5", trusting.withVirtualPrefix("${ORIGIN}/pre")));
    FileOptions leading = trusting.withVirtualPrefix(folder.resolve("env").toString());
    CollectiveException e = assertThrows(CollectiveException.class, () -> read("v.h5", leading));
    assertInstanceOf(UntrustedFileException.class, e.getCause());
  }
}
