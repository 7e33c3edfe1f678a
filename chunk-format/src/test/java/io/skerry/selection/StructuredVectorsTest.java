package io.skerry.selection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.chunk.SharedData;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Decodes section 0 of manually assembled sparse files and encodes it again. */
class StructuredVectorsTest {
  private static final long[] CHUNK = {5};

  /** Decodes a section and checks that encoding version 1 gives the same bytes and checksum. */
  private static void assertSection(byte[] section, long... elements) {
    RunSet read = assertRead(section, elements);
    ByteWriter out = ByteWriter.create();
    SelectionCodec.encodeSet(
        read, CHUNK, SelectionEncoding.V1, SelectionCodec.SectionStorage.RAW, out);
    out.checksumFrom(0);
    assertArrayEquals(section, out.toArray());
  }

  private static RunSet assertRead(byte[] section, long... elements) {
    ByteReader in = ByteReader.of(MemorySegment.ofArray(section), "section 0");
    RunSet read = SelectionCodec.decodeSet(in, CHUNK);
    assertEquals(RunSet.ofIndices(elements), read);
    assertEquals(4, in.remaining());
    return read;
  }

  @Test
  void the_sections_of_the_vectors_round_trip() throws IOException {
    List<String> lines =
        Files.readAllLines(SharedData.require("data/structured-chunk/vectors.txt"));
    int found = 0;
    for (String line : lines) {
      String text = line.strip();
      if (text.startsWith("section0 raw ")) {
        assertSection(HexFormat.of().parseHex(text.substring(13)), 1, 2, 3);
        found++;
      } else if (text.startsWith("VL: sect0 ")) {
        assertSection(HexFormat.of().parseHex(text.substring(10)), 1, 3);
        found++;
      }
    }
    assertEquals(3, found);
  }

  @Test
  void the_sections_of_the_unfiltered_files_round_trip() throws IOException {
    byte[] single =
        Files.readAllBytes(SharedData.require("data/structured-chunk/sparse_single.h5"));
    assertSection(Arrays.copyOfRange(single, 0xc8, 0xc8 + 0x43), 1, 2, 3);
    byte[] several = Files.readAllBytes(SharedData.require("data/structured-chunk/sparse_fa.h5"));
    assertSection(Arrays.copyOfRange(several, 0x128, 0x128 + 0x43), 1, 2, 3);
    byte[] points = Arrays.copyOfRange(several, 0x177, 0x177 + 0x43);
    assertRead(points, 0, 1);
    ByteWriter out = ByteWriter.create();
    Selection selection = Selection.points(1, new long[] {0, 1});
    SelectionCodec.encode(selection, Shape.of(CHUNK), SelectionEncoding.V1, out);
    assertArrayEquals(points, out.checksumFrom(0).toArray());
  }
}
