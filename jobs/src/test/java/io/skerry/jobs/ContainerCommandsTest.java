package io.skerry.jobs;

import static io.skerry.jobs.InProcess.good;
import static io.skerry.jobs.InProcess.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.jobs.Shell.Ran;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that commands accept containers wherever they accept HDF5 files. */
class ContainerCommandsTest {
  @TempDir private Path folder;

  private String file;
  private String container;

  @BeforeEach
  void repack() {
    file = folder.resolve("run.h5").toString();
    container = "iod:" + folder.resolve("run");
    try (H5File made = H5File.create(Path.of(file))) {
      DatasetSpec grid = DatasetSpec.of(Datatype.I32, Shape.of(4, 6));
      made.createDataset("/dense", grid.chunked(3, 4).filters(Filters.deflate(6)))
          .write(Selection.all(), new int[24]);
      made.createDataset("/g/hits", grid.sparse(2, 2))
          .write(Selection.at(1, 2).extent(2, 2), new int[] {1, 2, 3, 4});
      made.dataset("/g/hits").setAttribute(Attribute.of("units", "counts"));
      made.createSoftLink("/g/soft", "/dense");
    }
    good("repack", file, container);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void the_commands_that_read_print_the_same_for_a_container() {
    assertEquals(good("digest", file).out(), good("digest", container).out());
    assertEquals(
        good("dump", file + ":/g/hits", "--json").out().replace(file, container),
        good("dump", container + ":/g/hits", "--json").out());
    assertEquals(
        good("dump", file + ":/g/hits", "--attribute", "units").out(),
        good("dump", container + ":/g/hits", "--attribute", "units").out());
    String[] defined = {"defined", file, "/g/hits", "0:4,:", "--count"};
    String expected = good((Object[]) defined).out();
    defined[1] = container;
    assertEquals(expected, good((Object[]) defined).out());
    assertTrue(good("ls", container).out().contains("hits"));
    assertTrue(good("ls", container, "--json").out().contains("\"/g/hits\""));
    assertTrue(good("stat", container).out().contains("/g/hits"));
    assertTrue(good("stat", container + ":/dense", "--json").out().contains("\"/dense\""));
  }

  @Test
  void commands_read_versions_and_snapshots() {
    String before = good("digest", container).out();
    long number;
    try (H5File opened = H5File.openForWriting(container, Communicator.self())) {
      number = opened.transactions().snapshot("before");
      opened.transactions().begin();
      opened.dataset("/g/hits").write(Selection.at(1, 2).extent(1, 1), new int[] {77});
      assertEquals(number + 1, opened.transactions().finish());
    }
    String after = good("digest", container).out();
    assertNotEquals(before, after);
    assertEquals(before, good("digest", container + "@before").out());
    assertEquals(after, good("digest", container + "@last").out());
    assertEquals(after, good("digest", container + "@next:" + number).out());
    assertTrue(good("ls", container + "@before").out().contains("hits"));
    assertTrue(good("verify", container + "@before").out().endsWith("clean\n"));
    assertTrue(good("dump", container + "@" + (number + 1) + ":/g/hits").out().contains("77"));
    assertTrue(
        good("iod", "dump", folder.resolve("run@before")).out().contains("transaction " + number));
    Ran purged = InProcess.skerry("ls", container + "@" + number);
    assertEquals(1, purged.code(), purged.err());
    assertTrue(purged.err().contains("purged"), purged.err());
    Ran missing = InProcess.skerry("ls", container + "@after");
    assertTrue(missing.err().contains("[before]"), missing.err());
  }

  @Test
  void a_sound_container_is_verified_as_clean() {
    String text = good("verify", container).out();
    assertTrue(text.contains(" 4  objects\n") && text.endsWith("clean\n"), text);
    String json = good("verify", container, "--json").out();
    assertTrue(json.startsWith("{\"findings\": []"), json);
  }

  @Test
  void a_damaged_container_is_reported_with_exit_code_1() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("run"))) {
      for (Path each :
          all.filter(path -> path.toString().matches(".*\\.(sst|blob|log)")).toList()) {
        byte[] bytes = Files.readAllBytes(each);
        for (int i = 0; i < bytes.length; i += 7) {
          bytes[i] ^= 0x55;
        }
        Files.write(each, bytes);
      }
    }
    Ran ran = InProcess.skerry("verify", container);
    assertEquals(1, ran.code(), ran.out() + ran.err());
    assertFalse(ran.err().contains("an internal error of skerry"), ran.err());
  }

  @Test
  void a_container_is_printed_object_by_object() {
    String text = good("iod", "dump", folder.resolve("run")).out();
    assertEquals(text, good("iod", "dump", container).out());
    assertTrue(text.startsWith("CONTAINER transaction "), text);
    assertTrue(text.contains("\"/g/hits\"") && text.contains("scratch pad {"), text);
    assertFalse(text.contains("!"), text);
    refused(2, "", "iod", "frob", container);
    refused(2, "", "iod", "dump");
  }

  @Test
  void conversions_and_exports_read_and_write_containers() {
    String other = "iod:" + folder.resolve("other");
    good("convert", container + ":/g/hits", other + ":/d", "--dense");
    good("convert", other + ":/d", other + ":/s", "--sparse", "2x3");
    String back = folder.resolve("back.h5").toString();
    good("convert", other + ":/s", back + ":/s", "--dense");
    good("verify", other);
    String values = good("dump", file + ":/g/hits").out().replace("-", "0");
    assertEquals(
        values.lines().skip(1).toList(), good("dump", back + ":/s").out().lines().skip(1).toList());
    good("export", container + ":/g/hits", other + ":/csr", "--as", "csr");
    good("import", other + ":/csr", "iod:" + folder.resolve("third") + ":/m", "--from", "csr");
    good("verify", other);
  }

  @Test
  void a_container_is_replaced_only_if_that_is_requested() throws IOException {
    refused(1, "--force", "repack", file, container);
    good("repack", file, container, "--force", "--filter", "shuf+zstd=3");
    assertEquals(good("digest", file).out(), good("digest", container).out());
    assertEquals(List.of("run", "run.h5"), names());
    refused(1, "would replace the input", "repack", container, container, "--force");
    Files.createDirectory(folder.resolve("other"));
    Files.createFile(folder.resolve("other/file"));
    refused(1, "not a container", "repack", file, "iod:" + folder.resolve("other"), "--force");
    assertEquals(List.of("other", "run", "run.h5"), names());
    assertTrue(Files.exists(folder.resolve("other/file")));
    refused(1, "one within the other", "repack", container, folder.resolve("run/x.h5"));
  }

  @Test
  void a_container_that_a_program_is_writing_is_not_replaced() throws IOException {
    try (H5File open = H5File.openForWriting(container, Communicator.self())) {
      refused(1, "open for writing elsewhere", "repack", file, container, "--force");
      assertEquals(List.of("run", "run.h5"), names());
      open.createGroup("/later");
    }
    assertTrue(good("ls", container).out().contains("later"));
    good("repack", file, container, "--force");
    assertFalse(good("ls", container).out().contains("later"));
  }

  @Test
  void what_a_container_cannot_hold_is_refused_and_leaves_nothing() throws IOException {
    try (H5File made = H5File.openForWriting(Path.of(file), Communicator.self())) {
      made.createExternalLink("/link", "other.h5", "/x");
    }
    refused(1, "external link to other.h5", "repack", file, "iod:" + folder.resolve("new"));
    assertEquals(List.of("run", "run.h5"), names());
  }

  @Test
  void an_unknown_store_and_a_missing_container_are_named() throws IOException {
    refused(1, "scheme=nope", "ls", "nope:run");
    refused(1, "scheme=nope", "repack", file, "nope:run");
    refused(1, "no such file", "digest", "iod:" + folder.resolve("missing"));
    Files.createDirectory(folder.resolve("empty"));
    refused(1, "not a container", "ls", "iod:" + folder.resolve("empty"));
    refused(1, "not a container", "verify", "iod:" + folder.resolve("empty"));
    refused(1, "needs recovery", "recover", container);
  }

  @Test
  void a_detector_run_is_stored_in_a_container() {
    String out = "iod:" + folder.resolve("frames");
    Object[] line = {
      "lcls", "--synthetic", "6x64x64", "--batch", "2", "--no-progress", "--out", out
    };
    good(line);
    line[line.length - 1] = folder.resolve("frames.h5");
    good(line);
    assertEquals(good("digest", folder.resolve("frames.h5")).out(), good("digest", out).out());
    good("verify", out);
    refused(2, "--split", "lcls", "--synthetic", "2x64x64", "--split", "--out", "iod:x");
    good(
        "pca",
        out + ":/entry/events",
        "--components",
        "2",
        "--out",
        "iod:" + folder.resolve("pca"));
    good("verify", "iod:" + folder.resolve("pca"));
  }

  @Test
  void ranks_that_only_serve_change_no_result() {
    String[] io = {"--ranks", "3", "--io-ranks", "2"};
    String expected = good("digest", file).out();
    assertEquals(expected, good("digest", container, io[0], io[1], io[2], io[3]).out());
    String other = "iod:" + folder.resolve("other");
    good("repack", container, other, io[0], io[1], io[2], io[3]);
    assertEquals(expected, good("digest", other).out());
    assertTrue(good("verify", other, io[0], io[1], io[2], io[3]).out().endsWith("clean\n"));
    assertEquals(
        good("dump", file + ":/g/hits").out(),
        good("dump", other + ":/g/hits", io[0], io[1], io[2], io[3]).out());
  }

  @Test
  void wrong_numbers_of_io_ranks_are_refused() throws IOException {
    for (String number : List.of("0", "-1", "some", "5000000000")) {
      refused(2, "io-ranks", "digest", container, "--ranks", "3", "--io-ranks", number);
    }
    refused(2, "not an HDF5 file", "digest", file, "--ranks", "3", "--io-ranks", "1");
    refused(2, "scheme=nope", "verify", "nope:run", "--ranks", "3", "--io-ranks", "1");
    for (String number : List.of("1", "2")) {
      String[] line = {"repack", file, "iod:" + folder.resolve("new"), "--io-ranks", number};
      assertEquals(2, InProcess.skerry(line).code());
    }
    assertEquals(List.of("run", "run.h5"), names());
  }
}
