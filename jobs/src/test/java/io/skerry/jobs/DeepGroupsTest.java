package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.CopyOption;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Tests that deeply nested groups need little memory. */
class DeepGroupsTest {
  private static final int DEPTH = Integer.getInteger("skerry.deep.groups", 20_000);

  /** The folder of files that several tests read. */
  @TempDir private static Path common;

  @TempDir private Path folder;

  private static Path deep(String libver) {
    Optional<Oracle> h5py = Oracle.h5py().stream().findFirst();
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py");
    Path file = common.resolve(libver + ".h5");
    if (!Files.exists(file)) {
      h5py.get().script(common, "deep_groups.py", file, DEPTH, libver).expectSuccess();
    }
    return file;
  }

  @Test
  void groups_of_the_newest_form_nested_20_000_deep_are_walked_by_every_command() {
    List<CommandRun> runs = Walks.succeeding(folder, deep("latest"), Walks.Reports.TEXT_AND_JSON);
    CommandRun digest = Walks.of(runs, "digest");
    List<String> lines = digest.out().lines().toList();
    assertEquals(lines.size(), lines.stream().distinct().count());
    assertEquals(digest.bytes(), runs.getLast().bytes(), "the copy has other objects");
    assertEquals(digest.out(), runs.getLast().out());
    CommandRun verify = Walks.of(runs, "verify");
    assertTrue(verify.out().contains("clean"), verify.out());
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
  @EnabledIfSystemProperty(named = "skerry.thorough", matches = "true")
  void groups_of_the_oldest_form_nested_20_000_deep_are_walked_by_every_command() {
    List<CommandRun> runs = Walks.succeeding(folder, deep("earliest"), Walks.Reports.some());
    CommandRun verify = Walks.of(runs, "verify");
    assertTrue(verify.out().contains("clean"), verify.out());
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
}
