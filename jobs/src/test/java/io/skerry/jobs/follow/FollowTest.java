package io.skerry.jobs.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.Shell.Ran;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code follow} beside a writer in the same process. */
@Timeout(120)
class FollowTest {
  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void name_file() {
    path = folder.resolve("live.h5");
  }

  private H5File created() {
    H5File file = H5File.create(path, Communicator.self(), FileOptions.live());
    file.createDataset(
        "/hits", DatasetSpec.of(Datatype.U16, Shape.of(0, 4, 5).unlimited(0)).sparse(1, 4, 5));
    return file;
  }

  /** Stores one frame with three hits. */
  private static void append(H5File file, int frame) {
    var hits = file.dataset("/hits");
    hits.extendTo(frame + 1, 4, 5);
    hits.write(
        Selection.points(new long[][] {{frame, 0, 1}, {frame, 2, 3}, {frame, 3, 4}}),
        new short[] {(short) (10 + frame), 7, 9});
    file.flush();
  }

  private Ran follow(String... more) {
    var arguments = new String[more.length + 2];
    arguments[0] = "follow";
    arguments[1] = path + ":/hits";
    System.arraycopy(more, 0, arguments, 2, more.length);
    return InProcess.skerry(arguments);
  }

  @Test
  void the_newest_frame_of_an_epoch_is_printed() {
    try (H5File file = created()) {
      append(file, 0);
      append(file, 1);
      assertEquals(
          "epoch 2  /hits  2[inf]x4x5  6 defined  newest 1: 3 defined, 7 to 11",
          follow("--epochs", "1").out().strip());
      assertEquals(
          "  [1,0,1]=11  [1,2,3]=7  ...",
          follow("--epochs", "1", "--values", "2").out().lines().toList().getLast());
      assertEquals(
          "{\"epoch\": 2, \"path\": \"/hits\", \"extent\": [2, 4, 5], \"defined\": 6, \"newest\":"
              + " {\"index\": 1, \"defined\": 3, \"least\": 7, \"greatest\": 11, \"values\":"
              + " [{\"at\": [1, 0, 1], \"value\": 11}]}}",
          follow("--epochs", "1", "--values", "1", "--json").out().strip());
    }
  }

  @Test
  void every_line_is_an_epoch_and_the_last_one_is_the_closed_file() throws Exception {
    var said = CompletableFuture.supplyAsync(() -> follow("--wait", "60"));
    try (H5File file = created()) {
      for (int frame = 0; frame < 20; frame++) {
        append(file, frame);
        // Lets the follower see several epochs; the checks hold for any number of them.
        Thread.sleep(20);
      }
    }
    var ended = said.get();
    assertEquals(0, ended.code(), ended.out());
    List<String> lines = ended.out().lines().toList();
    for (String line : lines) {
      int frames = Integer.parseInt(line.replaceAll(".*/hits  (\\d+)\\[.*", "$1"));
      assertTrue(
          line.endsWith("  newest %d: 3 defined, 7 to %d".formatted(frames - 1, frames + 9))
              && line.contains("  " + 3 * frames + " defined"),
          line);
    }
    assertTrue(lines.getLast().contains("  20[inf]x4x5"), lines.getLast());
  }

  @Test
  void new_changed_and_removed_objects_are_printed_without_a_dataset() {
    try (H5File file = created()) {
      file.createGroup("/old");
      append(file, 0);
      var said =
          CompletableFuture.supplyAsync(
              () -> InProcess.skerry("follow", path.toString(), "--epochs", "2"));
      for (int frame = 1; !said.isDone(); frame++) {
        if (frame == 1) {
          file.unlink("/old");
        }
        append(file, frame);
      }
      String out = said.join().out();
      assertTrue(out.contains("  + /hits  "), out);
      assertTrue(out.contains("  ~ /hits"), out);
    }
  }

