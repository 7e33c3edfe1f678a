package io.skerry.format.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoublingTableTest {
  @ParameterizedTest
  @CsvSource({"4, 512, 512", "8, 512, 512", "8, 512, 1024", "32768, 512, 4096"})
  void a_table_whose_indirect_blocks_would_have_no_row_is_refused(
      int width, long startSize, long maxDirect) {
    FormatException refused =
        assertThrows(
            FormatException.class, () -> new DoublingTable(width, startSize, maxDirect, 40));
    assertTrue(refused.getMessage().contains("half a row"), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"1, 512, 512, 2", "2, 512, 512, 1", "4, 512, 1024, 1", "4, 512, 65536, 7"})
  void the_first_indirect_block_within_another_has_at_least_one_row(
      int width, long startSize, long maxDirect, int rows) {
    DoublingTable table = new DoublingTable(width, startSize, maxDirect, 40);
    assertEquals(rows, table.rowsWithin(table.directRows()));
  }
}
