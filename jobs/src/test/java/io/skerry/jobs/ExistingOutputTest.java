package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.Shell.Ran;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that only {@code --force} replaces existing files, and that inputs are never replaced. */
class ExistingOutputTest {
  private static final String MINE = "seven megabytes of raw data";

  @TempDir private Path folder;
  private Path in;

  /**
   * A command that creates a file.
   *
   * @param words the command line, in which IN and OUT are replaced by paths
   * @param ranks the numbers of ranks on which it runs
   */
  private record Command(String words, int... ranks) {}

  private static final List<Command> COMMANDS =
      List.of(
          new Command("lcls --input IN:/p --batch 1 --no-progress --out OUT", 1, 3),
          new Command("lcls --input IN:/p --no-progress --out out.h5 --png OUT", 1, 3),
          new Command("lcls --input IN:/p --no-progress --split --out events.h5", 1, 3),
          new Command("pca IN:/p --components 2 --out OUT", 1, 3),
          new Command("pca IN:/p --components 2 --out out.h5 --png OUT", 1, 3),
          new Command("repack IN OUT", 1, 3),
          new Command("export IN:/m OUT --as mtx", 1));

  @BeforeEach
  void frames() throws IOException {
    in = folder.resolve("in.h5");
    try (H5File file = H5File.create(in)) {
      int[] values = new int[4 * 16 * 16];
      for (int i = 0; i < values.length; i++) {
        values[i] = i * 37 % 101;
      }
      file.createDataset("/p", DatasetSpec.of(Datatype.U16, Shape.of(4, 16, 16)).chunked(1, 16, 16))
          .write(Selection.all(), values);
      file.createDataset("/m", DatasetSpec.of(Datatype.I32, Shape.of(4, 4)).sparse(2, 2))
          .write(Selection.at(1, 1).extent(1, 2), new int[] {3, 4});
    }
  }

  private Set<String> files() throws IOException {
    try (var all = Files.walk(folder)) {
      return new TreeSet<>(all.map(Path::toString).toList());
    }
  }

  /** Returns the output path at which a test places another file before the command runs. */
  private Path destination(Command command) {
    return folder.resolve(command.words().contains("--split") ? "events.events.h5" : "met.h5");
  }

  private Ran run(Command command, int ranks, String input, String... more) {
    List<String> line = new ArrayList<>();
    for (String word : command.words().split(" ")) {
      line.add(
          word.replaceFirst("^IN", folder.resolve(input).toString())
              .replaceFirst("^OUT$", destination(command).toString())
              .replaceFirst("^(out|events)\\.h5$", folder + "/$1.h5"));
    }
    if (command.ranks().length > 1) {
      line.addAll(List.of("--ranks", "" + ranks));
    }
    line.addAll(List.of(more));
    return InProcess.skerry(line.toArray(String[]::new));
  }

  private void refused(String words, Command command, String input, String... more)
      throws IOException {
    Set<String> before = files();
    for (int ranks : command.ranks()) {
      Ran ran = run(command, ranks, input, more);
      assertEquals(1, ran.code(), command + ran.out() + ran.err());
      assertTrue(ran.err().startsWith("skerry: ") && ran.err().contains(words), ran.err());
      assertEquals(1, ran.err().lines().count(), ran.err());
      assertEquals(before, files());
    }
  }

  @Test
  void an_existing_output_is_refused_before_any_input_is_read() throws IOException {
    Files.writeString(folder.resolve("unreadable.h5"), "no HDF5 file, which reading would say");
    for (Command command : COMMANDS) {
      Path destination = Files.writeString(destination(command), MINE);
      refused(
          "the output exists, --force replaces it: out=" + destination, command, "unreadable.h5");
      assertEquals(MINE, Files.readString(destination));
      Files.delete(destination);
      Path nowhere = Files.createSymbolicLink(destination, folder.resolve("nowhere"));
      refused("the output exists, --force replaces it: out=" + nowhere, command, "in.h5");
      Files.delete(destination);
    }
  }