  @Test
  void the_tree_of_the_last_flush_is_listed_while_the_file_is_written() {
    try (H5File file = created()) {
      append(file, 0);
      file.createGroup("/unflushed");
      var listed = InProcess.skerry("ls", "--live", path.toString());
      assertEquals(0, listed.code(), listed.err());
      assertTrue(listed.out().contains("3 defined"), listed.out());
      assertTrue(!listed.out().contains("unflushed"), listed.out());
      assertEquals(1, InProcess.skerry("ls", path.toString()).code());
    }
    assertTrue(InProcess.skerry("ls", "--live", path.toString()).out().contains("unflushed"));
  }

  @Test
  void a_file_without_a_flush_has_no_tree_yet() {
    try (H5File file = created()) {
      var listed = InProcess.skerry("ls", "--live", path.toString());
      assertEquals(1, listed.code());
      assertTrue(listed.err().contains("has not flushed the file yet"), listed.err());
      assertTrue(!listed.err().contains("internal error"), listed.err());
      append(file, 0);
    }
  }

  @Test
  void integers_keep_their_digits_and_removed_objects_are_listed() {
    try (H5File file = created()) {
      file.createDataset("/times", DatasetSpec.of(Datatype.I64, Shape.of(2)));
      file.dataset("/times")
          .write(Selection.all(), new long[] {1_700_000_000_123_456_789L, -9_007_199_254_740_993L});
      file.createGroup("/old");
      file.flush();
      assertEquals(
          "epoch 1  /times  2  2 defined  newest 1: 1 defined, -9007199254740993 to"
              + " -9007199254740993",
          InProcess.skerry("follow", path + ":/times", "--epochs", "1").out().strip());
      var tree = new TreeChanges();
      try (H5File.Follower follower = H5File.follow(path)) {
        assertEquals(4, tree.next(follower.file()).size());
        file.unlink("/old");
        append(file, 0);
        assertTrue(follower.refresh());
        assertEquals(
            List.of(
                "  ~ /hits  1[inf]x4x5 " + Datatype.U16 + "  3 defined  0 attributes",
                "  - /old  group  0 attributes"),
            tree.next(follower.file()).stream().map(TreeChanges.Change::line).toList());
      }
    }
  }

  @Test
  void a_picture_of_the_newest_frame_is_drawn() throws Exception {
    var png = folder.resolve("frame.png");
    try (H5File file = created()) {
      append(file, 0);
      assertEquals(0, follow("--epochs", "1", "--png", png.toString()).code());
    }
    assertEquals(4, ImageIO.read(png.toFile()).getHeight());
  }

  @Test
  void a_file_that_no_program_writes_is_printed_once() {
    try (H5File file = created()) {
      append(file, 0);
    }
    assertEquals(
        "epoch 0  /hits  1[inf]x4x5  3 defined  newest 0: 3 defined, 7 to 10",
        follow().out().strip());
    assertTrue(Files.notExists(folder.resolve("live.h5.live")));
  }

  @Test
  void wrong_arguments_and_missing_files_are_reported() {
    var missing = follow("--wait", "0");
    assertEquals(1, missing.code());
    assertTrue(missing.err().contains("no such file"), missing.err());
    assertEquals(2, follow("--epochs", "0").code());
    assertEquals(2, follow("--wait", "-1").code());
    for (var command : List.of("follow", "ls --live")) {
      var container = InProcess.skerry((command + " iod:" + folder.resolve("run")).split(" "));
      assertEquals(1, container.code());
      assertTrue(container.err().contains("only HDF5 files"), container.err());
    }
    assertEquals(2, InProcess.skerry("follow", path.toString(), "--png", "x.png").code());
    try (H5File file = created()) {
      var early = follow("--wait", "0");
      assertEquals(1, early.code());
      assertTrue(early.err().contains("no flush in time"), early.err());
      append(file, 0);
      assertEquals(
          "epoch 1  no such dataset yet: /other",
          InProcess.skerry("follow", path + ":/other", "--epochs", "1").out().strip());
    }
  }
}
