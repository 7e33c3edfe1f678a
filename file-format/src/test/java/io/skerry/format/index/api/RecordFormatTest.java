package io.skerry.format.index.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.format.block.Widths;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.Filtering;
import io.skerry.selection.Shape;
import org.junit.jupiter.api.Test;

class RecordFormatTest {
  @Test
  void sizes_of_filtered_chunks_have_the_size_of_lengths_in_layout_version_5() {
    ChunkedLayout layout = ChunkedLayout.newest(Shape.of(100), Shape.of(10), 4, Filtering.FILTERED);
    for (int offset : new int[] {4, 8}) {
      for (int length : new int[] {4, 8}) {
        Widths widths = new Widths(offset, length);
        assertEquals(
            offset + length + 4, RecordFormat.of(layout, Filtering.FILTERED, widths).size());
        assertEquals(offset, RecordFormat.of(layout, Filtering.UNFILTERED, widths).size());
      }
    }
  }
}
