package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.Shell.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that invalid input is reported in one line, on 1 and on 3 ranks, and leaves no files. */
class BadInputTest {
  @TempDir private Path folder;

  @BeforeEach
  void make_files() throws IOException {
    BadFiles.make(folder);
  }

  private Set<String> files() throws IOException {
    try (var all = Files.walk(folder)) {
      return new TreeSet<>(all.map(Path::toString).toList());
    }
  }

  /** Checks that a run on 1 and on 3 ranks is refused with a line that contains the words. */
  private void refused(String words, String... options) throws IOException {
    Set<String> before = files();
    for (int ranks : new int[] {1, 3}) {
      fails(ranks, words, options);
      assertEquals(before, files());
    }
  }

  /** Checks that a run fails with one line that contains the words, and returns the line. */
  private String fails(int ranks, String words, String... options) {
    List<String> line = new ArrayList<>(List.of("lcls", "--ranks", "" + ranks));
    line.addAll(List.of(options));
    if (!line.contains("--batch")) {
      line.addAll(List.of("--batch", "1"));
    }
    if (!line.contains("--out")) {
      line.addAll(List.of("--out", folder.resolve("out.h5").toString()));
    }
    long begin = System.nanoTime();
    Ran ran = InProcess.skerry(line.toArray(String[]::new));
    assertTrue(Duration.ofNanos(System.nanoTime() - begin).toSeconds() < 10, "took too long");
    assertEquals(1, ran.code(), ran.err() + ran.out());
    assertEquals("", ran.out());
    assertTrue(
        ran.err().startsWith("skerry: ") && ran.err().indexOf('\n') == ran.err().length() - 1,
        "not one line: " + ran.err());
    assertTrue(ran.err().contains(words), ran.err());
    return ran.err();
  }

  /**
   * Checks that a run on 1 and on 3 ranks fails at the corrupt chunk and keeps the frames stored
   * before it, if any.
   */
  private void failsAtTheCorruptChunk() throws IOException {
    Set<String> before = files();
    Path left = folder.resolve("out.h5.partial");
    boolean kept = false;
    for (int ranks : new int[] {1, 3}) {
      String said =
          fails(
              ranks,
              "object=/x/frames",
              "--force",
              "--input",
              folder.resolve("corrupt.h5") + ":/x/frames");
      boolean resumable = said.endsWith(": the same command with --resume continues\n");
      assertEquals(resumable, Files.exists(left), said);
      if (resumable) {
        Files.delete(left.resolve("out.h5"));
        Files.delete(left);
      }
      assertEquals(before, files());
      kept |= resumable;
    }
    assertTrue(kept, "a batch before the corrupt chunk was stored");
  }

  private void refusedInput(String words, String file, String path) throws IOException {
    refused(words, "--input", folder.resolve(file) + ":" + path);
  }

  @Test
  void the_valid_file_is_accepted() {
    Ran ran =
        InProcess.skerry(
            "lcls",
            "--ranks",
            "3",
            "--input",
            folder.resolve("good.h5") + ":/x/frames",
            "--out",
            "" + folder.resolve("out.h5"));
    assertEquals(0, ran.code(), ran.err());
  }

  @Test
  void a_missing_file_is_refused() throws IOException {
    refusedInput("no such file: file=" + folder.resolve("missing.h5"), "missing.h5", "/x/frames");
    refusedInput("a folder, not a file: file=", ".", "/x/frames");
    refused("not an ordinary file: file=/dev/null", "--input", "/dev/null:/x/frames");
  }

  @Test
  void a_file_that_is_not_hdf5_or_truncated_is_refused() throws IOException {
    refusedInput("not an HDF5 file", "text.h5", "/x/frames");
    refusedInput("not an HDF5 file", "nothing.h5", "/x/frames");
    refusedInput("truncated file", "truncated.h5", "/x/frames");
    refusedInput("bytes needed", "stub.h5", "/x/frames");
  }

  @Test
  void a_path_without_a_dataset_is_refused() throws IOException {
    refusedInput("no such object: path=/x/missing", "good.h5", "/x/missing");
    refusedInput("path=/x/two/deeper", "good.h5", "/x/two/deeper");
    refusedInput("not a dataset: path=/x", "good.h5", "/x");
    refusedInput("links to follow: path=/x/circle", "good.h5", "/x/circle");
    refusedInput("nowhere.h5", "good.h5", "/x/elsewhere");
  }

