package io.skerry.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.exception.MemoryLimitException;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class ArrayTargetTest {
  private static StoredDataset.ArrayTarget<byte[]> target() {
    return StoredDataset.ArrayTarget.ofBytes(() -> "/d", 2, 2);
  }

  @Test
  void a_target_returns_the_array_that_it_has_made() {
    StoredDataset.ArrayTarget<byte[]> target = target();
    assertEquals(6, target.make(3).byteSize());
    assertEquals(6, target.made().length);
  }

  @Test
  void an_array_without_elements_is_an_array() {
    StoredDataset.ArrayTarget<byte[]> target = target();
    assertEquals(0, target.make(0).byteSize());
    assertEquals(0, target.made().length);
  }

  @Test
  void a_target_without_an_array_is_reported_with_its_dataset() {
    StoredDataset.ArrayTarget<byte[]> target = target();
    var before = assertThrows(NoSuchElementException.class, target::made);
    assertEquals("no array was made: dataset=/d", before.getMessage());
    assertThrows(MemoryLimitException.class, () -> target.make(Long.MAX_VALUE));
    assertThrows(NoSuchElementException.class, target::made);
  }
}
