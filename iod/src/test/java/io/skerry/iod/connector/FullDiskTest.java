package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.launch.ChildProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fills the disk of a container, and opens the container again when there is room. */
class FullDiskTest {
  private static final int COLUMNS = 1 << 16;

  @TempDir Path folder;

  /** Writes rows until the disk is full, makes room, and checks what was flushed. */
  public static final class Filler {
    private Filler() {}

    /**
     * Runs the program.
     *
     * @param arguments the path of the container
     */
    public static void main(String[] arguments) throws IOException {
      Path container = Path.of(arguments[0]);
      long flushed = fill("iod:" + container);
      Files.delete(container.resolveSibling("ballast"));
      try (H5File file = H5File.openForWriting("iod:" + container, Communicator.self())) {
        long rows = file.root().attribute("rows").orElseThrow().longs()[0];
        System.out.println("kept " + (rows == flushed || rows == flushed + 1));
        Dataset dataset = file.dataset("/d");
        System.out.println("extent " + (dataset.shape().extent(0) == rows));
        for (long row = 0; row < rows; row++) {
          long[] read = dataset.readLongs(Selection.at(row, 0).extent(1, COLUMNS));
          assertEquals(new SplittableRandom(row).nextLong(), read[0]);
        }
        file.createGroup("/later");
      }
      VerifyingConnector.verify(container);
      System.out.println("done");
    }

    private static long fill(String location) {
      long flushed = 0;
      H5File file = H5File.create(location, Communicator.self());
      try {
        Dataset dataset =
            file.createDataset(
                "/d",
                DatasetSpec.of(Datatype.I64, Shape.of(0, COLUMNS).unlimited(0))
                    .chunked(1, COLUMNS));
        while (true) {
          dataset.extendTo(flushed + 1, COLUMNS);
          SplittableRandom random = new SplittableRandom(flushed);
          long[] values = random.longs(COLUMNS).toArray();
          dataset.write(Selection.at(flushed, 0).extent(1, COLUMNS), values);
          file.root().setAttribute(Attribute.of("rows", flushed + 1));
          file.flush();
          flushed++;
        }
      } catch (RuntimeException e) {
        System.out.println("full " + e.getMessage());
      }
      try {
        file.close();
      } catch (RuntimeException e) {
        System.out.println("closing " + e.getMessage());
      }
      System.out.println("rows " + (flushed > 5));
      return flushed;
    }
  }

  @Test
  void a_full_disk_is_reported_and_flushed_rows_are_kept() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounting a disk needs root");
    List<String> command =
        new ArrayList<>(
            List.of(
                "unshare",
                "--mount",
                "--propagation",
                "private",
                "sh",
                "-c",
                "mount -t tmpfs -o size=80m none \"$0\" || exit 77;"
                    + " head -c 48m /dev/zero > \"$0/ballast\"; exec \"$@\"",
                folder.toString()));
    command.addAll(ChildProgram.of(Filler.class, folder.resolve("run")).command());
    Path log = Files.createTempFile("skerry-iod", ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        assertTrue(process.waitFor(90, TimeUnit.SECONDS), () -> "the program does not end");
      } finally {
        process.destroyForcibly();
      }
      String said = Files.readString(log);
      assumeTrue(process.exitValue() != 77, "no private mount");
      assertEquals(0, process.exitValue(), said);
      for (String line : List.of("rows true", "kept true", "extent true", "done")) {
        assertTrue(said.contains(line), said);
      }
      assertTrue(said.contains("full ") && said.contains("No space left"), said);
      assertTrue(said.contains(folder.resolve("run").toString()), said);
      assertFalse(said.contains("Exception"), said);
    } finally {
      Files.delete(log);
    }
  }
}
