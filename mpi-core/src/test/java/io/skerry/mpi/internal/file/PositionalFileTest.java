package io.skerry.mpi.internal.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PositionalFileTest {
  @TempDir Path folder;

  @Test
  void a_path_of_another_file_system_does_not_lead_to_a_file_of_the_default_one() throws Exception {
    Path onDisk = Files.write(folder.resolve("data"), new byte[] {1, 1, 1});
    try (FileSystem zip =
        FileSystems.newFileSystem(folder.resolve("archive.zip"), Map.of("create", "true"))) {
      Path inZip = zip.getPath(onDisk.toString());
      Files.createDirectories(inZip.getParent());
      Files.write(inZip, new byte[] {2, 2, 2});
      byte[] read = new byte[3];
      try (MpiFile file = Communicator.self().openFile(inZip, OpenMode.READ, Map.of())) {
        file.readAt(0, MemorySegment.ofArray(read));
      }
      assertArrayEquals(new byte[] {2, 2, 2}, read);
    }
  }
}
