package io.skerry.iod.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that damage of large values in the files of the engine is found at each level. */
class StoreViewTest {
  private static final int SIZE = 10_000;
  private static final Place TILE = new Place.Tile(ObjectId.of(ObjectType.ARRAY, 7).bits(), 0);

  @TempDir Path folder;

  private EngineLocation location() {
    return new EngineLocation("iod", folder.resolve("c").toString());
  }

  private static byte[] value() {
    byte[] value = new byte[SIZE];
    Arrays.fill(value, (byte) 17);
    return value;
  }

  private void write(ChecksumLevel level) {
    Engines.of(location()).create(location(), 1);
    try (Container container = open(Opening.writing())) {
      long mark = container.recover();
      try (StoreChanges changes = ObjectStore.of(container, level).change(mark + 1)) {
        changes.put(TILE, MemorySegment.ofArray(value()));
        changes.prepare(Durability.SYNCED);
      }
      container.advance(mark, mark + 1);
    }
    // An opening for writing moves the changes of the log to the files of values.
    open(Opening.writing()).close();
  }

  private Container open(Opening opening) {
    return Engines.of(location()).open(location(), opening);
  }

  /** Changes a byte of the value in the file that holds it. */
  private void damage() throws IOException {
    List<Path> blobs;
    try (var files = Files.walk(folder)) {
      blobs = files.filter(file -> file.toString().endsWith(".blob")).toList();
    }
    assertEquals(1, blobs.size());
    byte[] bytes = Files.readAllBytes(blobs.getFirst());
    int middle = bytes.length / 2;
    assertEquals(17, bytes[middle]);
    bytes[middle] ^= 1;
    Files.write(blobs.getFirst(), bytes);
  }

  /** Returns whether reading the value fails. */
  private boolean isFound(ChecksumLevel level) {
    try (Container container = open(Opening.reading());
        Arena arena = Arena.ofConfined()) {
      Values values = ObjectStore.of(container, level).at(1);
      MemorySegment read = values.getLater(TILE, arena).get().orElseThrow();
      assertEquals(-1, read.mismatch(MemorySegment.ofArray(value())));
      return false;
    } catch (FormatException | EngineException e) {
      assertTrue(e.getMessage().contains(folder.resolve("c").toString()), e.getMessage());
      return true;
    }
  }

  @ParameterizedTest
  @CsvSource({"OFF, OFF", "OFF, STORE", "STORE, OFF", "STORE, STORE", "ALL, ALL"})
  void a_changed_bit_is_found_by_the_engine_or_by_the_checksum(
      ChecksumLevel written, ChecksumLevel read) throws IOException {
    write(written);
    assertFalse(isFound(read));
    damage();
    assertTrue(isFound(read));
  }

  @Test
  void a_value_with_a_checksum_is_not_checked_by_the_engine_as_well() throws IOException {
    write(ChecksumLevel.STORE);
    damage();
    try (Container container = open(Opening.reading());
        Arena arena = Arena.ofConfined()) {
      Values values = ObjectStore.of(container, ChecksumLevel.STORE).at(1);
      // The engine would report the damage first, as an EngineException.
      var e = assertThrows(FormatException.class, () -> values.getLater(TILE, arena).get());
      assertTrue(e.getMessage().contains("checksum of a value"), e.getMessage());
    }
  }
}
