package io.skerry.parallel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the default locking of a process by property and environment variable. */
class LockingTest {
  private static Locking byVariable(String value) {
    return Locking.of(Optional.empty(), Map.of("HDF5_USE_FILE_LOCKING", value));
  }

  @Test
  void the_variable_of_the_hdf5_library_sets_the_default() {
    assertEquals(Locking.REQUIRED, Locking.of(Optional.empty(), Map.of()));
    assertEquals(Locking.REQUIRED, byVariable("TRUE"));
    assertEquals(Locking.REQUIRED, byVariable("1"));
    assertEquals(Locking.BEST_EFFORT, byVariable("BEST_EFFORT"));
    assertEquals(Locking.NONE, byVariable("FALSE"));
    assertEquals(Locking.NONE, byVariable("0"));
    // The HDF5 library ignores unknown values.
    assertEquals(Locking.REQUIRED, byVariable("false"));
  }

  @Test
  void the_property_takes_precedence_over_the_variable() {
    Map<String, String> off = Map.of("HDF5_USE_FILE_LOCKING", "FALSE");
    assertEquals(Locking.REQUIRED, Locking.of(Optional.of("required"), off));
    assertEquals(Locking.BEST_EFFORT, Locking.of(Optional.of("best_effort"), off));
    assertEquals(Locking.NONE, Locking.of(Optional.of("none"), Map.of()));
    assertThrows(IllegalArgumentException.class, () -> Locking.of(Optional.of("off"), Map.of()));
  }

  @Test
  void options_keep_the_chosen_locking() {
    FileOptions options = FileOptions.standard().withLocking(Locking.NONE).withWorkers(2);
    assertEquals(Locking.NONE, options.locking());
    assertEquals(Locking.ofProcess(), FileOptions.standard().locking());
  }
}
