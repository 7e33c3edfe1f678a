package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.Shell.Ran;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.run.JobException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
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

/** No command replaces a file unasked, and none its own input. */
class ExistingOutputTest {
  private static final String MINE = "seven megabytes of raw data";

  @TempDir private Path folder;
  private Path in;

  /**
   * A command that makes a file.
   *
   * @param words IN and OUT stand for the files, PNG for a picture
   * @param ranks numbers of ranks it can run on
   */
  private record Making(String words, int... ranks) {}

  private static final List<Making> COMMANDS =
      List.of(
          new Making("lcls --input IN:/p --batch 1 --no-progress --out OUT", 1, 3),
          new Making("lcls --input IN:/p --no-progress --out out.h5 --png OUT", 1, 3),
          new Making("lcls --input IN:/p --no-progress --split --out events.h5", 1, 3),
          new Making("pca IN:/p --components 2 --out OUT", 1, 3),
          new Making("pca IN:/p --components 2 --out out.h5 --png OUT", 1, 3),
          new Making("repack IN OUT", 1, 3),
          new Making("export IN:/m OUT --as mtx", 1));

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

  /** The file at which a command meets another one. */
  private Path met(Making command) {
    return folder.resolve(command.words().contains("--split") ? "events.events.h5" : "met.h5");
  }

  private Ran run(Making command, int ranks, String input, String... more) {
    List<String> line = new ArrayList<>();
    for (String word : command.words().split(" ")) {
      line.add(
          word.replaceFirst("^IN", folder.resolve(input).toString())
              .replaceFirst("^OUT$", met(command).toString())
              .replaceFirst("^(out|events)\\.h5$", folder + "/$1.h5"));
    }
    if (command.ranks().length > 1) {
      line.addAll(List.of("--ranks", "" + ranks));
    }
    line.addAll(List.of(more));
    return InProcess.skerry(line.toArray(String[]::new));
  }

  private void refused(String words, Making command, String input, String... more)
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
  void anOutputThatExistsIsRefusedBeforeAnythingIsReadAndStays() throws IOException {
    Files.writeString(folder.resolve("unreadable.h5"), "no HDF5 file, which reading would say");
    for (Making command : COMMANDS) {
      Path met = Files.writeString(met(command), MINE);
      refused("the output exists, --force replaces it: out=" + met, command, "unreadable.h5");
      assertEquals(MINE, Files.readString(met));
      Files.delete(met);
      Path nowhere = Files.createSymbolicLink(met, folder.resolve("nowhere"));
      refused("the output exists, --force replaces it: out=" + nowhere, command, "in.h5");
      Files.delete(met);
    }
  }

