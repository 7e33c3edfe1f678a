package io.skerry.integration.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.integration.command.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the checks of {@code docs/models/live-readers.als} with Alloy, each in a process of its own,
 * since a check needs much memory. Each result must be the one that the model expects: no
 * counterexample for the protocol, and one for each mistake.
 */
class LiveReadersModelTest {
  private static final Path MODEL = Checkout.root().resolve("docs/models/live-readers.als");

  /** The build copies the program here. */
  private static final Path ALLOY = Path.of("target/alloy/alloy.jar").toAbsolutePath();

  /** The fastest solver of Alloy, or the one in Java where Alloy has no native solvers. */
  private static final String SOLVER =
      System.getProperty("os.arch").equals("amd64") ? "glucose" : "sat4j";

  private static final long LIMIT_MINUTES = 10;

  private static final Pattern CHECK =
      Pattern.compile("^check (\\w+) [^\\n]*\\n[^\\n]* expect ([01])$", Pattern.MULTILINE);

  private static final Pattern RESULT = Pattern.compile("check (\\w+) .*\\b(SAT|UNSAT)\\s*$");

  @TempDir Path folder;

  /** Returns the names of the checks, and the results that the model expects. */
  private static Map<String, String> expected() throws IOException {
    Map<String, String> expected = new TreeMap<>();
    for (MatchResult check : CHECK.matcher(Files.readString(MODEL)).results().toList()) {
      expected.put(check.group(1), check.group(2).equals("0") ? "UNSAT" : "SAT");
    }
    return expected;
  }

  static List<String> checks() throws IOException {
    return List.copyOf(expected().keySet());
  }

  @Test
  void the_model_has_a_check_of_the_protocol_and_one_of_each_mistake() throws IOException {
    String model = Files.readString(MODEL);
    String faults = model.substring(model.indexOf("one sig ReplaceUnpublished"));
    int mistakes = faults.substring(0, faults.indexOf("extends")).split(",").length;
    Map<String, String> expected = expected();
    assertEquals("UNSAT", expected.get("correct"));
    assertEquals(mistakes, expected.values().stream().filter("SAT"::equals).count());
    assertEquals(1 + mistakes, Pattern.compile("(?m)^check ").split(model).length - 1);
  }

  @ParameterizedTest
  @MethodSource("checks")
  void a_check_has_the_result_that_the_model_expects(String check) throws Exception {
    Path out = folder.resolve("out.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-jar", ALLOY.toString(), "exec", "--type", "none"));
    command.addAll(List.of("--solver", SOLVER, "--command", check));
    command.addAll(List.of("--output", folder.resolve("solutions").toString()));
    command.add(MODEL.toString());
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    process.getOutputStream().close();
    try {
      assertTrue(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES), "did not end in time: " + check);
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(out);
    assertEquals(0, process.exitValue(), printed);
    assertEquals(List.of(check + " " + expected().get(check)), results(printed), printed);
  }

  private static List<String> results(String printed) {
    List<String> results = new ArrayList<>();
    // Alloy prints the name of a check, backspaces, and then the result.
    for (String line : printed.split("\\R")) {
      var result = RESULT.matcher(line);
      if (result.find()) {
        results.add(result.group(1) + " " + result.group(2));
      }
    }
    return results;
  }
}
