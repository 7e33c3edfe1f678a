package io.skerry.jobs.lcls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.StringType;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.Shell.Ran;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a run resumed after a stop at any batch equals an uninterrupted run. */
class ResumeTest {
  private static final String FRAMES = "--synthetic 7x48x64 --batch 1";
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  @TempDir private Path folder;

  private String[] line(Path out, int ranks, String options) {
    List<String> line = new ArrayList<>(List.of("lcls", "--json", "--out", out.toString()));
    line.addAll(List.of("--ranks", "" + ranks));
    line.addAll(List.of(options.split(" ")));
    return line.toArray(String[]::new);
  }

  private Ran run(Path out, int ranks, String options) {
    return InProcess.skerry(line(out, ranks, options));
  }

  private Ran run(Path out, int ranks, BooleanSupplier stopping, String options) {
    return InProcess.skerry(FrameReader::open, stopping, line(out, ranks, options));
  }

  /** Returns a supplier that returns true to the last rank that calls it in the given batch. */
  private static BooleanSupplier inBatch(int batch, int ranks) {
    AtomicInteger asked = new AtomicInteger();
    return () -> asked.incrementAndGet() == (batch + 1) * ranks;
  }

  private static String digest(Path out) {
    StringBuilder all = new StringBuilder(InProcess.good("digest", out).out());
    Path events = out.resolveSibling(out.getFileName().toString().replace(".h5", ".events.h5"));
    if (Files.exists(events)) {
      all.append(InProcess.good("digest", events).out());
    }
    return all.toString();
  }

  private static Path partial(Path out) {
    return out.resolveSibling(out.getFileName() + ".partial");
  }

  // The first column is the least number of frames that reaches every kind of batch.
  @ParameterizedTest
  @CsvSource({
    "4, --batch 1",
    "4, --batch 1 --every 2 --mode roi",
    "5, --batch 1 --every 3 --split",
    "7, --batch 2 --every 5"
  })
  void a_run_stopped_at_any_batch_and_resumed_on_other_ranks_equals_the_uninterrupted_run(
      int fewest, String options) throws IOException {
    int frames = THOROUGH ? 7 : fewest;
    String all = "--synthetic " + frames + "x48x64 " + options;
    Path out = folder.resolve("same.h5");
    assertEquals(0, run(out, 1, all).code());
    String expected = digest(out);
    for (int ranks : THOROUGH ? new int[] {1, 2, 3} : new int[] {1, 3}) {
      int stopped = 0;
      for (boolean uncut = false; !uncut; stopped++) {
        Files.delete(out);
        Files.deleteIfExists(folder.resolve("same.events.h5"));
        Ran first = run(out, ranks, inBatch(stopped, ranks), all);
        assertEquals(0, first.code(), first.err());
        uncut = !first.out().contains("interrupted");
        if (!uncut) {
          String which = "ranks=" + ranks + " stopped=" + stopped + " " + first.out();
          assertTrue(first.out().contains("\"interrupted\": true, \"framesDone\": "), which);
          assertFalse(Files.exists(out), which);
          Ran second = run(out, 1 + (ranks + stopped) % 3, all + " --resume");
          assertEquals(0, second.code(), which + second.err());
          assertTrue(second.out().contains("\"resumedFrom\": "), which + second.out());
          assertTrue(second.out().endsWith("\"verified\": true}\n"), which + second.out());
        }
        assertFalse(Files.exists(partial(out)));
        assertEquals(expected, digest(out), "ranks=" + ranks + " stopped=" + stopped);
      }
      // Each batch is written and compared, and the run can stop at each of these steps.
      int batch = all.contains("--batch 2") ? 2 : 1;
      assertEquals(2 * Math.ceilDiv(frames, batch * ranks) + 1, stopped, "ranks=" + ranks);
    }
  }

  @Test
  void a_run_stopped_repeatedly_stores_one_more_batch_each_time() {
    Path out = folder.resolve("again.h5");
    assertTrue(run(out, 2, () -> true, FRAMES).out().contains("\"framesDone\": 2,"));
    assertTrue(run(out, 3, () -> true, FRAMES + " --resume").out().contains("\"framesDone\": 5,"));
    assertTrue(run(out, 1, () -> true, FRAMES + " --resume").out().contains("\"framesDone\": 6,"));
    Ran last = run(out, 2, FRAMES + " --resume");
    assertTrue(last.out().contains("\"resumedFrom\": 6, \"verified\": true}"), last.out());
    assertEquals(0, run(folder.resolve("uncut.h5"), 1, FRAMES).code());
    assertEquals(digest(folder.resolve("uncut.h5")), digest(out));
  }

