package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadmeExampleTest {
  @TempDir Path folder;

  @Test
  void the_program_in_the_readme_compiles_and_prints_the_documented_output() throws Exception {
    Path source = folder.resolve("Hits.java");
    Files.writeString(source, example());
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                source.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(true, program.waitFor(60, TimeUnit.SECONDS));
    assertEquals("2 defined, the first is 1.5\n", said);
  }

  private static String example() throws IOException {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("README.md"))) {
      at = at.getParent();
    }
    String readme = Files.readString(at.resolve("README.md"));
    int start = readme.indexOf("```java\n") + 8;
    return readme.substring(start, readme.indexOf("```", start));
  }
}
