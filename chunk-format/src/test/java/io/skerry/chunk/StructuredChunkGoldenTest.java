package io.skerry.chunk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filter;
import io.skerry.filter.Filters;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.filter.pipeline.SectionPipelines;
import io.skerry.selection.SelectionEncoding;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Compares chunk images with images whose selections and checksums are from the HDF5 library. The
 * compressed sections were stored even if they were larger than the data, so the pipelines use
 * {@link Filter.Growth#STORED}.
 */
class StructuredChunkGoldenTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final SparseChunkFormat PLAIN =
      SparseChunkFormat.of(new long[] {5}, Datatype.I32)
          .withSelectionEncoding(SelectionEncoding.V1);
  private static final SparseChunkFormat DEFLATED =
      PLAIN.withPipelines(
          SectionPipelines.all(
              FilterPipeline.of(Filters.deflate(6)).withGrowth(Filter.Growth.STORED)));

  private static final String SECTION_0 =
      "01000818000000010101000000000005000000000000000500000000000000"
          + "02000000010000000000000010000000010000000100000001000000030000009bf20893";
  private static final String IMAGE = SECTION_0 + "0b0000001600000021000000";
  private static final String DEFLATED_IMAGE =
      "789c6364e090606060606464640001560606149a092407650b40d930cc0cc4b33f714c060013340270"
          + "789ce36660601003624520060001c40043";

  private static final RunSet FIRST = RunSet.range(1, 4);
  private static final int[] FIRST_VALUES = {11, 22, 33};
  private static final RunSet EDGE = RunSet.range(0, 2);
  private static final int[] EDGE_VALUES = {44, 55};

  @Test
  void the_plain_image_is_written_and_read_byte_for_byte() {
    SectionTable table = new SectionTable(79, new long[] {67}, new long[0], new int[0]);
    check(PLAIN, HEX.parseHex(IMAGE), table, FIRST, FIRST_VALUES);
  }

  @Test
  void the_example_of_the_format_page_is_the_plain_image() throws IOException {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("docs/format.md"))) {
      folder = folder.getParent();
    }
    String page = Files.readString(folder.resolve("docs/format.md"));
    List<String> lines =
        page.substring(page.indexOf("## Example"))
            .lines()
            .filter(line -> line.startsWith("    "))
            .map(line -> line.replace(" ", ""))
            .toList();
    assertEquals(IMAGE, String.join("", lines.subList(0, 4)));
    // The last line is the record: the chunk size in two bytes, and the offset of section 1.
    assertEquals(List.of("4f004300000000000000"), lines.subList(4, lines.size()));
  }

  @Test
  void the_deflated_image_is_written_and_read_byte_for_byte() {
    SectionTable table = new SectionTable(58, new long[] {41}, new long[] {67, 12}, new int[2]);
    check(DEFLATED, HEX.parseHex(DEFLATED_IMAGE), table, FIRST, FIRST_VALUES);
  }

  @Test
  void the_chunks_in_the_four_sample_files_are_written_and_read_byte_for_byte() throws Exception {
    long[] none = {};
    int[] unmasked = {};
    SectionTable plain = new SectionTable(0x4f, new long[] {0x43}, none, unmasked);
    SectionTable plainEdge = new SectionTable(0x4b, new long[] {0x43}, none, unmasked);
    SectionTable packed =
        new SectionTable(0x3a, new long[] {0x29}, new long[] {0x43, 12}, new int[2]);
    SectionTable packedEdge =
        new SectionTable(0x35, new long[] {0x27}, new long[] {0x43, 8}, new int[2]);
    check(PLAIN, chunk("sparse_single.h5", 0xc8, plain), plain, FIRST, FIRST_VALUES);
    check(PLAIN, chunk("sparse_fa.h5", 0x128, plain), plain, FIRST, FIRST_VALUES);
    check(PLAIN, chunk("sparse_fa.h5", 0x177, plainEdge), plainEdge, EDGE, EDGE_VALUES);
    check(DEFLATED, chunk("sparse_single_deflate.h5", 0x108, packed), packed, FIRST, FIRST_VALUES);
    check(DEFLATED, chunk("sparse_fa_deflate.h5", 0x190, packed), packed, FIRST, FIRST_VALUES);
    check(
        DEFLATED, chunk("sparse_fa_deflate.h5", 0x1ca, packedEdge), packedEdge, EDGE, EDGE_VALUES);
    System.out.println("6 chunks of 4 sample files: images and records equal byte for byte");
  }

  private static byte[] chunk(String file, int address, SectionTable table) throws IOException {
    byte[] all = Files.readAllBytes(SharedData.require("data/structured-chunk").resolve(file));
    return Arrays.copyOfRange(all, address, address + (int) table.size());
  }

  private static void check(
      SparseChunkFormat format, byte[] stored, SectionTable table, RunSet defined, int[] values) {
    ChunkImage image = new ChunkImage(MemorySegment.ofArray(stored), table);
    assertEquals(defined, format.decodeDefined(image));
    MemoryChunk chunk = format.decode(image);
    int[] read = new int[values.length];
    format.read(chunk, defined, MemorySegment.ofArray(read));
    assertArrayEquals(values, read);

    MemoryChunk made = format.write(format.newChunk(), defined, MemorySegment.ofArray(values));
    ChunkImage written = format.encode(made).orElseThrow();
    assertEquals(table, written.sections());
    assertEquals(
        HEX.formatHex(stored), HEX.formatHex(written.bytes().toArray(ValueLayout.JAVA_BYTE)));
  }
}
