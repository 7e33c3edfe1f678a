package io.skerry.jobs.integrity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.SharedData;
import io.skerry.jobs.Shell.Ran;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code skerry verify} on valid and on damaged files. */
class VerifyTest {
  /** Valid files of various format versions from the tests of the HDF5 library. */
  private static final List<String> SOUND =
      List.of(
          "tools/test/h5dump/testfiles/tall.h5",
          "tools/test/h5dump/testfiles/tarray8.h5",
          "tools/test/h5dump/testfiles/tcompound.h5",
          "tools/test/h5dump/testfiles/tvldtypes1.h5",
          "tools/test/h5dump/testfiles/tvlstr.h5",
          "tools/test/h5dump/testfiles/torderattr.h5",
          "tools/test/h5copy/testfiles/h5copytst.h5");

  @TempDir private Path folder;

  private Path path;
  private byte[] bytes = {};

  @BeforeEach
  void write() throws IOException {
    path = folder.resolve("v.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset(
              "/g/data",
              DatasetSpec.of(Datatype.I32, Shape.of(40))
                  .chunked(10)
                  .filters(Filters.deflate(6), Filters.fletcher32()))
          .write(Selection.all(), new int[40]);
    }
    bytes = Files.readAllBytes(path);
  }

  private int find(String signature, int from) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int at = text.indexOf(signature, from);
    assertTrue(at >= 0, signature);
    return at;
  }

  private Ran damaged(int at, String... more) throws IOException {
    byte[] changed = bytes.clone();
    changed[at] ^= 0x55;
    Path file = folder.resolve("damaged.h5");
    Files.write(file, changed);
    String[] line = new String[2 + more.length];
    line[0] = "verify";
    line[1] = file.toString();
    System.arraycopy(more, 0, line, 2, more.length);
    Ran ran = InProcess.skerry(line);
    assertEquals("", ran.err());
    return ran;
  }

  @Test
  void a_sound_file_is_clean_and_all_its_space_is_listed() {
    Ran ran = InProcess.skerry("verify", path.toString());
    assertEquals(0, ran.code(), ran.out() + ran.err());
    List<String> lines = ran.out().lines().toList();
    assertEquals("clean", lines.getLast());
    assertEquals("               3  objects", lines.getFirst());
    assertTrue(lines.contains("               0  bytes: unclaimed"), ran.out());
    Ran json = InProcess.skerry("verify", path.toString(), "--json");
    assertEquals(0, json.code());
    assertTrue(
        json.out().startsWith("{\"findings\": [],\n\"space\": {\"objects\": 3, "), json.out());
  }

  @Test
  void a_damaged_block_returns_1_and_is_reported_by_address() throws IOException {
    int index = find("FADB", 0);
    Ran ran = damaged(index + 20);
    assertEquals(1, ran.code(), ran.out());
    String first = ran.out().lines().toList().getFirst();
    assertTrue(first.contains("0x" + Integer.toHexString(index)), first);
    assertTrue(first.contains("/g/data"), first);
    assertTrue(ran.out().lines().toList().getLast().matches("\\d+ findings?"), ran.out());
    Ran json = damaged(index + 20, "--json");
    assertEquals(1, json.code());
    assertTrue(json.out().contains("\"address\": " + index + ","), json.out());
  }

  @Test
  void a_damaged_chunk_is_reported_by_address_and_dataset() throws IOException {
    // The two bytes of a zlib header are a multiple of 31 (RFC 1950, 1996).
    int stream = find("x", 0);
    while (((bytes[stream] & 0xff) * 256 + (bytes[stream + 1] & 0xff)) % 31 != 0) {
      stream = find("x", stream + 1);
    }
    Ran ran = damaged(stream + 3);
    assertEquals(1, ran.code(), ran.out());
    String first = ran.out().lines().toList().getFirst();
    assertTrue(first.contains("0x" + Integer.toHexString(stream)), first + " " + stream);
    assertTrue(first.contains("/g/data"), first);
  }

  @Test
  void a_file_that_is_not_hdf5_is_a_finding_and_a_missing_file_an_error() throws IOException {
    Path text = Files.writeString(folder.resolve("t.h5"), "words");
    Ran words = InProcess.skerry("verify", text.toString());
    assertEquals(1, words.code());
    assertTrue(words.out().startsWith("0x0  beginning of the file"), words.out());
    for (Path file : List.of(folder.resolve("missing.h5"), folder)) {
      Ran ran = InProcess.skerry("verify", file.toString());
      assertEquals(1, ran.code());
      assertTrue(
          ran.err().startsWith("skerry: ") && ran.err().contains(file.toString()), ran.err());
      assertEquals(1, ran.err().lines().count());
    }
    assertEquals(2, InProcess.skerry("verify").code());
  }

  @Test
  void sound_files_of_the_hdf5_library_are_clean() {
    Path corpus = SharedData.file("hdf5-corpus");
    for (String name : SOUND) {
      Ran ran = InProcess.skerry("verify", corpus.resolve(name).toString());
      assertEquals(0, ran.code(), name + "\n" + ran.out() + ran.err());
    }
  }
}
