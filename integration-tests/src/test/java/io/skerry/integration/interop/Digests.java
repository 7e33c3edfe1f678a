package io.skerry.integration.interop;

import io.skerry.jobs.Skerry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes the output of {@code skerry digest --json} for many files in one process. */
public final class Digests {
  private Digests() {}

  /** Writes OUT/0.json, OUT/1.json, ...; that of a file that cannot be opened contains an error. */
  public static void write(Path out, List<Path> files) throws IOException {
    for (int i = 0; i < files.size(); i++) {
      Path to = out.resolve(i + ".json");
      try (OutputStream stream = Files.newOutputStream(to);
          PrintStream text = new PrintStream(stream, false, StandardCharsets.UTF_8)) {
        Skerry.run(Map.of(), text, "digest", "--json", files.get(i).toString());
      }
      if (Files.size(to) == 0) {
        Files.writeString(to, "{\"error\": \"refused\"}");
      }
    }
  }

  /**
   * Runs {@link #write} from the command line.
   *
   * <pre>Digests OUT LIST</pre>
   *
   * LIST is a text file with one path per line.
   */
  public static void main(String[] args) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of(args[1]))) {
      write(Path.of(args[0]), lines.map(Path::of).toList());
    }
  }
}
