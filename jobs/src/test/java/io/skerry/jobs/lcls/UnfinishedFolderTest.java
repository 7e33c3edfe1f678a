package io.skerry.jobs.lcls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.jobs.InProcess;
import io.skerry.jobs.Shell.Ran;
import io.skerry.jobs.frame.FrameReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests runs that find foreign files at the path of the folder for unfinished output. */
class UnfinishedFolderTest {
  private static final int STRANGER = 65_534;

  @TempDir private Path folder;
  private Path out;
  private Path unfinished;

  @BeforeEach
  void names() {
    out = folder.resolve("out.h5");
    unfinished = folder.resolve("out.h5.partial");
  }

  private Ran run(String... more) {
    List<String> line =
        new ArrayList<>(
            List.of("lcls", "--synthetic", "3x32x32", "--batch", "1", "--out", out.toString()));
    line.addAll(List.of(more));
    return assertTimeoutPreemptively(
        Duration.ofSeconds(60), () -> InProcess.skerry(line.toArray(String[]::new)));
  }

  /** Checks that a run on 1 and on 3 ranks is refused with one line and creates no output. */
  private void refused(String... more) {
    for (String ranks : List.of("1", "3")) {
      List<String> options = new ArrayList<>(List.of(more));
      options.addAll(List.of("--ranks", ranks));
      Ran ran = run(options.toArray(String[]::new));
      assertEquals(1, ran.code(), ran.out());
      assertEquals(1, ran.err().lines().count(), ran.err());
      assertTrue(ran.err().startsWith("skerry: ") && ran.err().contains("out.h5"), ran.err());
      assertFalse(Files.exists(out));
    }
  }

  @Test
  void a_link_fifo_or_file_in_place_of_the_folder_is_refused_and_kept() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other"));
    Path inside = Files.writeString(other.resolve("out.h5"), "a thesis");
    Files.createSymbolicLink(unfinished, other);
    refused();
    refused("--resume");
    assertEquals("a thesis", Files.readString(inside));
    assertTrue(Files.isSymbolicLink(unfinished));
    Files.delete(unfinished);
    Files.createSymbolicLink(unfinished, folder.resolve("nowhere"));
    refused();
    assertFalse(Files.exists(folder.resolve("nowhere")));
    Files.delete(unfinished);
    assertEquals(0, new ProcessBuilder("mkfifo", unfinished.toString()).start().waitFor());
    refused();
    refused("--resume");
    Files.delete(unfinished);
    Files.writeString(unfinished, "a diary");
    refused();
    refused("--resume");
    assertEquals("a diary", Files.readString(unfinished));
  }

  @Test
  void a_fifo_in_the_folder_does_not_block_a_run() throws Exception {
    Files.createDirectory(unfinished);
    String[] fifo = {"mkfifo", unfinished.resolve("out.h5").toString()};
    assertEquals(0, new ProcessBuilder(fifo).start().waitFor());
    refused("--resume");
    assertEquals(0, run().code());
    assertTrue(Files.isRegularFile(out, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void the_folder_of_another_user_in_a_shared_folder_is_not_resumed() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "other owners need root: skipped");
    String[] line = {"lcls", "--synthetic", "3x32x32", "--batch", "1", "--out", out.toString()};
    assertEquals(0, InProcess.skerry(FrameReader::open, () -> true, line).code());
    Path made = unfinished.resolve("out.h5");
    byte[] before = Files.readAllBytes(made);
    Files.setAttribute(folder, "unix:mode", 01777);
    Files.setAttribute(unfinished, "unix:uid", STRANGER);
    refused("--resume");
    assertArrayEquals(before, Files.readAllBytes(made));
    Files.setAttribute(unfinished, "unix:uid", 0);
    assertEquals(0, run("--resume").code());
  }
}
