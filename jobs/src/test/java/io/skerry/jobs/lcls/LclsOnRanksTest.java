package io.skerry.jobs.lcls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.jobs.InProcess;
import io.skerry.jobs.SharedData;
import io.skerry.jobs.Shell.Ran;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the detector job is verified, and that its output is equal on all rank counts. */
class LclsOnRanksTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  private static final String IMAGES = "/entry/data/images";

  private static final Pattern REPORT =
      Pattern.compile(
          "\\{\"ranks\": (\\d+), \"frames\": (\\d+), \"rows\": \\d+, \"columns\": \\d+,"
              + " \"definedElements\": (\\d+), \"rawBytes\": \\d+, \"sparseBytes\": (\\d+),"
              + " \"fullBytes\": (\\d+), \"writeSeconds\": [0-9.E-]+, \"readSeconds\": [0-9.E-]+,"
              + " \"verified\": true\\}\n");

  @TempDir private Path folder;

  private Map<String, List<Object>> run(int ranks, String options) throws IOException {
    Path out = folder.resolve("r" + ranks + ".h5");
    List<String> line =
        new ArrayList<>(List.of("lcls", "--json", "--force", "--out", out.toString()));
    line.addAll(List.of("--ranks", "" + ranks));
    line.addAll(List.of(options.split(" ")));
    Ran ran = InProcess.skerry(line.toArray(String[]::new));
    assertEquals(0, ran.code(), options + ranks + ran.err());
    assertEquals("", ran.err());
    Matcher report = REPORT.matcher(ran.out());
    assertTrue(report.matches(), ran.out());
    assertEquals("" + ranks, report.group(1));
    assertFalse(Files.exists(folder.resolve("r" + ranks + ".h5.partial")));
    Map<String, List<Object>> content = Content.of(out);
    assertEquals(
        !options.contains("--every"), content.get(FrameStore.FULL).equals(List.of("absent")));
    assertEquals(
        options.contains("--split"), Files.exists(folder.resolve("r" + ranks + ".events.h5")));
    return content;
  }

  private void same_content_on(int[] ranks, String options) throws IOException {
    Map<String, List<Object>> alone = run(1, options);
    for (int n : ranks) {
      Map<String, List<Object>> content = run(n, options);
      alone.forEach((name, expected) ->
          assertEquals(expected, content.get(name), name + " on " + n + " ranks: " + options));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"points", "roi"})
  void every_number_of_ranks_writes_the_same_content(String mode) throws IOException {
    same_content_on(
        THOROUGH ? new int[] {2, 3, 4, 7} : new int[] {3, 7},
        "--synthetic 12x128x160 --every 2 --batch 1 --mode " + mode);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--mode points",
        "--mode roi",
        "--mode points --split",
        "--mode roi --every 3 --split",
        "--mode points --every 5 --split --batch 1",
        "--mode roi --split --batch 1",
        "--mode points --every 100",
        "--mode roi --every 1 --batch 2",
      })
  void every_combination_of_storage_options_is_verified(String options) throws IOException {
    int[] ranks = THOROUGH ? new int[] {3, 7} : new int[] {3};
    same_content_on(ranks, "--synthetic 12x128x160 " + options);
  }

  @ParameterizedTest
  @ValueSource(strings = {"points", "roi"})
  void ranks_without_a_frame_take_part(String mode) throws IOException {
    same_content_on(new int[] {4, 7}, "--synthetic 2x96x96 --every 2 --mode " + mode);
    same_content_on(new int[] {4, 7}, "--synthetic 1x96x96 --every 2 --batch 1 --mode " + mode);
  }

  @Test
  void frames_of_one_pixel_or_one_row_are_accepted() throws IOException {
    same_content_on(new int[] {3}, "--synthetic 5x1x1 --every 2");
    same_content_on(new int[] {3}, "--synthetic 5x1x200 --every 2 --mode roi");
    same_content_on(new int[] {3}, "--synthetic 5x200x1 --every 2");
  }

  @Test
  void the_output_of_a_run_can_be_the_input_of_another() throws IOException {
    Map<String, List<Object>> first = run(2, "--synthetic 6x96x96 --every 1");
    Map<String, List<Object>> again =
        run(3, "--every 1 --input " + folder.resolve("r2.h5") + ":/entry/full");
    assertEquals(first.get(FrameStore.FULL).get(3), again.get(FrameStore.FULL).get(3));
    assertEquals(first.get(FrameStore.SPOT_COUNTS), again.get(FrameStore.SPOT_COUNTS));
    assertEquals(
        first.get(FrameStore.EVENTS).subList(0, 4), again.get(FrameStore.EVENTS).subList(0, 4));
  }

  @ParameterizedTest
  @ValueSource(strings = {"points", "roi"})
  void frames_of_a_detector_are_verified(String mode) throws IOException {
    Path cspad = SharedData.file("detector/cspad_thermolysin.h5");
    String options = "--every 2 --mode " + mode + " --input " + cspad + ":" + IMAGES;
    boolean all = THOROUGH && mode.equals("points");
    same_content_on(all ? new int[] {2, 3, 4, 7} : new int[] {4}, options);
  }

  @Test
  void large_frames_of_a_detector_are_verified() throws IOException {
    Path pilatus = SharedData.file("detector/pilatus_thaumatin.h5");
    run(2, "--every 2 --input " + (THOROUGH ? pilatus : beginning(pilatus)) + ":" + IMAGES);
  }

  /** Copies three frames, so that each rank has one and there is a second full frame. */
  private Path beginning(Path from) {
    Path to = folder.resolve("beginning.h5");
    try (H5File in = H5File.open(from);
        H5File out = H5File.create(to)) {
      Dataset images = in.dataset(IMAGES);
      Shape shape = images.shape();
      Selection frames = Selection.at(0, 0, 0).extent(3, shape.extent(1), shape.extent(2));
      out.createDataset(
              IMAGES,
              DatasetSpec.of(images.datatype(), Shape.of(3, shape.extent(1), shape.extent(2))))
          .write(Selection.all(), images.readInts(frames));
    }
    return to;
  }

  @Test
  void a_kept_pixel_takes_at_most_four_and_a_half_bytes() {
    Path out = folder.resolve("size.h5");
    Ran ran =
        InProcess.skerry(
            "lcls", "--synthetic", "32x1024x1024", "--ranks", "2", "--json", "--out", "" + out);
    Matcher report = REPORT.matcher(ran.out());
    assertTrue(report.matches(), ran.out() + ran.err());
    double bytes = Double.parseDouble(report.group(4)) / Double.parseDouble(report.group(3));
    assertTrue(bytes <= 4.5, "bytes an element: " + bytes);
    assertEquals(Long.parseLong(report.group(4)), out.toFile().length());
  }
}
