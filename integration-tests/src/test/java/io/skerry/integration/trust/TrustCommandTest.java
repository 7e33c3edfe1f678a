package io.skerry.integration.trust;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.jobs.Skerry;
import io.skerry.testkit.oracle.Oracle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands on a file that refers to other files. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TrustCommandTest {
  private static final String SECRET = "83, 69, 67, 82, 69, 84";

  @TempDir private static Path folder;
  private static NamingFiles files = new NamingFiles(Path.of(""), Map.of());

  private record Ran(int code, String out, String err) {}

  @BeforeAll
  static void make() {
    List<Oracle> pythons = Oracle.h5py();
    assumeFalse(pythons.isEmpty(), "skipped: no Python with h5py");
    files = NamingFiles.make(folder, pythons.getFirst());
  }

  private static Ran skerry(String... line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream usual = System.err;
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
    try {
      int code = Skerry.run(Map.of(), new PrintStream(out, true, StandardCharsets.UTF_8), line);
      return new Ran(
          code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setErr(usual);
    }
  }

  /** Returns the help of a command, which is printed to {@link System#out}. */
  private static String help(String command) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream usual = System.out;
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      assertEquals(0, skerry(command, "--help").code());
      return out.toString(StandardCharsets.UTF_8);
    } finally {
      System.setOut(usual);
    }
  }

  private static String main(String object) {
    return files.main() + ":" + object;
  }

  @Test
  void dump_does_not_print_a_file_outside_of_the_folder_unless_told_to() {
    for (String object : List.of("/data/absolute", "/data/escaping", "/data/link")) {
      Ran ran = skerry("dump", main(object));
      assertEquals(1, ran.code(), object);
      assertFalse(ran.out().contains(SECRET), ran.out());
      assertTrue(ran.err().startsWith("skerry: another file is refused: named="), ran.err());
      assertTrue(ran.err().contains(" object=" + object + " "), ran.err());
      assertTrue(ran.err().contains("--trust all"), ran.err());
      assertEquals(1, ran.err().lines().count(), ran.err());
      assertTrue(skerry("dump", "--trust", "all", main(object)).out().contains(SECRET), object);
    }
    assertEquals(0, skerry("dump", main("/data/near")).code());
    assertEquals(1, skerry("dump", "--trust", "none", main("/data/near")).code());
    assertEquals(2, skerry("dump", "--trust", "some", main("/data/near")).code());
  }

  @Test
  void digest_stat_and_verify_report_refused_files_and_continue() {
    for (String command : List.of("digest", "stat", "verify")) {
      Ran ran = skerry(command, files.main().toString());
      assertEquals(1, ran.code(), command + ran.err());
      assertEquals("", ran.err(), command);
      for (String object :
          List.of("/data/absolute", "/data/pipe", "/virtual/escaping", "/growing/absolute")) {
        assertTrue(
            ran.out()
                .lines()
                .anyMatch(line ->
                    line.contains("another file is refused: named=")
                        && line.contains(" object=" + object + " ")),
            command + " of " + object + ": " + ran.out());
      }
    }
    assertTrue(skerry("stat", files.main().toString()).out().contains("/virtual/near"));
  }

  @Test
  void ls_reports_refused_files_and_continues() {
    Ran ran = skerry("ls", files.main().toString());
    assertEquals(0, ran.code(), ran.err());
    for (String object : List.of("/data/absolute", "/virtual/escaping", "/growing/absolute")) {
      assertTrue(ran.out().contains(" object=" + object + " "), object + ": " + ran.out());
    }
    assertFalse(ran.out().contains(" object=/data/near "), ran.out());
    assertFalse(
        skerry("ls", "--trust=all", files.main().toString()).out().contains("absolute name"));
  }

  @Test
  void repack_copies_names_and_no_content_of_other_files() throws IOException {
    Path out = files.main().resolveSibling("packed.h5");
    Ran ran = skerry("repack", files.main().toString(), out.toString());
    assertEquals(0, ran.code(), ran.err());
    String bytes = Files.readString(out, StandardCharsets.ISO_8859_1);
    assertFalse(bytes.contains("SECRET") || bytes.contains("defghi"), "elements are stored");
    assertEquals(1, skerry("dump", out + ":/data/absolute").code());
    assertTrue(skerry("dump", "--trust", "all", out + ":/data/absolute").out().contains(SECRET));
  }

  @Test
  void only_a_rule_with_a_path_copies_elements_of_other_files() throws IOException {
    Path out = files.main().resolveSibling("chunked.h5");
    String main = files.main().toString();
    Ran kept = skerry("repack", "--trust", "all", "--layout", "chunked", main, "" + out);
    assertEquals(0, kept.code(), kept.err());
    assertTrue(skerry("ls", "" + out).out().contains("object=/large/data "));
    assertFalse(Files.readString(out, StandardCharsets.ISO_8859_1).contains("SECRET"));
    Path all = files.main().resolveSibling("all.h5");
    Ran taken = skerry("repack", "--trust=all", "--layout", "/large/data=chunked", main, "" + all);
    assertEquals(0, taken.code(), taken.err());
    assertTrue(skerry("dump", "--trust", "none", all + ":/large/data").out().contains(SECRET));
  }

  @Test
  void every_command_that_opens_files_has_the_option() {
    for (String command :
        List.of(
            "ls", "defined", "digest", "dump", "stat", "verify", "recover", "repack", "convert",
            "export", "import", "pca", "lcls")) {
      assertTrue(help(command).contains("--trust=all|same-folder|none"), command);
    }
  }

  @Test
  void a_command_that_would_store_elements_of_another_file_is_refused_and_stores_none() {
    Path out = files.main().resolveSibling("stored.h5");
    for (String object : List.of("/data/link", "/virtual/link", "/links/link")) {
      List<Ran> refused =
          List.of(
              skerry("repack", "--layout", "/data/link=contiguous", "" + files.main(), "" + out),
              skerry("export", main(object), "" + out, "--as", "dense"),
              skerry("convert", main(object), out + ":/d", "--sparse", "6"));
      for (Ran ran : refused) {
        assertEquals(1, ran.code(), object);
        assertTrue(ran.err().startsWith("skerry: another file is refused: "), ran.err());
        assertFalse(Files.exists(out), object);
      }
    }
    Ran allowed =
        skerry(
            "repack",
            "--trust",
            "all",
            "--layout",
            "/data/link=contiguous",
            "" + files.main(),
            "" + out);
    assertEquals(0, allowed.code(), allowed.err());
    assertTrue(skerry("dump", "--trust", "none", out + ":/data/link").out().contains(SECRET));
  }
}
