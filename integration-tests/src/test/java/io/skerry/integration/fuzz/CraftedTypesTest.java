package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.NamedDatatype;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an object of another kind is refused as the committed datatype of a dataset. */
class CraftedTypesTest {
  @TempDir Path folder;

  @Test
  void a_dataset_or_group_as_committed_datatype_is_refused() {
    for (String other : List.of("/other", "/group")) {
      Path path = folder.resolve("crafted.h5");
      try (H5File file = H5File.create(path)) {
        NamedDatatype named = file.createDatatype("/type", Datatype.I64);
        file.createDataset("/typed", DatasetSpec.of(named, Shape.of(3)));
        file.createDataset("/other", DatasetSpec.of(Datatype.I64, Shape.of(3)));
        file.createGroup("/group");
      }
      try (H5File file = H5File.open(path)) {
        assertEquals(Datatype.I64, file.dataset("/typed").datatype());
      }
      CraftedFile file = CraftedFile.of(path);
      // Links of a group are stored as a flag, a length, a name and an address.
      long type = file.u64(file.only("\4type") + 5);
      long wrong = file.u64(file.only(other.substring(1)) + other.length() - 1);
      file.u64(file.only(reference(type)) + 2, wrong).store();
      try (H5File read = H5File.open(path)) {
        CraftedFile.refused(
            () -> read.dataset("/typed"),
            "committed datatype: expected=a datatype actual=an object of another kind");
      }
    }
  }

  /** Returns the bytes of a version 2 reference to a committed datatype. */
  private static byte[] reference(long address) {
    byte[] bytes = new byte[10];
    bytes[0] = 2;
    bytes[1] = 2;
    for (int i = 0; i < 8; i++) {
      bytes[2 + i] = (byte) (address >> 8 * i);
    }
    return bytes;
  }
}
