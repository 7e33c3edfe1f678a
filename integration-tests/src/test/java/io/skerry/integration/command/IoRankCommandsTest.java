package io.skerry.integration.command;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs commands under {@code mpirun} of which the last ranks only serve the containers. */
class IoRankCommandsTest extends ProcessCommands {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  private static final String[] RUN = {
    "lcls", "--synthetic", "6x64x64", "--batch", "2", "--no-progress"
  };

  private String good(String... line) throws Exception {
    Ran ran = skerry(line);
    assertEquals(0, ran.code(), () -> String.join(" ", line) + ": " + ran.out() + ran.err());
    assertEquals("", ran.err());
    return ran.out();
  }

  /** Returns a digest without the attribute that names the build of Skerry. */
  private static String digest(String lines) {
    return lines.lines().filter(line -> !line.contains("@creator")).collect(joining("\n"));
  }

  private static String[] with(String[] line, String... more) {
    return Stream.concat(Arrays.stream(line), Arrays.stream(more)).toArray(String[]::new);
  }

  @ParameterizedTest
  @CsvSource({"3, 1", "4, 2", "3, 2", "4, 1", "4, 3"})
  void containers_have_the_digests_of_the_HDF5_file(String ranks, String serving) throws Exception {
    assumeTrue(
        THOROUGH || List.of("3, 1", "4, 2").contains(ranks + ", " + serving),
        "skipped without -Dskerry.thorough=true");
    String[] parallel = {"--ranks", ranks, "--io-ranks", serving};
    inProcess(with(RUN, "--out", "./frames.h5"));
    String expected = digest(inProcess("digest", "./frames.h5"));
    String report = good(with(with(RUN, parallel), "--json", "--out", "iod:frames"));
    int computing = Integer.parseInt(ranks) - Integer.parseInt(serving);
    assertTrue(report.contains("\"ranks\": " + computing), report);
    assertEquals(expected, digest(good(on(parallel, "digest", "iod:frames"))));
    assertEquals(expected, digest(inProcess("digest", "iod:" + folder.resolve("frames"))));
    assertTrue(good(on(parallel, "verify", "iod:frames")).endsWith("clean\n"));
    String values = inProcess("dump", "./frames.h5:/entry/spot_counts");
    assertEquals(values, good(on(parallel, "dump", "iod:frames:/entry/spot_counts")));
    good(on(parallel, "repack", "iod:frames", "iod:again", "--filter", "shuf+zstd=3"));
    assertEquals(expected, digest(good(on(parallel, "digest", "iod:again"))));
    good(on(parallel, "repack", "iod:again", "back.h5"));
    assertEquals(expected, digest(inProcess("digest", "./back.h5")));
    assertEquals(
        List.of("again", "back.h5", "frames", "frames.h5"), files().stream().sorted().toList());
  }

  private static String[] on(String[] parallel, String... line) {
    return with(line, parallel);
  }

  @Test
  void a_dataset_is_converted_and_analyzed_with_io_ranks() throws Exception {
    String[] parallel = {"--ranks", "3", "--io-ranks", "1"};
    inProcess(with(RUN, "--out", "./frames.h5"));
    good(with(with(RUN, parallel), "--out", "iod:frames"));
    String[] dense = {"convert", "iod:frames:/entry/events", "iod:dense:/d", "--dense"};
    good(with(dense, parallel));
    inProcess("convert", "./frames.h5:/entry/events", "./dense.h5:/d", "--dense");
    assertEquals(
        digest(inProcess("digest", "./dense.h5")),
        digest(inProcess("digest", "iod:" + folder.resolve("dense"))));
    good(with(new String[] {"pca", "iod:frames:/entry/events", "--out", "iod:pca"}, parallel));
    assertTrue(good("verify", "iod:pca").endsWith("clean\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lcls", "repack", "digest", "verify", "dump", "convert", "pca"})
  void wrong_numbers_and_HDF5_files_are_refused_on_every_rank(String command) throws Exception {
    // These three refuse at different places.
    assumeTrue(
        THOROUGH || List.of("lcls", "digest", "verify").contains(command),
        "skipped without -Dskerry.thorough=true");
    inProcess(with(RUN, "--out", "./frames.h5"));
    inProcess("repack", "./frames.h5", "iod:" + folder.resolve("frames"));
    for (String number : List.of("0", "3")) {
      refused(line(command, "iod:frames", "iod:out", number), "io-ranks");
    }
    refused(line(command, "frames.h5", "out.h5", "1"), "not an HDF5 file");
    assertEquals(List.of("frames", "frames.h5"), files().stream().sorted().toList());
  }

  private static String[] line(String command, String in, String out, String number) {
    String[] arguments =
        switch (command) {
          case "lcls" -> with(RUN, "--out", out);
          case "repack" -> new String[] {command, in, out};
          case "digest", "verify" -> new String[] {command, in};
          case "dump" -> new String[] {command, in + ":/entry/spot_counts"};
          case "convert" -> new String[] {command, in + ":/entry/events", out + ":/d", "--dense"};
          default -> new String[] {command, in + ":/entry/events", "--out", out};
        };
    return with(arguments, "--io-ranks", number);
  }

  /**
   * Runs a command on three ranks, each of which notes its exit code. A rank that ended with it
   * could make the launcher end the others before.
   */
  private void refused(String[] line, String reason) throws Exception {
    String script = "\"$0\" \"$@\"; echo \"rank ended with $?\"; exit 0";
    String[] ranks = {
      "-n", "3", "--allow-run-as-root", "--oversubscribe", "--quiet", "sh", "-c", script
    };
    Ran ran = command("mpirun", with(ranks, with(new String[] {above("skerry") + ""}, line)));
    String what = String.join(" ", line) + ": " + ran.out() + ran.err();
    assertEquals("rank ended with 2\n".repeat(3), ran.out(), what);
    assertTrue(ran.err().contains(reason), what);
    assertTrue(ran.seconds() < 60, what);
  }

  @Test
  void a_missing_container_is_reported_with_exit_code_1_and_without_a_hang() throws Exception {
    for (String command : List.of("digest", "verify")) {
      Ran ran = skerry(command, "iod:missing", "--ranks", "3", "--io-ranks", "1");
      assertEquals(1, ran.code(), ran.out() + ran.err());
      assertTrue(ran.err().contains("no such file: file=iod:missing"), ran.err());
    }
    Ran ran = skerry(with(RUN, "--ranks", "3", "--io-ranks", "1", "--out", "iod:no/such/run"));
    assertEquals(1, ran.code(), ran.out() + ran.err());
    assertTrue(ran.err().contains("the folder of the output does not exist"), ran.err());
  }
}
