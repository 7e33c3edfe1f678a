package io.skerry.integration.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.integration.command.Checkout.Ran;
import io.skerry.testkit.launch.MpirunLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code ./skerry run} with the program of {@code docs/parallel.md}. */
class RunMainClassTest {
  private static final Pattern CALL = Pattern.compile("`\\./skerry (run [^`]*)`");

  @TempDir private Path folder;

  @BeforeEach
  void needs_mpirun() {
    assumeTrue(MpirunLauncher.find().isPresent(), "mpirun is absent: skipped");
  }

  private Ran skerry(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Checkout.root() + "/skerry"));
    command.addAll(List.of(arguments));
    return Checkout.run(folder, environment, command);
  }

  private void compile(String name, String source) throws IOException {
    Path file = Files.writeString(folder.resolve(name + ".java"), source);
    int code =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                folder.resolve("classes").toString(),
                file.toString());
    assertEquals(0, code, source);
  }

  @Test
  void the_program_of_the_parallel_guide_runs_as_documented() throws Exception {
    String guide = Files.readString(Checkout.root().resolve("docs/parallel.md"));
    var call = CALL.matcher(guide);
    assertTrue(call.find(), "the guide shows no ./skerry run");
    int begin = guide.indexOf("```java\n", call.end()) + "```java\n".length();
    compile("Sum", guide.substring(begin, guide.indexOf("```", begin)));
    Ran ran = skerry(Map.of(), call.group(1).split(" "));
    assertEquals(0, ran.code(), ran.err());
    assertEquals("4 ranks, sum 30\n", ran.out());
    Ran alone = skerry(Map.of(), "run", "-cp", "classes", "Sum", "1");
    assertEquals("1 ranks, sum 0\n", alone.out(), alone.err());
  }

  @Test
  void options_reach_the_jvm_and_the_exit_code_is_returned() throws Exception {
    compile(
        "Exit",
        """
        void main(String[] args) {
          IO.println(System.getProperty("who") + Runtime.getRuntime().maxMemory() / 1048576);
          System.exit(Integer.parseInt(args[0]));
        }
        """);
    Ran ran = skerry(Map.of(), "run", "-Dwho=me", "-Xmx64m", "-cp", "classes", "Exit", "3");
    assertEquals(3, ran.code(), ran.err());
    assertTrue(ran.out().matches("me6[0-4]\n"), ran.out());
  }
}
