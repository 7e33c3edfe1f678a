package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.H5File;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that commands print no control characters of names and strings in a file. */
class ControlCharactersTest {
  /** C0, DEL and C1 controls, line separators, directional controls, and invisible characters. */
  private static final String EVIL =
      "\u001b[31m\u001b]0;t\u0007\r\n\t\b\u007f\u0085\u009b2J\u2028\u2029\u200e\u061c\u202a\u202e"
          + "\u2066\u2069\ufeff\udb40\udc41 \\ \" '  ?";

  private static final List<String> DATASETS =
      List.of("compound", "enum", "opaque", "texts", "elsewhere", "virtual", "refs", "bad", "good");

  private static final String CHECK_JSON =
      "import json, sys; [json.load(open(name, encoding='utf-8')) for name in sys.argv[1:]]";

  @TempDir private Path folder;

  private static Oracle h5py() {
    Optional<Oracle> h5py = Oracle.h5py().stream().findFirst();
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py");
    return h5py.get();
  }

  private Path file() throws IOException {
    Path text = folder.resolve("text");
    Files.writeString(text, EVIL);
    Path file = folder.resolve("hostile.h5");
    h5py().script(folder, "hostile_texts.py", file, text).expectSuccess();
    return file;
  }

  private List<List<String>> lines(Path file) {
    String name = file.toString();
    List<List<String>> lines = new ArrayList<>();
    for (String command : List.of("ls", "digest", "stat", "verify", "recover")) {
      lines.add(List.of(command, name));
      lines.add(List.of(command, "--json", name));
    }
    lines.add(List.of("stat", "--cache", name));
    lines.add(List.of("dump", name, "--attribute", "a" + EVIL));
    lines.add(List.of("dump", name, "--attribute", "no" + EVIL));
    lines.add(List.of("repack", name, folder.resolve("repacked.h5").toString()));
    lines.add(List.of("repack", name, folder.resolve("r2.h5").toString(), "--filter", "gzip=1"));
    List<String> paths = new ArrayList<>(List.of("/g" + EVIL, "/no" + EVIL));
    DATASETS.forEach(dataset -> paths.add("/g" + EVIL + "/" + dataset + EVIL));
    paths.add("/g" + EVIL + "/soft" + EVIL);
    paths.add("/g" + EVIL + "/external" + EVIL);
    paths.add("/g" + EVIL + "/type" + EVIL);
    for (String path : paths) {
      String out = folder.resolve("out" + lines.size()).toString();
      lines.add(List.of("dump", name + ":" + path));
      lines.add(List.of("dump", "--json", name + ":" + path));
      lines.add(List.of("stat", name + ":" + path));
      lines.add(List.of("defined", name, path));
      lines.add(List.of("export", name + ":" + path, out, "--as", "mtx"));
      lines.add(List.of("export", "--json", name + ":" + path, out + ".h5", "--as", "csr"));
      lines.add(List.of("convert", name + ":" + path, out + "s.h5:" + path, "--sparse", "2"));
      lines.add(List.of("pca", name + ":" + path, "--components", "1"));
    }
    lines.add(List.of("no" + EVIL, name));
    lines.add(List.of("ls", "--no" + EVIL, name));
    return lines;
  }

  @Test
  void no_command_prints_a_control_character_of_a_file_and_errors_are_one_line()
      throws IOException {
    List<CommandRun> runs = CommandRun.all(folder, "256m", lines(file()));
    List<Object> json = new ArrayList<>(List.of("-c", CHECK_JSON));
    for (CommandRun run : runs) {
      assertPlain(run.out(), run);
      assertPlain(run.err(), run);
      assertTrue(run.code() >= 0 && run.code() <= 2, run.toString());
      assertFalse(run.err().contains("\tat ") || run.err().contains("mistake"), run.toString());
      long errors = run.code() == 2 ? 2 : run.err().isEmpty() ? 0 : 1;
      assertEquals(errors, run.err().lines().count(), run.toString());
      if (run.line().contains("--json") && run.bytes() > 0) {
        Path copy = folder.resolve(json.size() + ".json");
        Files.writeString(copy, run.out());
        json.add(copy);
      }
    }
    assertTrue(json.size() > 12, json.toString());
    h5py().run(folder, json.toArray()).expectSuccess();
    try (var texts = Files.list(folder)) {
      for (Path text : texts.filter(path -> path.toString().matches(".*out[0-9]+")).toList()) {
        assertPlain(Files.readString(text), runs.getFirst());
      }
    }
  }

  private static void assertPlain(String text, CommandRun run) {
    text.codePoints()
        .forEach(c -> {
          boolean layout = c == '\n' || c == '\t';
          boolean raw =
              Character.isISOControl(c)
                  || Character.getType(c) == Character.FORMAT
                  || Character.getType(c) == Character.LINE_SEPARATOR
                  || Character.getType(c) == Character.PARAGRAPH_SEPARATOR;
          assertTrue(layout || !raw, "U+%04X in %s: %s".formatted(c, run, text));
        });
    assertFalse(text.contains("\t"), run + text);
  }

  @Test
  void the_lines_of_a_digest_distinguish_all_names() {
    Path file = folder.resolve("alike.h5");
    List<String> names =
        List.of("a", "a  ? e", "a\n", "a\\u000a", "a\\n", "a ", "a@b", " a", "a\u202e", "a  b");
    try (H5File made = H5File.create(file)) {
      names.forEach(made::createGroup);
    }
    List<String> lines =
        CommandRun.all(folder, "256m", List.of(List.of("digest", file.toString())))
            .getFirst()
            .out()
            .lines()
            .toList();
    assertEquals(1 + names.size(), lines.size(), lines.toString());
    assertEquals(lines.size(), lines.stream().distinct().count(), lines.toString());
    lines.forEach(line -> assertEquals(3, line.split("  +").length, line));
  }
}
