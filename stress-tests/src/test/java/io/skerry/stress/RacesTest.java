package io.skerry.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.infra.runners.TestList;

/**
 * Runs the jcstress tests of this module in a separate process, which starts a process for each
 * combination of compilation modes.
 *
 * <p>{@code -Dskerry.jcstress.mode=sanity|quick|default|tough|stress} sets the duration, and {@code
 * -Dskerry.jcstress.tests=REGEX} selects the tests. The report is {@code
 * target/jcstress/report/index.html}.
 */
class RacesTest {
  private static final String MODE = System.getProperty("skerry.jcstress.mode", "quick");
  private static final String TESTS = System.getProperty("skerry.jcstress.tests", ".*");
  private static final Path FOLDER = Path.of("target", "jcstress").toAbsolutePath();

  @Test
  void no_forbidden_outcome_is_seen() throws IOException, InterruptedException {
    assumeTrue(
        Runtime.getRuntime().availableProcessors() >= 2, "races need at least two processors");
    List<String> tests =
        TestList.tests().stream().filter(Pattern.compile(TESTS).asPredicate()).toList();
    assertFalse(tests.isEmpty(), "no test of this name: " + TESTS);
    for (String test : tests) {
      Files.deleteIfExists(report(test));
    }
    Files.createDirectories(FOLDER);
    Path console = FOLDER.resolve("console.txt");
    int exitCode = runJcstress(console);
    String said = Files.readString(console);
    assertEquals(0, exitCode, said);
    for (String test : tests) {
      // jcstress silently skips a test with more actors than processors.
      assertTrue(Files.exists(report(test)), () -> "was not run: " + test + "\n" + said);
    }
  }

  private static Path report(String test) {
    return FOLDER.resolve("report", test + ".html");
  }

  private static int runJcstress(Path console) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // jcstress calls native functions to bind threads to processors.
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("-m", MODE, "-t", TESTS, "-r", FOLDER.resolve("report").toString()));
    command.addAll(List.of("-jvmArgsPrepend", "--enable-native-access=ALL-UNNAMED"));
    Process process =
        new ProcessBuilder(command)
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .redirectOutput(console.toFile())
            .start();
    try {
      return process.waitFor();
    } finally {
      process.destroy();
    }
  }
}