  @Test
  void an_incomplete_batch_of_a_killed_run_is_written_again() {
    Path out = folder.resolve("half.h5");
    String options = FRAMES + " --every 2";
    assertTrue(run(out, 2, inBatch(1, 2), options).out().contains("\"framesDone\": 4,"));
    // A flush within a batch, caused by a memory limit, stores frames of an incomplete batch.
    try (H5File file =
        H5File.openForWriting(partial(out).resolve("half.h5"), Communicator.self())) {
      file.dataset(FrameStore.EVENTS).extend(6);
      file.dataset(FrameStore.EVENTS)
          .write(Selection.at(5, 0, 0).extent(1, 48, 64), new short[48 * 64]);
      file.dataset(FrameStore.SPOT_COUNTS).extend(6);
      file.dataset(FrameStore.FULL).extend(3);
    }
    Ran second = run(out, 1, options + " --resume");
    assertTrue(second.out().contains("\"resumedFrom\": 4, \"verified\": true}"), second.toString());
    assertEquals(0, run(folder.resolve("uncut.h5"), 1, options).code());
    assertEquals(digest(folder.resolve("uncut.h5")), digest(out));
  }

  @Test
  void a_run_with_other_options_is_not_continued() throws IOException {
    Path out = folder.resolve("mine.h5");
    String options = FRAMES + " --every 2";
    assertEquals(0, run(out, 2, () -> true, options).code());
    byte[] before = Files.readAllBytes(partial(out).resolve("mine.h5"));
    for (String[] other :
        new String[][] {
          {"--synthetic 7x48x64 --every 3", "--every file=2 asked=3"},
          {"--synthetic 7x48x64", "--every file=2 asked=none"},
          {"--synthetic 7x48x64 --every 2 --mode roi", "--mode file=points asked=roi"},
          {"--synthetic 7x48x64 --every 2 --seed 7", "source file=synthetic 7x48x64 seed 1"},
          {"--synthetic 7x64x48 --every 2", "asked=synthetic 7x64x48 seed 1"},
          {"--synthetic 7x48x64 --every 2 --split", "--split file=ONE_FILE asked=SPLIT"},
        }) {
      Ran ran = run(out, 2, other[0] + " --resume");
      assertEquals(1, ran.code(), ran.out());
      assertTrue(ran.err().startsWith("skerry: cannot be resumed, of another run"), ran.err());
      assertTrue(ran.err().contains(other[1]), ran.err());
      assertEquals(1, ran.err().lines().count(), ran.err());
    }
    assertArrayEquals(before, Files.readAllBytes(partial(out).resolve("mine.h5")));
    assertEquals(0, run(out, 1, options + " --resume").code());
  }

  @Test
  void a_file_with_fewer_frames_than_it_counts_is_not_continued() {
    Path out = folder.resolve("short.h5");
    assertEquals(0, run(out, 2, () -> true, FRAMES + " --every 2").code());
    Path left = partial(out).resolve("short.h5");
    for (String path :
        List.of(
            FrameStore.FULL_INDEX, FrameStore.FULL, FrameStore.SPOT_COUNTS, FrameStore.EVENTS)) {
      try (H5File file = H5File.openForWriting(left, Communicator.self())) {
        file.dataset(path).extend(0);
      }
      Ran ran = run(out, 1, FRAMES + " --every 2 --resume");
      assertEquals(1, ran.code(), ran.out());
      assertTrue(ran.err().contains("of another size: path=" + path), ran.err());
    }
    try (H5File file = H5File.openForWriting(left, Communicator.self())) {
      file.dataset(FrameStore.SPOT_COUNTS).setAttribute(Attribute.of(FrameStore.FRAMES_DONE, 8));
    }
    Ran ran = run(out, 1, FRAMES + " --every 2 --resume");
    assertTrue(ran.err().contains("fewer frames than are done: done=8 frames=7"), ran.err());
  }

  @Test
  void a_file_with_damaged_attributes_is_not_continued() throws IOException {
    Path out = folder.resolve("noted.h5");
    String options = FRAMES + " --every 2";
    assertEquals(0, run(out, 2, () -> true, options).code());
    Path left = partial(out).resolve("noted.h5");
    byte[] sound = Files.readAllBytes(left);
    record Damage(String path, Attribute attribute, String message) {}
    for (Damage damage :
        List.of(
            new Damage(FrameStore.SPOT_COUNTS, Attribute.of("frames_done", -1), "done=-1"),
            new Damage(
                FrameStore.SPOT_COUNTS,
                Attribute.of("frames_done", new long[0]),
                "attribute=frames_done values=0"),
            new Damage(
                FrameStore.SPOT_COUNTS,
                Attribute.of("frames_done", "four"),
                "attribute=frames_done"),
            new Damage(
                FrameStore.FULL,
                Attribute.of("every", new long[] {2, 2}),
                "attribute=every values=2"),
            new Damage(FrameStore.FULL, Attribute.of("every", "often"), "attribute=every"),
            new Damage(FrameStore.EVENTS, Attribute.of("creator", 7), "attribute=creator"),
            new Damage(FrameStore.EVENTS, Attribute.of("units", 7), "attribute=units"),
            new Damage(
                FrameStore.EVENTS, Attribute.empty("source", StringType.of(4)), "differs=source"),
            new Damage(
                FrameStore.SPOT_COUNTS,
                Attribute.empty("frames_done", Datatype.I64),
                "attribute=frames_done values=0"))) {
      Files.write(left, sound);
      try (H5File file = H5File.openForWriting(left, Communicator.self())) {
        file.dataset(damage.path()).deleteAttribute(damage.attribute().name());
        file.dataset(damage.path()).setAttribute(damage.attribute());
      }
      Ran ran = run(out, 2, options + " --resume");
      assertEquals(1, ran.code(), ran.out());
      assertTrue(ran.err().startsWith("skerry: cannot be resumed, "), ran.err());
      assertTrue(ran.err().contains(damage.message()), ran.err());
      assertEquals(1, ran.err().lines().count(), ran.err());
    }
    Files.write(left, sound);
    assertEquals(0, run(out, 2, options + " --resume").code());
  }