  @Test
  void a_dataset_of_other_shape_or_type_is_refused() throws IOException {
    refusedInput("three dimensions, none of them empty: path=/x/two", "good.h5", "/x/two");
    refusedInput("three dimensions, none of them empty: path=/x/empty", "good.h5", "/x/empty");
    refusedInput("pixels must be whole integers or IEEE floats", "good.h5", "/x/string");
    refusedInput("pixels must be whole integers or IEEE floats", "good.h5", "/x/compound");
    refusedInput("frames are too large: path=/x/huge", "good.h5", "/x/huge");
  }

  @Test
  void a_corrupt_chunk_on_one_rank_fails_the_run() throws IOException {
    failsAtTheCorruptChunk();
  }

  @Test
  void a_batch_larger_than_an_array_is_refused() throws IOException {
    refused(
        "a batch is too large, choose a smaller one",
        "--synthetic",
        "4000000x64x64",
        "--batch",
        "2000000");
  }

  @Test
  void an_output_that_cannot_be_written_is_refused() throws IOException {
    String frames = folder.resolve("good.h5") + ":/x/frames";
    Path text = folder.resolve("text.h5");
    String none = "the folder of the output does not exist";
    refused(none, "--input", frames, "--out", "" + folder.resolve("no/such/out.h5"));
    refused(none, "--input", frames, "--out", text + "/out.h5");
    refused(none, "--input", frames, "--png", "" + folder.resolve("no/a.png"));
    Files.createDirectory(folder.resolve("folder.h5"));
    refused("the output is a folder", "--input", frames, "--out", "" + folder.resolve("folder.h5"));
    refused("the output is a folder", "--input", frames, "--png", "" + folder);
    refused("the output is not an ordinary file", "--input", frames, "--out", "/dev/full");
    refused("cannot be written", "--input", frames, "--out", "/proc/out.h5");
  }

  @Test
  void an_output_that_is_the_input_is_refused_under_any_name() throws IOException {
    Path good = folder.resolve("good.h5");
    byte[] before = Files.readAllBytes(good);
    String frames = good + ":/x/frames";
    String words = "the output would replace the input";
    Files.createLink(folder.resolve("hard.h5"), good);
    Files.createSymbolicLink(folder.resolve("soft.h5"), good);
    Files.copy(good, folder.resolve("y.events.h5"));
    refused(words, "--input", frames, "--out", "" + good);
    refused(words, "--input", frames, "--out", folder + "/./good.h5");
    refused(words, "--input", frames, "--out", "" + folder.resolve("hard.h5"));
    refused(words, "--input", frames, "--out", "" + folder.resolve("soft.h5"));
    refused(words, "--input", frames, "--png", "" + good);
    refused(
        words,
        "--input",
        folder.resolve("y.events.h5") + ":/x/frames",
        "--split",
        "--out",
        "" + folder.resolve("y.h5"));
    assertArrayEquals(before, Files.readAllBytes(good));
    refused("the picture and the output are one file", "--png", "" + folder.resolve("out.h5"));
  }

  @Test
  void a_folder_with_other_files_is_not_emptied() throws IOException {
    Path inTheWay = Files.createDirectory(folder.resolve("out.h5.partial"));
    Files.writeString(inTheWay.resolve("thesis.txt"), "ten years");
    refused("the folder for unfinished output holds other files", "--synthetic", "2x32x32");
    assertEquals("ten years", Files.readString(inTheWay.resolve("thesis.txt")));
  }

  @Test
  void a_failed_run_does_not_change_an_earlier_output() throws IOException {
    Path out = Files.writeString(folder.resolve("out.h5"), "the last good run");
    failsAtTheCorruptChunk();
    assertEquals("the last good run", Files.readString(out));
  }

  @Test
  void files_of_a_killed_run_are_removed() throws IOException {
    Path left = Files.createDirectory(folder.resolve("out.h5.partial"));
    Files.writeString(left.resolve("out.h5"), "half");
    Files.writeString(left.resolve("out.h5.journal"), "");
    String out = folder.resolve("out.h5").toString();
    Ran ran = InProcess.skerry("lcls", "--synthetic", "2x32x32", "--out", out);
    assertEquals(0, ran.code(), ran.err());
    assertTrue(Files.notExists(left));
  }
}
