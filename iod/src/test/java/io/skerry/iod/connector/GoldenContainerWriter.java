package io.skerry.iod.connector;

import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connectors;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes the archive of a {@link io.skerry.testkit.connector.GoldenContainer}, once for each
 * version of the format.
 */
public final class GoldenContainerWriter {
  private GoldenContainerWriter() {}

  /**
   * Writes the archive, and the text that {@code skerry iod dump} prints.
   *
   * @param arguments the path of a new container, and the path of the archive without extension
   */
  public static void main(String[] arguments) throws IOException {
    Path container = Path.of(arguments[0]);
    write(container);
    try (OutputStream out = Files.newOutputStream(Path.of(arguments[1] + ".zip"));
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (String name : files(container)) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTime(0);
        zip.putNextEntry(entry);
        Files.copy(container.resolve(name), zip);
        zip.closeEntry();
      }
    }
    StringBuilder text = new StringBuilder();
    new IodConnector().dump(container, line -> text.append(line).append('\n'));
    Files.writeString(Path.of(arguments[1] + ".dump.txt"), text);
  }

  /** Writes the sample. The next opening of the container moves it from the log to files. */
  static void write(Path container) {
    try (H5File file = open(container, FileAccess.CREATE)) {
      SampleFile.write(file);
    }
    try (H5File file = open(container, FileAccess.WRITE)) {
      file.createGroup("/last");
    }
  }

  private static H5File open(Path container, FileAccess access) {
    return Connectors.open(
        new IodConnector(SampleFile.SETTINGS),
        container,
        access,
        Communicator.self(),
        FileOptions.standard());
  }

  /** Returns the files that make up the container, without logs of messages. */
  private static List<String> files(Path container) throws IOException {
    try (var files = Files.walk(container)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> container.relativize(file).toString())
          .filter(name -> !name.matches(".*/(LOG.*|LOCK|OPTIONS.*)|.*\\.lock"))
          .sorted()
          .toList();
    }
  }
}
