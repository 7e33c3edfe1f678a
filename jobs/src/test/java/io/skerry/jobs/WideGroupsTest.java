package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that many or long names, and chunks that inflate to a large size, need little memory. */
class WideGroupsTest {
  /** The number of links; larger with {@code -Pslow}, much larger with {@code -Pstress}. */
  private static final int LINKS = Integer.getInteger("skerry.wide.links", 20_000);

  @TempDir private Path folder;

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
    for (CommandRun run : Walks.succeeding(folder, file, Walks.Reports.TEXT_AND_JSON)) {
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
      List<List<String>> lines = new ArrayList<>(Walks.lines(Path.of(name), Walks.Reports.some()));
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
      CommandRun verify = Walks.of(runs, "verify");
      assertEquals(1, verify.code());
      assertTrue(verify.out().contains("1 finding"), verify.out());
    }
  }
}
