package io.skerry.jobs.lcls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.Shell.Ran;
import io.skerry.jobs.detector.PixelType;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.frame.FrameSource;
import io.skerry.jobs.lcls.LclsReport.Verification;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.Ranks;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the comparison finds every kind of difference between a file and its source. */
class ReadBackTest {
  private static final FrameShape SHAPE = new FrameShape(12, 64, 80);

  @TempDir private Path folder;
  private Path written = Path.of("");

  @BeforeEach
  void write_a_file() {
    written = folder.resolve("a.h5");
    Ran ran =
        InProcess.skerry(
            "lcls",
            "--synthetic",
            "" + SHAPE,
            "--every",
            "3",
            "--batch",
            "2",
            "--out",
            "" + written);
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().endsWith("\nverified\n"), ran.out());
  }

  private LclsOptions options() {
    return new LclsOptions(
        Ranks.of(1),
        new FrameSource.Synthetic(SHAPE, 1),
        2,
        LclsOptions.Mode.POINTS,
        OptionalInt.of(3),
        LclsOptions.Placement.ONE_FILE,
        written,
        LclsOptions.ReportFormat.TABLE,
        Optional.empty(),
        LclsOptions.Progress.NONE,
        ExistingOutput.KEPT,
        LclsOptions.Start.NEW);
  }

  private Verification verified(Communicator ranks) {
    try (Watchdog watchdog = new Watchdog(ranks.rank(), System.err)) {
      Agreement agreement = new Agreement(ranks.duplicate(), watchdog, written);
      return new ReadBack(options(), ranks, agreement, new StopAgreement(ranks, () -> false))
          .compare(
              written,
              FrameReader.open(options().source(), ranks, agreement),
              Optional.empty(),
              ProgressDisplay.none())
          .orElseThrow()
          .verification();
    }
  }

  private void expect(Verification expected) {
    for (int ranks : new int[] {1, 3}) {
      assertEquals(
          java.util.Collections.nCopies(ranks, expected), LocalRanks.call(ranks, this::verified));
    }
  }

  private void tamper(String path, Consumer<Dataset> change) {
    try (H5File file = H5File.openForWriting(written, Communicator.self())) {
      change.accept(file.dataset(path));
    }
    expect(Verification.DIFFERENT);
  }

  /** Returns the selection of one defined element. */
  private static Selection one(Dataset events) {
    long[] defined = events.defined(Selection.all()).toCoordinates(events.shape());
    int at = 3 * (defined.length / 6);
    return Selection.points(3, new long[] {defined[at], defined[at + 1], defined[at + 2]});
  }

  @Test
  void an_unchanged_file_is_verified() {
    expect(Verification.VERIFIED);
  }

  @Test
  void an_erased_element_is_found() {
    tamper(FrameStore.EVENTS, events -> events.erase(one(events)));
  }

  @Test
  void a_changed_value_is_found() {
    tamper(
        FrameStore.EVENTS,
        events -> {
          Selection one = one(events);
          events.write(one, new short[] {(short) (events.readShorts(one)[0] + 1)});
        });
  }

  @Test
  void an_added_element_is_found_even_if_it_has_the_fill_value() {
    tamper(
        FrameStore.EVENTS,
        events -> {
          Selection free =
              Selection.at(11, 0, 0).extent(1, 64, 80).subtract(events.defined(Selection.all()));
          long[] first = java.util.Arrays.copyOf(free.toCoordinates(events.shape()), 3);
          Selection one = Selection.points(3, first);
          assertArrayEquals(new short[] {0}, events.readShorts(one));
          events.write(one, new short[] {0});
        });
  }

  @Test
  void a_moved_element_is_found() {
    tamper(
        FrameStore.EVENTS,
        events -> {
          Selection free =
              Selection.at(0, 0, 0).extent(1, 64, 80).subtract(events.defined(Selection.all()));
          long[] first = java.util.Arrays.copyOf(free.toCoordinates(events.shape()), 3);
          Selection one = one(events);
          short[] value = events.readShorts(one);
          events.erase(one);
          events.write(Selection.points(3, first), value);
        });
  }

  @Test
  void an_additional_empty_frame_is_found() {
    tamper(FrameStore.EVENTS, events -> events.extend(13));
  }

  @Test
  void a_changed_pixel_of_a_full_frame_is_found() {
    tamper(
        FrameStore.FULL,
        full -> {
          Selection one = Selection.at(3, 63, 79).extent(1, 1, 1);
          full.write(one, new short[] {(short) (full.readShorts(one)[0] ^ 1)});
        });
  }

  @Test
  void an_additional_full_frame_is_found() {
    tamper(FrameStore.FULL, full -> full.extend(5));
  }

  @Test
  void a_changed_frame_number_is_found() {
    tamper(FrameStore.FULL_INDEX, index -> index.write(Selection.at(2).extent(1), new long[] {7}));
  }

  @Test
  void an_additional_frame_number_is_found() {
    tamper(FrameStore.FULL_INDEX, index -> index.extend(5));
  }

  @Test
  void a_changed_spot_count_is_found() {
    tamper(
        FrameStore.SPOT_COUNTS,
        counts -> {
          Selection one = Selection.at(11).extent(1);
          counts.write(one, new int[] {counts.readInts(one)[0] + 1});
        });
  }

  @Test
  void an_additional_spot_count_is_found() {
    tamper(FrameStore.SPOT_COUNTS, counts -> counts.extend(13));
  }

  /**
   * Returns an opener of synthetic frames with a fault.
   *
   * @param begin called before each read, with the communicator and the number of the read from 1
   * @param change added to all pixels of frame 5 when it is read for the comparison
   */
  private static FrameReader.Opener faulty(BiConsumer<Communicator, int[]> begin, int change) {
    return (source, ranks, agreement) -> {
      FrameReader made = FrameReader.open(source, ranks, agreement);
      int[] reads = {0};
      return new FrameReader() {
        @Override
        public FrameShape shape() {
          return made.shape();
        }

        @Override
        public PixelType pixelType() {
          return made.pixelType();
        }

        @Override
        public String units() {
          return made.units();
        }

        @Override
        public void read(long first, int frames, MemorySegment into) {
          reads[0]++;
          begin.accept(ranks, reads);
          made.read(first, frames, into);
          // The first two reads are for the writes of two batches, the others for the comparison.
          if (reads[0] > 2 && first <= 5 && first + frames > 5) {
            long at = (5 - first) * 2L * shape().framePixels();
            for (long pixel = 0; pixel < shape().framePixels(); pixel++) {
              short old = into.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + 2 * pixel);
              into.set(ValueLayout.JAVA_SHORT_UNALIGNED, at + 2 * pixel, (short) (old + change));
            }
          }
        }

        @Override
        public void close() {
          made.close();
        }
      };
    };
  }

  private Ran run(FrameReader.Opener source, String... more) {
    return runInto("b.h5", source, more);
  }

  private Ran runInto(String name, FrameReader.Opener source, String... more) {
    java.util.ArrayList<String> line =
        new java.util.ArrayList<>(
            List.of("lcls", "--ranks", "3", "--synthetic", "12x64x80", "--batch", "2"));
    line.addAll(List.of("--out", "" + folder.resolve(name)));
    line.addAll(List.of(more));
    return InProcess.skerry(source, line.toArray(String[]::new));
  }

  private void nothing_but_the_first_file_is_left() {
    assertArrayEquals(new String[] {"a.h5"}, folder.toFile().list());
  }

  @Test
  void a_run_that_is_not_verified_returns_1_and_leaves_no_files() {
    Ran table = run(faulty((_, _) -> {}, 1));
    assertEquals(1, table.code(), table.err());
    assertTrue(table.out().endsWith("\nNOT VERIFIED\n"), table.out());
    nothing_but_the_first_file_is_left();
    Ran json = run(faulty((_, _) -> {}, 1), "--json", "--png", "" + folder.resolve("p.png"));
    assertEquals(1, json.code(), json.err());
    assertTrue(json.out().endsWith("\"verified\": false}\n"), json.out());
    nothing_but_the_first_file_is_left();
    assertEquals(0, run(faulty((_, _) -> {}, 0)).code());
  }

  @Test
  void a_rank_that_fails_during_a_run_ends_the_job_with_its_reason() {
    Set<String> left = new TreeSet<>(Set.of("a.h5"));
    for (int when : new int[] {1, 2, 3, 4}) {
      // Each run has its own output, since a rank that fails alone leaves its file locked.
      String name = "b" + when + ".h5";
      Ran ran =
          runInto(
              name,
              faulty(
                  (ranks, reads) -> {
                    if (ranks.rank() == 1 && reads[0] == when) {
                      throw new java.io.UncheckedIOException(
                          "the disk burns", new java.io.IOException("smoke"));
                    }
                  },
                  0));
      assertEquals(1, ran.code());
      assertEquals("skerry: the disk burns\n", ran.err());
      assertEquals("", ran.out());
      // There are two batches to write and two to compare; stored batches are kept.
      if (when > 1) {
        left.add(name + ".partial");
      }
      assertEquals(left, Set.of(folder.toFile().list()));
    }
  }

  @Test
  void a_defect_of_the_program_prints_one_line_with_its_location() {
    Ran ran =
        run(
            faulty(
                (ranks, _) -> {
                  if (ranks.rank() == 2) {
                    throw new IllegalStateException("cannot be");
                  }
                },
                0));
    assertEquals(1, ran.code());
    assertTrue(
        ran.err()
            .startsWith(
                "skerry: an internal error of skerry, please report it:"
                    + " java.lang.IllegalStateException: cannot be at=io.skerry"),
        ran.err());
    assertEquals(1, ran.err().lines().count(), ran.err());
    nothing_but_the_first_file_is_left();
  }
}
