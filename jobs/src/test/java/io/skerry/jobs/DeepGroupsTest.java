package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.CopyOption;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that deeply nested groups, and many or long names, need little memory. */
class DeepGroupsTest {
  private static final int DEPTH = Integer.getInteger("skerry.deep.groups", 20_000);

  /** The number of links; larger with {@code -Pslow}, much larger with {@code -Pstress}. */
  private static final int LINKS = Integer.getInteger("skerry.wide.links", 100_000);

  private static final long MOST_PRINTED = 64L << 20;

  @TempDir private Path folder;

  private Path deep(String libver) {
    Optional<Oracle> h5py = Oracle.h5py().stream().findFirst();
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py");
    Path file = folder.resolve(libver + ".h5");
    h5py.get().script(folder, "deep_groups.py", file, DEPTH, libver).expectSuccess();
    return file;
  }

  private static List<List<String>> walks(Path file) {
    String name = file.toString();
    List<List<String>> lines = new ArrayList<>();
    for (String command : List.of("ls", "verify", "digest", "stat")) {
      lines.add(List.of(command, name));
      lines.add(List.of(command, "--json", name));
    }
    lines.add(List.of("stat", "--cache", name));
    lines.add(List.of("repack", name, name + ".repacked"));
    lines.add(List.of("digest", name + ".repacked"));
    return lines;
  }

  private List<CommandRun> succeeding(Path file) {
    List<CommandRun> runs = CommandRun.all(folder, "256m", walks(file));
    for (CommandRun run : runs) {
      assertEquals(0, run.code(), run.toString());
      assertEquals("", run.err(), run.toString());
      assertTrue(run.bytes() < MOST_PRINTED, run.toString());
    }
    return runs;
  }

  @Test
  void groups_of_the_newest_form_nested_20_000_deep_are_walked_by_every_command() {
    List<CommandRun> runs = succeeding(deep("latest"));
    CommandRun digest = runs.get(4);
    List<String> lines = digest.out().lines().toList();
    assertEquals(lines.size(), lines.stream().distinct().count());
    assertEquals(digest.bytes(), runs.getLast().bytes(), "the copy has other objects");
    assertEquals(digest.out(), runs.getLast().out());
    assertTrue(runs.get(2).out().contains("clean"), runs.get(2).out());
  }

  @Test
  void a_dataset_below_20_000_groups_is_printed_converted_and_exported() {
    Path file = deep("latest");
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < DEPTH; i++) {
      path.append("/g").append(i);
    }
    String place = file + ":" + path + "/data";
    String sparse = file + ".sparse.h5";
    List<CommandRun> runs =
        CommandRun.all(
            folder,
            "256m",
            List.of(
                List.of("dump", place),
                List.of("stat", place),
                List.of("convert", place, sparse + ":/x", "--sparse", "2"),
                List.of("dump", sparse + ":/x"),
                List.of("export", place, file + ".mtx", "--as", "mtx")));
    for (CommandRun run : runs.subList(0, 4)) {
      assertEquals(0, run.code(), run.err());
      assertEquals("", run.err());
    }
    // The dataset is not a matrix, so its export is refused with a path of limited length.
    CommandRun export = runs.getLast();
    assertEquals(1, export.code(), export.err());
    assertEquals(1, export.err().lines().count(), export.err());
    assertTrue(export.err().length() < 10_000, export.err());
  }

  @Test
  void a_group_of_many_links_takes_memory_for_the_links_only() {
    Optional<Oracle> h5py = Oracle.h5py().stream().findFirst();
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py");
    for (String libver : List.of("latest", "earliest")) {
      String name = folder.resolve("wide-" + libver + ".h5").toString();
      h5py.get().script(folder, "wide_group.py", name, LINKS, libver).expectSuccess();
      List<CommandRun> runs =
          CommandRun.all(
              folder,
              (40 + 216 * (LINKS / 1000) / 1000) + "m",
              List.of(
                  List.of("ls", name),
                  List.of("verify", name),
                  List.of("stat", name),
                  List.of("digest", name)));
      for (CommandRun run : runs) {
        assertEquals(0, run.code(), run.toString());
        assertEquals("", run.err(), run.toString());
      }
      assertTrue(runs.getFirst().bytes() > 50L * LINKS, runs.getFirst().toString());
    }
  }

  @Test
  void groups_of_the_oldest_form_nested_20_000_deep_are_walked_by_every_command() {
    List<CommandRun> runs = succeeding(deep("earliest"));
    assertTrue(runs.get(2).out().contains("clean"), runs.get(2).out());
  }

  @Test
  void a_program_creates_walks_and_copies_20_000_nested_groups() {
    Path file = folder.resolve("made.h5");
    String deepest = "/g".repeat(DEPTH);
    try (H5File made = H5File.create(file)) {
      assertEquals(deepest, made.createGroup(deepest).path());
      made.copy("/g", made, "/copy", new CopyOption[0]);
    }
    try (H5File made = H5File.open(file)) {
      for (String top : List.of("g", "copy")) {
        Group group = made.group(top);
        List<Group> all = new ArrayList<>(List.of(group));
        while (!group.links().isEmpty()) {
          group = (Group) group.child((Group.Hard) group.links().getFirst());
          all.add(group);
        }
        assertEquals(DEPTH, all.size());
        assertEquals("/" + top + "/g".repeat(DEPTH - 1), group.path());
        assertTrue(group.shownPath().length() < 1100, group.shownPath());
        assertEquals(DEPTH, all.stream().map(Group::shownPath).distinct().count());
      }
      assertEquals(deepest, made.group(deepest).path());
    }
  }

  @Test
  void long_names_and_wide_groups_are_listed_in_little_memory() {
    Path file = folder.resolve("long.h5");
    try (H5File made = H5File.create(file)) {
      for (int i = 0; i < 40; i++) {
        made.createGroup("/" + "n".repeat(60_000) + i + ("/" + "m".repeat(60_000)).repeat(8));
      }
      Group wide = made.createGroup("/wide");
      for (int i = 0; i < 3000; i++) {
        made.createHardLink(wide.childPath("link" + i), "/wide");
      }
    }
    for (CommandRun run : succeeding(file)) {
      long longest = run.out().lines().mapToLong(String::length).max().orElse(0);
      assertFalse(!run.line().contains("--json") && longest > 10_000, run + " " + longest);
    }
  }

  @Test
  void chunks_that_inflate_to_a_gibibyte_end_in_one_line() {
    Optional<Oracle> h5py = Oracle.h5py().stream().findFirst();
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py");
    h5py.get().script(folder, "bombs.py", folder).expectSuccess();
    for (String bomb : List.of("excess.h5", "declared.h5")) {
      String name = folder.resolve(bomb).toString();
      List<List<String>> lines = new ArrayList<>(walks(Path.of(name)));
      lines.add(List.of("dump", name + ":/x"));
      lines.add(List.of("export", name + ":/x", name + ".mtx", "--as", "mtx"));
      lines.add(List.of("convert", name + ":/x", name + ".sparse.h5:/x", "--sparse", "1000"));
      lines.add(List.of("repack", name, name + ".again.h5", "--filter", "gzip=1"));
      List<CommandRun> runs = CommandRun.all(folder, "256m", lines);
      for (CommandRun run : runs) {
        assertTrue(run.code() == 0 || run.code() == 1, run.toString());
        assertTrue(run.err().lines().count() <= 1, run.toString());
        assertFalse(run.err().contains("mistake"), run.toString());
      }
      assertEquals(1, runs.get(2).code());
      assertTrue(runs.get(2).out().contains("1 finding"), runs.get(2).out());
    }
  }
}