  @Test
  void force_replaces_a_file_and_keeps_its_permissions() throws Exception {
    for (Command command : COMMANDS) {
      for (int ranks : command.ranks()) {
        Path destination = Files.writeString(destination(command), MINE);
        Files.setPosixFilePermissions(destination, PosixFilePermissions.fromString("rw-r-----"));
        Ran ran = run(command, ranks, "in.h5", "--force");
        assertEquals(0, ran.code(), command + ran.err());
        assertFalse(new String(Files.readAllBytes(destination)).contains(MINE), command.words());
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(destination));
        assertEquals("rw-r-----", mode, command.words());
        for (String made : List.of("met.h5", "out.h5", "events.h5", "events.events.h5")) {
          Files.deleteIfExists(folder.resolve(made));
        }
        assertEquals(Set.of("" + folder, "" + in), files());
      }
    }
  }

  @Test
  void force_replaces_a_symbolic_link_but_not_its_target() throws IOException {
    for (Command command : COMMANDS) {
      Path other = Files.writeString(folder.resolve("other"), MINE);
      Path destination = Files.createSymbolicLink(destination(command), other);
      Ran ran = run(command, 1, "in.h5", "--force");
      assertEquals(0, ran.code(), command + ran.err());
      assertTrue(Files.isRegularFile(destination, LinkOption.NOFOLLOW_LINKS));
      assertEquals(MINE, Files.readString(other));
      for (String made : List.of("met.h5", "out.h5", "events.h5", "events.events.h5")) {
        Files.deleteIfExists(folder.resolve(made));
      }
    }
  }

  @Test
  void force_replaces_no_folders_fifos_or_devices() throws Exception {
    for (Command command : COMMANDS) {
      Path destination = Files.createDirectory(destination(command));
      refused("the output is a folder: out=" + destination, command, "in.h5", "--force");
      Files.delete(destination);
      assertEquals(0, new ProcessBuilder("mkfifo", destination.toString()).start().waitFor());
      refused(
          "the output is not an ordinary file: out=" + destination, command, "in.h5", "--force");
      Files.delete(destination);
      Files.createSymbolicLink(destination, Path.of("/dev/null"));
      refused(
          "the output is not an ordinary file: out=" + destination, command, "in.h5", "--force");
      Files.delete(destination);
    }
  }

  @Test
  void force_never_replaces_the_input_under_any_name() throws IOException {
    byte[] before = Files.readAllBytes(in);
    Files.createDirectory(folder.resolve("d"));
    for (Command command : COMMANDS) {
      Path destination = Files.createLink(destination(command), in);
      refused("would replace the input", command, "in.h5", "--force");
      Files.delete(destination);
      Files.createSymbolicLink(destination, in);
      refused("would replace the input", command, "in.h5", "--force");
      refused("would replace the input", command, "d/../in.h5", "--force");
      Files.delete(destination);
      assertArrayEquals(before, Files.readAllBytes(in));
    }
  }

  @Test
  void force_does_not_replace_a_file_that_the_input_links_to() throws IOException {
    for (Command command : COMMANDS) {
      if (command.words().startsWith("repack")) {
        // repack copies links without following them.
        continue;
      }
      Path destination = Files.copy(in, destination(command));
      try (H5File linked = H5File.create(folder.resolve("linked.h5"))) {
        for (String path : List.of("/p", "/m")) {
          linked.createExternalLink(path, destination.getFileName().toString(), path);
        }
      }
      refused("would replace the input", command, "linked.h5", "--force");
      assertEquals(-1, Files.mismatch(in, destination));
      Files.delete(destination);
    }
  }

  @Test
  void input_and_output_must_not_share_a_partial_folder_or_a_journal() throws IOException {
    Command repack = new Command("repack IN OUT", 1, 3);
    Path unfinished = Files.createDirectory(folder.resolve("met.h5.partial"));
    for (String name : List.of("other.h5", "met.h5", "met.h5.journal", "met.h5.picture")) {
      Path inside = Files.copy(in, unfinished.resolve(name));
      refused("input", repack, "met.h5.partial/" + name, "--force");
      Files.delete(inside);
    }
    Path journal = Files.copy(in, folder.resolve("met.h5.journal"));
    refused("of a file and of its journal", repack, "met.h5.journal", "--force");
    Files.delete(journal);
    for (String out : List.of("in.h5.journal", "in.h5.partial/met.h5")) {
      Files.createDirectories(folder.resolve(out).getParent());
      Ran ran = InProcess.skerry("repack", "" + in, "" + folder.resolve(out), "--force");
      assertEquals(1, ran.code(), ran.err());
      assertFalse(Files.exists(folder.resolve(out)));
    }
  }

  @Test
  void a_file_that_appears_at_the_destination_is_kept_and_so_is_the_output() throws IOException {
    Path out = folder.resolve("late.h5");
    OutputPlace place =
        new OutputPlace(out, List.of(), Optional.empty(), List.of(in), ExistingOutput.KEPT);
    place.prepare();
    Files.writeString(place.mainFile(), "computed for hours");
    Files.writeString(out, MINE);
    String said = assertThrows(JobException.class, place::publish).getMessage();
    assertTrue(said.contains("out=" + out) && said.contains("made=" + place.mainFile()), said);
    assertEquals(MINE, Files.readString(out));
    assertEquals("computed for hours", Files.readString(place.mainFile()));
    Files.delete(out);
    place.publish();
    assertEquals("computed for hours", Files.readString(out));
    assertFalse(Files.exists(place.folder()));
  }

  @Test
  void an_output_open_for_writing_elsewhere_is_not_replaced() throws IOException {
    Command repack = new Command("repack IN OUT", 1, 3);
    try (H5File writer = H5File.create(folder.resolve("met.h5"))) {
      writer.createGroup("/g");
      writer.flush();
      refused("open for writing elsewhere", repack, "in.h5", "--force");
    }
    try (H5File kept = H5File.open(folder.resolve("met.h5"))) {
      assertEquals("/g", kept.group("/g").path());
    }
  }

  @Test
  void the_journal_of_a_replaced_file_is_removed() throws IOException {
    Path out = folder.resolve("met.h5");
    H5File.create(out).close();
    Files.write(folder.resolve("met.h5.journal"), new byte[100]);
    InProcess.good("repack", in, out, "--force");
    assertFalse(Files.exists(folder.resolve("met.h5.journal")));
    assertEquals(InProcess.good("digest", in).out(), InProcess.good("digest", out).out());
  }

  @Test
  void a_resumed_run_replaces_an_output_only_with_force() throws IOException {
    Path out = folder.resolve("out.h5");
    String[] line = {"lcls", "--synthetic", "7x48x64", "--batch", "1", "--out", out.toString()};
    Ran cut = InProcess.skerry(FrameReader::open, () -> true, line);
    assertEquals(0, cut.code(), cut.err());
    Files.writeString(out, MINE);
    for (String ranks : List.of("1", "3")) {
      Ran refused = InProcess.skerry(with(line, "--resume", "--ranks", ranks));
      assertEquals(1, refused.code());
      assertEquals(
          "skerry: the output exists, --force replaces it: out=" + out + "\n", refused.err());
      assertEquals(MINE, Files.readString(out));
    }
    Ran forced = InProcess.skerry(with(line, "--resume", "--force", "--ranks", "3"));
    assertEquals(0, forced.code(), forced.err());
    assertTrue(forced.out().contains("verified"), forced.out());
    Ran again = InProcess.skerry(with(line, "--resume", "--force"));
    assertTrue(again.err().contains("nothing to resume, the output is complete"), again.err());
  }

  @Test
  void a_symbolic_link_in_the_partial_folder_is_not_resumed() throws IOException {
    Path out = folder.resolve("out.h5");
    String[] line = {"lcls", "--synthetic", "7x48x64", "--batch", "1", "--out", out.toString()};
    assertEquals(0, InProcess.skerry(FrameReader::open, () -> true, line).code());
    Path made = folder.resolve("out.h5.partial/out.h5");
    Path others = Files.move(made, folder.resolve("others.h5"));
    byte[] before = Files.readAllBytes(others);
    Files.createSymbolicLink(made, others);
    for (String ranks : List.of("1", "3")) {
      Ran ran = InProcess.skerry(with(line, "--resume", "--ranks", ranks));
      assertEquals(1, ran.code());
      assertTrue(ran.err().contains("nothing to resume"), ran.err());
    }
    assertArrayEquals(before, Files.readAllBytes(others));
    // Without --resume the link is removed, but not its target.
    assertEquals(0, InProcess.skerry(line).code());
    assertArrayEquals(before, Files.readAllBytes(others));
  }

  @Test
  void the_unfinished_output_of_a_running_job_is_not_removed() throws IOException {
    Path out = folder.resolve("met.h5");
    OutputPlace place = OutputPlace.of(out, in, ExistingOutput.KEPT);
    place.prepare();
    try (H5File running = H5File.createNew(place.mainFile(), Communicator.self())) {
      Group unused = running.createGroup("/mine");
      running.flush();
      for (String ranks : List.of("1", "3")) {
        Ran ran = InProcess.skerry("repack", in.toString(), out.toString(), "--ranks", ranks);
        assertEquals(1, ran.code(), ran.err());
        assertTrue(ran.err().contains("another run is writing the same output"), ran.err());
      }
      assertTrue(Files.exists(place.mainFile()));
    }
    Ran ran = InProcess.skerry("repack", in.toString(), out.toString());
    assertEquals(0, ran.code(), ran.err());
  }

  @Test
  void force_does_not_replace_a_file_that_the_policy_keeps_unknown() throws IOException {
    assumeFalse(Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    Path data = Files.write(folder.resolve("data.bin"), new byte[16]);
    Path outside = folder.resolve("outside.h5");
    var unused =
        Oracle.h5py()
            .getFirst()
            .run(
                folder,
                "-c",
                """
                import sys, h5py
                f = h5py.File(sys.argv[1], 'w')
                f.create_dataset('d', (4,), 'i4', external=[(sys.argv[2], 0, 16)])
                """,
                outside,
                data.toAbsolutePath())
            .expectSuccess();
    for (String ranks : List.of("1", "3")) {
      Ran ran =
          InProcess.skerry(
              "repack", outside.toString(), data.toString(), "--force", "--ranks", ranks);
      assertEquals(1, ran.code(), ran.err());
      assertTrue(ran.err().contains("--force could replace a file of the input"), ran.err());
      assertArrayEquals(new byte[16], Files.readAllBytes(data));
    }
  }

  private static String[] with(String[] line, String... more) {
    List<String> all = new ArrayList<>(List.of(line));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}
