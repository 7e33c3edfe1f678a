package io.skerry.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests locations in a module without connectors of other stores. */
class LocationTest {
  @Test
  void a_scheme_has_two_characters_or_more_before_the_first_colon() {
    for (String text :
        new String[] {"run.h5", "./ab:run.h5", "c:run.h5", "Ab:run.h5", "ab:", ":x"}) {
      Connectors.Location location = Connectors.Location.parse(text);
      assertEquals(new Connectors.Location(Optional.empty(), Path.of(text)), location);
      assertEquals(text, location.toString());
    }
    Connectors.Location location = Connectors.Location.parse("iod:/data/run:1");
    assertEquals(new Connectors.Location(Optional.of("iod"), Path.of("/data/run:1")), location);
    assertEquals("iod:/data/run:1", location.toString());
    assertEquals("iod:other", location.at(Path.of("other")).toString());
  }

  @Test
  void a_missing_connector_is_named_with_its_module() {
    Exception failure =
        assertThrows(
            IllegalArgumentException.class, () -> H5File.open("iod:run", Communicator.self()));
    assertEquals(
        "no connector has the scheme: scheme=iod installed=[] missing module=io.skerry.iod",
        failure.getMessage());
    assertTrue(Connectors.isScheme("iod"));
  }

  @Test
  void a_file_name_that_looks_like_a_location_is_explained() {
    Exception failure =
        assertThrows(
            IllegalArgumentException.class, () -> H5File.open("run:1.h5", Communicator.self()));
    assertEquals(
        "no connector has the scheme: scheme=run installed=[]; a file of this name needs a folder"
            + " before it, as in ./run:name",
        failure.getMessage());
    assertFalse(Connectors.isScheme("run"));
  }
}
