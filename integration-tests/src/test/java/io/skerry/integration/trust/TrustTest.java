package io.skerry.integration.trust;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Trust;
import io.skerry.parallel.UntrustedFileException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests access to the other files that a file names, under each policy, on one and three ranks. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TrustTest {
  private static final List<Integer> RANKS = List.of(1, 3);
  private static final List<String> ALWAYS_REFUSED =
      List.of(
          "/data/device",
          "/data/pipe",
          "/links/device",
          "/links/pipe",
          "/virtual/device",
          "/virtual/pipe");
  private static final List<String> INSIDE =
      List.of(
          "/data/near",
          "/data/short",
          "/growing/near",
          "/links/below",
          "/links/near",
          "/links/own",
          "/links/round",
          "/links/short",
          "/virtual/below",
          "/virtual/missing",
          "/virtual/near",
          "/virtual/own",
          "/virtual/short");

  @TempDir private static Path folder;
  private static NamingFiles files = new NamingFiles(Path.of(""), Map.of());

  @BeforeAll
  static void make() {
    List<Oracle> pythons = Oracle.h5py();
    assumeFalse(pythons.isEmpty(), "skipped: no Python with h5py");
    files = NamingFiles.make(folder, pythons.getFirst());
  }

  /** Returns the bytes of an object or the error message, which must be equal on all ranks. */
  private static String read(Path path, int ranks, Trust trust, String object) {
    List<String> all = LocalRanks.call(ranks, world -> read(path, world, trust, object));
    all.forEach(each -> assertEquals(all.getFirst(), each, object));
    return all.getFirst();
  }

  private static String read(Path path, Communicator world, Trust trust, String object) {
    try (H5File file = H5File.open(path, world, FileOptions.standard().withTrust(trust))) {
      try {
        byte[] bytes = new byte[6];
        file.dataset(object).read(Selection.all(), Datatype.U8, MemorySegment.ofArray(bytes));
        return HexFormat.of().formatHex(bytes);
      } catch (CollectiveException e) {
        assertInstanceOf(UntrustedFileException.class, e.getCause(), object);
        return e.getMessage();
      }
    }
  }

  private static void assertRefused(String message, String object) {
    assertTrue(message.startsWith("another file is refused: named="), object + ": " + message);
    assertTrue(message.contains(" object=" + object + " file="), object + ": " + message);
  }

  @Test
  void under_trust_all_every_object_reads_as_in_h5py() {
    assertTrue(files.read().size() > 25);
    for (int ranks : RANKS) {
      Map<String, String> read = new TreeMap<>();
      files.read().keySet().forEach(o -> read.put(o, read(files.main(), ranks, Trust.ALL, o)));
      assertEquals(files.read(), read);
    }
  }

  @Test
  void pipes_and_devices_are_refused_without_waiting_under_every_policy() {
    for (int ranks : RANKS) {
      for (Trust trust : List.of(Trust.ALL, Trust.SAME_FOLDER)) {
        for (String object : ALWAYS_REFUSED) {
          String message = read(files.main(), ranks, trust, object);
          assertRefused(message, object);
          boolean absolute = trust == Trust.SAME_FOLDER && object.endsWith("device");
          assertTrue(
              message.contains(absolute ? "an absolute name" : "not a regular file"), message);
        }
      }
    }
  }

  @Test
  void under_same_folder_only_files_in_or_below_the_folder_are_read() {
    for (int ranks : RANKS) {
      for (Map.Entry<String, String> known : files.read().entrySet()) {
        String object = known.getKey();
        String read = read(files.main(), ranks, Trust.SAME_FOLDER, object);
        if (INSIDE.contains(object)) {
          assertEquals(known.getValue(), read, object);
        } else {
          assertTrue(read.startsWith("another file is refused: named="), object + ": " + read);
          assertTrue(
              read.contains(
                  " trust=same-folder, allowed by FileOptions.withTrust(Trust.ALL) or --trust all"),
              read);
        }
      }
    }
  }

  @Test
  void a_refusal_names_the_other_file_the_object_and_the_rule() {
    Map<String, String> rules =
        Map.of(
            "/data/absolute", "(an absolute name)",
            "/links/absolute", "(an absolute name)",
            "/virtual/absolute", "(an absolute name)",
            "/growing/absolute", "(an absolute name)",
            "/data/escaping", "(a name that leads out of the folder ",
            "/virtual/escaping", "(a name that leads out of the folder ",
            "/links/folder", "secret.h5 is outside of the folder ",
            "/virtual/link", "secret.h5 is outside of the folder ",
            "/data/link", "secret.txt is outside of the folder ");
    for (int ranks : RANKS) {
      rules.forEach((object, rule) -> {
        String message = read(files.main(), ranks, Trust.SAME_FOLDER, object);
        assertRefused(message, object);
        assertTrue(message.contains(rule), message);
      });
    }
  }

  @Test
  void links_of_linked_files_and_sources_keep_to_the_folder_of_the_first_file() {
    for (int ranks : RANKS) {
      for (String object : List.of("/links/chain", "/links/deepchain", "/virtual/chain")) {
        String message = read(files.main(), ranks, Trust.SAME_FOLDER, object);
        assertTrue(message.contains("a name that leads out of the folder "), message);
      }
      assertEquals(
          files.read().get("/links/round"),
          read(files.main(), ranks, Trust.SAME_FOLDER, "/links/round"));
      Path deep = files.main().resolveSibling("sub/deep.h5");
      assertRefused(read(deep, ranks, Trust.SAME_FOLDER, "/up"), "/up");
    }
  }

  @Test
  void under_trust_none_a_file_may_name_only_itself() {
    for (int ranks : RANKS) {
      for (Map.Entry<String, String> known : files.read().entrySet()) {
        String object = known.getKey();
        String read = read(files.main(), ranks, Trust.NONE, object);
        if (object.endsWith("/own")) {
          assertEquals(known.getValue(), read, object);
        } else {
          assertRefused(read, object);
          assertTrue(read.contains("(no other file is trusted)"), read);
        }
      }
    }
  }

  @Test
  void a_file_can_be_used_after_a_refusal() {
    LocalRanks.run(
        3,
        world -> {
          FileOptions careful = FileOptions.standard().withTrust(Trust.SAME_FOLDER);
          try (H5File file = H5File.open(files.main(), world, careful)) {
            byte[] bytes = new byte[6];
            for (String object : List.of("/data/absolute", "/links/absolute", "/virtual/link")) {
              assertThrows(
                  CollectiveException.class,
                  () ->
                      file.dataset(object)
                          .read(Selection.all(), Datatype.U8, MemorySegment.ofArray(bytes)));
              file.dataset("/links/near")
                  .read(Selection.all(), Datatype.U8, MemorySegment.ofArray(bytes));
              assertEquals("010203040506", HexFormat.of().formatHex(bytes));
            }
          }
        });
  }

  @Test
  void ranks_that_read_different_sources_all_get_the_refusal_of_one() {
    LocalRanks.run(
        3,
        world -> {
          FileOptions careful = FileOptions.standard().withTrust(Trust.SAME_FOLDER);
          try (H5File file = H5File.open(files.main(), world, careful)) {
            Dataset dataset = file.dataset("/virtual/link");
            MemorySegment elements = MemorySegment.ofArray(new byte[world.rank() == 1 ? 6 : 0]);
            Selection mine = world.rank() == 1 ? Selection.all() : Selection.none();
            CollectiveException refused =
                assertThrows(
                    CollectiveException.class, () -> dataset.read(mine, Datatype.U8, elements));
            assertEquals(List.of(1), refused.failingRanks());
          }
        });
  }

  @Test
  void an_independent_read_gets_the_refusal_on_its_own_rank() {
    FileOptions careful = FileOptions.standard().withTrust(Trust.SAME_FOLDER);
    LocalRanks.run(
        3,
        world -> {
          try (H5File file = H5File.open(files.main(), world, careful)) {
            for (String object : List.of("/data/link", "/virtual/link")) {
              Dataset own = file.dataset(object).independent();
              if (world.rank() == 1) {
                RuntimeException refused =
                    assertThrows(
                        RuntimeException.class,
                        () ->
                            own.read(
                                Selection.all(), Datatype.U8, MemorySegment.ofArray(new byte[6])));
                assertTrue(
                    refused instanceof UntrustedFileException
                        || refused.getCause() instanceof UntrustedFileException,
                    refused.toString());
              }
            }
          }
        });
  }

  @Test
  void values_of_any_type_are_refused_too() {
    FileOptions careful = FileOptions.standard().withTrust(Trust.SAME_FOLDER);
    for (int ranks : RANKS) {
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.open(files.main(), world, careful)) {
              for (String object : List.of("/data/link", "/virtual/link")) {
                Dataset dataset = file.dataset(object);
                assertThrows(CollectiveException.class, () -> dataset.readValues(Selection.all()));
                assertThrows(CollectiveException.class, () -> dataset.readInts(Selection.all()));
              }
            }
          });
    }
  }

  @Test
  void members_of_a_family_are_other_files_unless_its_pattern_is_opened(@TempDir Path home)
      throws IOException {
    Path made = Files.createDirectory(home.resolve("made"));
    Oracle.h5py().getFirst().script(made, "spread.py").expectSuccess();
    Path first = made.resolve("family_latest_00000.h5");
    Path pattern = made.resolve("family_latest_%05d.h5");
    Path multi = made.resolve("split_latest");
    for (int ranks : RANKS) {
      for (Path path : List.of(pattern, multi)) {
        assertEquals("opened", opened(path, ranks, Trust.NONE));
      }
      for (Path path : List.of(first, made.resolve("split_latest-m.h5"))) {
        assertEquals("opened", opened(path, ranks, Trust.SAME_FOLDER));
        String refused = opened(path, ranks, Trust.NONE);
        assertTrue(refused.contains("(no other file is trusted)"), refused);
      }
    }
    for (String name : List.of("family_latest_00002.h5", "split_latest-r.h5")) {
      Path elsewhere = Files.move(made.resolve(name), home.resolve(name));
      Files.createSymbolicLink(made.resolve(name), elsewhere);
    }
    for (int ranks : RANKS) {
      for (Path path : List.of(first, pattern, multi)) {
        assertEquals("opened", opened(path, ranks, Trust.ALL));
        String refused = opened(path, ranks, Trust.SAME_FOLDER);
        assertTrue(refused.contains(" is outside of the folder "), refused);
      }
    }
  }

  private static String opened(Path path, int ranks, Trust trust) {
    FileOptions options = FileOptions.standard().withTrust(trust);
    List<String> all =
        LocalRanks.call(
            ranks,
            world -> {
              try (H5File file = H5File.open(path, world, options)) {
                assertEquals(4, file.root().links().size());
                return "opened";
              } catch (CollectiveException e) {
                return e.getMessage();
              }
            });
    all.forEach(each -> assertEquals(all.getFirst(), each));
    return all.getFirst();
  }

  @Test
  void ranks_with_different_policies_do_not_open_the_file() {
    LocalRanks.run(
        3,
        world -> {
          Trust trust = world.rank() == 2 ? Trust.ALL : Trust.NONE;
          FileOptions options = FileOptions.standard().withTrust(trust);
          assertThrows(CollectiveException.class, () -> H5File.open(files.main(), world, options));
        });
  }

  @Test
  void a_write_through_a_link_stays_in_the_folder(@TempDir Path home) throws IOException {
    Path outside = home.resolve("other.h5");
    Path main = Files.createDirectory(home.resolve("in")).resolve("main.h5");
    for (Path path : List.of(outside, main.resolveSibling("near.h5"))) {
      try (H5File file = H5File.create(path)) {
        file.createDataset("/d", DatasetSpec.of(Datatype.I8, Shape.of(6)).chunked(6))
            .write(Selection.all(), new byte[6]);
      }
    }
    try (H5File file = H5File.create(main)) {
      file.createExternalLink("/results", "../other.h5", "/d");
      file.createExternalLink("/near", "near.h5", "/d");
    }
    byte[] before = Files.readAllBytes(outside);
    for (int ranks : RANKS) {
      LocalRanks.run(
          ranks,
          world -> {
            FileOptions careful = FileOptions.standard().withTrust(Trust.SAME_FOLDER);
            try (H5File file = H5File.openForWriting(main, world, careful)) {
              assertThrows(CollectiveException.class, () -> file.dataset("/results"));
              file.dataset("/near").write(Selection.all(), new byte[] {1, 2, 3, 4, 5, 6});
            }
          });
      assertEquals(-1, Files.mismatch(outside, Files.write(home.resolve("before"), before)));
    }
    assertEquals("010203040506", read(main.resolveSibling("near.h5"), 1, Trust.NONE, "/d"));
  }
}