  @Test
  void resuming_without_a_resumable_file_is_refused() throws IOException {
    Path out = folder.resolve("none.h5");
    Ran ran = run(out, 2, FRAMES + " --resume");
    assertEquals(1, ran.code());
    assertTrue(ran.err().contains("nothing to resume, start without --resume: file="), ran.err());
    Files.createDirectory(partial(out));
    Path left = partial(out).resolve("none.h5");
    Files.write(left, new byte[0]);
    refusedThough(out, "not an HDF5 file");
    Files.writeString(left, "words");
    refusedThough(out, "not an HDF5 file");
    try (H5File file = H5File.create(left)) {
      file.createGroup("/entry");
    }
    refusedThough(out, "it was cut before its first batch was stored");
    // A file that cannot be continued is kept until a new run removes it.
    assertTrue(Files.exists(left));
    assertEquals(0, run(out, 2, FRAMES).code());
    assertFalse(Files.exists(left));
    ran = run(out, 2, FRAMES + " --resume");
    assertEquals(1, ran.code());
    assertTrue(ran.err().contains("nothing to resume, the output is complete: out="), ran.err());
  }

  private void refusedThough(Path out, String reason) {
    Ran ran = run(out, 2, FRAMES + " --resume");
    assertEquals(1, ran.code(), ran.err());
    assertTrue(ran.err().startsWith("skerry: ") && ran.err().contains("be resumed"), ran.err());
    assertTrue(ran.err().contains(reason), ran.err());
    assertEquals(1, ran.err().lines().count(), ran.err());
  }

  @Test
  void a_failed_resumed_run_keeps_the_stored_frames() {
    Path out = folder.resolve("kept.h5");
    assertEquals(0, run(out, 2, inBatch(0, 2), FRAMES).code());
    Ran failed =
        InProcess.skerry(
            (source, ranks, agreement) ->
                new Failing(FrameReader.open(source, ranks, agreement), agreement),
            line(out, 2, FRAMES + " --resume"));
    assertEquals(1, failed.code());
    Ran resumed = run(out, 3, FRAMES + " --resume");
    assertTrue(resumed.out().contains("\"resumedFrom\": 4, \"verified\": true}"), resumed.out());
  }

  /** A frame reader that fails on the fifth frame and all later ones. */
  private record Failing(FrameReader frames, Agreement agreement) implements FrameReader {
    @Override
    public FrameShape shape() {
      return frames.shape();
    }

    @Override
    public io.skerry.jobs.detector.PixelType pixelType() {
      return frames.pixelType();
    }

    @Override
    public String units() {
      return frames.units();
    }

    @Override
    public void read(long first, int count, MemorySegment into) {
      if (first >= 4) {
        // A read is collective, so the ranks agree on its failure.
        agreement.first(
            "reading frames",
            () -> {
              throw new JobException("no such frame any more: frame=" + first);
            });
      }
      frames.read(first, count, into);
    }

    @Override
    public void close() {
      frames.close();
    }
  }

  @Test
  void a_moved_input_file_is_the_same_source() throws IOException {
    Path frames = folder.resolve("frames.h5");
    assertEquals(0, run(frames, 1, FRAMES + " --every 1").code());
    Path out = folder.resolve("of.h5");
    String options = "--batch 2 --input " + frames + ":" + FrameStore.FULL;
    assertEquals(0, run(out, 1, () -> true, options).code());
    Path moved = Files.createDirectory(folder.resolve("moved")).resolve("frames.h5");
    Files.move(frames, moved);
    Ran ran = run(out, 2, "--resume --batch 1 --input " + moved + ":" + FrameStore.FULL);
    assertTrue(ran.out().contains("\"resumedFrom\": 2, \"verified\": true}"), ran.toString());
  }
}
