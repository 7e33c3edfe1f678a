package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests virtual datasets whose mappings are so many that several threads decode them. */
class DamagedMappingsTest {
  private static final int MAPPINGS = 20_000;

  @TempDir Path folder;

  private Path created(FormatBounds bounds) {
    Path path = folder.resolve("many.h5");
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (int i = 0; i < MAPPINGS; i++) {
      VirtualSource source = VirtualSource.of("a-file-of-rows.h5", "/entry/rows");
      layout.map(
          Selection.at(i, 0).extent(1, 16),
          source.select(Selection.at(MAPPINGS - 1 - i, 0).extent(1, 16)));
    }
    FileOptions options = FileOptions.standard().withBounds(bounds);
    try (H5File file = H5File.create(path, Communicator.self(), options)) {
      file.createDataset(
          "v", DatasetSpec.of(Datatype.I32, Shape.of(MAPPINGS, 16)).virtual(layout.build()));
    }
    return path;
  }

  private static String refusal(Path path) {
    try (H5File file = H5File.open(path)) {
      return String.valueOf(
          assertThrows(CollectiveException.class, () -> file.dataset("v")).getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"V110", "V200"})
  void a_wrong_checksum_is_reported_as_such_wherever_the_damage_is(FormatBounds bounds)
      throws IOException {
    Path path = created(bounds);
    byte[] sound = Files.readAllBytes(path);
    assertTrue(sound.length > 1 << 20);
    try (H5File file = H5File.open(path)) {
      assertEquals(MAPPINGS, file.dataset("v").shape().extent(0));
    }
    // Names, headers of selections and coordinates are damaged in turn.
    for (int at = sound.length / 2; at < sound.length / 2 + 120; at += 7) {
      byte[] damaged = sound.clone();
      damaged[at] ^= (byte) 0xff;
      Files.write(path, damaged);
      String message = refusal(path);
      assertTrue(message.contains("virtual mappings: checksum: expected="), () -> message);
    }
  }
}