  @Test
  void withForceTheOutputTakesThePlaceAndThePermissionsOfTheOther() throws Exception {
    for (Making command : COMMANDS) {
      for (int ranks : command.ranks()) {
        Path met = Files.writeString(met(command), MINE);
        Files.setPosixFilePermissions(met, PosixFilePermissions.fromString("rw-r-----"));
        Ran ran = run(command, ranks, "in.h5", "--force");
        assertEquals(0, ran.code(), command + ran.err());
        assertFalse(new String(Files.readAllBytes(met)).contains(MINE), command.words());
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(met));
        assertEquals("rw-r-----", mode, command.words());
        for (String made : List.of("met.h5", "out.h5", "events.h5", "events.events.h5")) {
          Files.deleteIfExists(folder.resolve(made));
        }
        assertEquals(Set.of("" + folder, "" + in), files());
      }
    }
  }

  @Test
  void forceReplacesALinkAndLeavesWhatItLeadsTo() throws IOException {
    for (Making command : COMMANDS) {
      Path other = Files.writeString(folder.resolve("other"), MINE);
      Path met = Files.createSymbolicLink(met(command), other);
      Ran ran = run(command, 1, "in.h5", "--force");
      assertEquals(0, ran.code(), command + ran.err());
      assertTrue(Files.isRegularFile(met, LinkOption.NOFOLLOW_LINKS));
      assertEquals(MINE, Files.readString(other));
      for (String made : List.of("met.h5", "out.h5", "events.h5", "events.events.h5")) {
        Files.deleteIfExists(folder.resolve(made));
      }
    }
  }

  @Test
  void forceReplacesNeitherFoldersNorFifosNorDevices() throws Exception {
    for (Making command : COMMANDS) {
      Path met = Files.createDirectory(met(command));
      refused("the output is a folder: out=" + met, command, "in.h5", "--force");
      Files.delete(met);
      assertEquals(0, new ProcessBuilder("mkfifo", met.toString()).start().waitFor());
      refused("the output is not an ordinary file: out=" + met, command, "in.h5", "--force");
      Files.delete(met);
      Files.createSymbolicLink(met, Path.of("/dev/null"));
      refused("the output is not an ordinary file: out=" + met, command, "in.h5", "--force");
      Files.delete(met);
    }
  }

  @Test
  void forceNeverReplacesTheInputByWhateverNameItIsGiven() throws IOException {
    byte[] before = Files.readAllBytes(in);
    Files.createDirectory(folder.resolve("d"));
    for (Making command : COMMANDS) {
      Path met = Files.createLink(met(command), in);
      refused("would replace the input", command, "in.h5", "--force");
      Files.delete(met);
      Files.createSymbolicLink(met, in);
      refused("would replace the input", command, "in.h5", "--force");
      refused("would replace the input", command, "d/../in.h5", "--force");
      Files.delete(met);
      assertArrayEquals(before, Files.readAllBytes(in));
    }
  }

  @Test
  void forceDoesNotReplaceWhatALinkOfTheInputLeadsTo() throws IOException {
    for (Making command : COMMANDS) {
      if (command.words().startsWith("repack")) {
        // It copies links and follows none.
        continue;
      }
      Path met = Files.copy(in, met(command));
      try (H5File linked = H5File.create(folder.resolve("linked.h5"))) {
        for (String path : List.of("/p", "/m")) {
          linked.createExternalLink(path, met.getFileName().toString(), path);
        }
      }
      refused("would replace the input", command, "linked.h5", "--force");
      assertEquals(-1, Files.mismatch(in, met));
      Files.delete(met);
    }
  }

  @Test
  void inputAndOutputShareNoFolderForUnfinishedOutputAndNoJournal() throws IOException {
    Making repack = new Making("repack IN OUT", 1, 3);
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
  void whatAppearsWhileTheOutputIsMadeStaysAndSoDoesTheOutput() throws IOException {
    Path out = folder.resolve("late.h5");
    OutputPlace place =
        new OutputPlace(out, out, Optional.empty(), List.of(in), ExistingOutput.KEPT);
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
  void anOutputThatAnotherProgramWritesToIsNotReplaced() throws IOException {
    Making repack = new Making("repack IN OUT", 1, 3);
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
  void theJournalOfAReplacedFileDoesNotMeetTheNewOne() throws IOException {
    Path out = folder.resolve("met.h5");
    H5File.create(out).close();
    Files.write(folder.resolve("met.h5.journal"), new byte[100]);
    InProcess.good("repack", in, out, "--force");
    assertFalse(Files.exists(folder.resolve("met.h5.journal")));
    assertEquals(InProcess.good("digest", in).out(), InProcess.good("digest", out).out());
  }

  @Test
  void aResumedRunReplacesAnOutputOnlyIfItIsForced() throws IOException {
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
  void aLinkInTheFolderForUnfinishedOutputIsNotResumed() throws IOException {
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
    // Without --resume the link goes, and not what it leads to.
    assertEquals(0, InProcess.skerry(line).code());
    assertArrayEquals(before, Files.readAllBytes(others));
  }

  private static String[] with(String[] line, String... more) {
    List<String> all = new ArrayList<>(List.of(line));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}
