package io.skerry.iod.connector.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.SectionTable;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.iod.object.model.DatasetMetadata;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TileImagesTest {
  private static byte[] stored(TileImages images, ChunkImage image, TileImages.Filtering how) {
    byte[] header = images.header(image.sections(), how).toArray(ValueLayout.JAVA_BYTE);
    byte[] all = Arrays.copyOf(header, header.length + (int) image.bytes().byteSize());
    MemorySegment.copy(
        image.bytes(), 0, MemorySegment.ofArray(all), header.length, image.bytes().byteSize());
    return all;
  }

  @Test
  void the_table_of_sections_precedes_the_image() {
    SectionTable table = new SectionTable(5, new long[] {2}, new long[] {9, 3}, new int[] {0, 1});
    ChunkImage image = new ChunkImage(MemorySegment.ofArray(new byte[] {1, 2, 3, 4, 5}), table);
    TileImages images = new TileImages(TileImages.Form.SECTIONED);
    byte[] stored = stored(images, image, TileImages.Filtering.SKIPPED);
    assertEquals(
        "0207"
            + "0200000000000000"
            + "0900000000000000"
            + "00000000"
            + "0300000000000000"
            + "0300000000000000"
            + "01000000"
            + "0102030405",
        HexFormat.of().formatHex(stored));
    TileImages.Decoded decoded = images.decode(MemorySegment.ofArray(stored));
    assertEquals(table, decoded.image().sections());
    assertEquals(TileImages.Filtering.SKIPPED, decoded.filtering());
  }

  @Test
  void a_plain_tile_is_its_cells() {
    byte[] cells = {1, 2, 3};
    TileImages images = new TileImages(TileImages.Form.PLAIN);
    ChunkImage image = new ChunkImage(MemorySegment.ofArray(cells), SectionTable.plain(3));
    assertEquals(3, stored(images, image, TileImages.Filtering.APPLIED).length);
    assertEquals(
        SectionTable.plain(3), images.decode(MemorySegment.ofArray(cells)).image().sections());
  }

  private static DatasetMetadata metadata(DatasetSpec spec) {
    List<Long> tile = Arrays.stream(spec.resolvedChunk()).boxed().toList();
    return new DatasetMetadata(spec, tile);
  }

  @Test
  void damaged_tiles_are_refused_or_read() {
    DatasetSpec plain = DatasetSpec.of(Datatype.I32, Shape.of(64));
    SplittableRandom random = new SplittableRandom(11);
    int refused = 0;
    for (DatasetSpec spec :
        List.of(plain.sparse(16), plain.chunked(16).filters(Filters.fletcher32()))) {
      TileLayout layout = TileLayout.of(metadata(spec));
      ChunkImage image =
          layout
              .format()
              .encodeWritten(RunSet.range(2, 9), MemorySegment.ofArray(new byte[7 * Integer.BYTES]))
              .orElseThrow();
      byte[] whole = stored(layout.images(), image, TileImages.Filtering.APPLIED);
      for (int i = 0; i < 2000; i++) {
        byte[] damaged = Arrays.copyOf(whole, random.nextInt(whole.length + 4));
        if (damaged.length > 0) {
          damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
        }
        refused += isRefused(layout, damaged) ? 1 : 0;
      }
    }
    assertTrue(refused > 3500, "damage that was noticed: " + refused);
  }

  private static boolean isRefused(TileLayout layout, byte[] damaged) {
    try {
      TileImages.Decoded tile = layout.images().decode(MemorySegment.ofArray(damaged));
      var unused = layout.format(tile.filtering()).decode(tile.image());
      return false;
    } catch (FormatException | UnsupportedFeatureException e) {
      return true;
    }
  }

  @Test
  void tiles_above_the_size_of_a_value_are_refused() {
    DatasetSpec spec = DatasetSpec.of(Datatype.F64, Shape.of(1L << 40)).chunked(1 << 27);
    assertThrows(UnsupportedFeatureException.class, () -> TileLayout.of(metadata(spec)));
  }
}
