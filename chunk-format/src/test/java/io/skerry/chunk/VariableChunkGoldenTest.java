package io.skerry.chunk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.chunk.format.VariableChunkFormat;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.selection.SelectionEncoding;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares string chunks with an image whose selection and checksums are from the library. */
class VariableChunkGoldenTest {
  private static final HexFormat HEX = HexFormat.of();

  private static final String SECTION_0 =
      "01000818000000010101000000000005000000000000000500000000000000"
          + "020000000100000000000000180000000100000002000000010000000100000003000000030000008d311343";
  private static final String SECTION_1 =
      "02000000000001000000000000000000" + "05000000000002000000000000000000" + "c1ec6705";
  private static final String SECTION_2 =
      "48474c5301000000010000001c000000000000004000000000000000"
          + "47434f4c010000004000000000000000"
          + "010001000000000002000000000000006869000000000000"
          + "020001000000000005000000000000006864663521000000"
          + "e97a352e";

  private static final VariableChunkFormat TEXTS =
      VariableChunkFormat.of(new long[] {5}, VariableLength.string(CharacterSet.ASCII), Long.BYTES)
          .withSelectionEncoding(SelectionEncoding.V1);

  private static final RunSet DEFINED = RunSet.ofIndices(1, 3);

  @Test
  void the_sections_of_two_texts_are_written_byte_for_byte() {
    MemorySegment packed = texts(TEXTS.datatype(), List.of("hi", "hdf5!"));
    MemoryChunk chunk = TEXTS.write(TEXTS.newChunk(), DEFINED, packed);
    ChunkImage image = TEXTS.encode(chunk).orElseThrow();
    SectionTable table = image.sections();
    byte[] bytes = image.bytes().toArray(ValueLayout.JAVA_BYTE);
    assertEquals(DEFINED, TEXTS.decodeDefined(image));
    // The vector has blocks in section 0; Skerry writes points, which are smaller.
    String hex = HEX.formatHex(bytes);
    assertEquals(SECTION_1 + SECTION_2, hex.substring((int) (2 * table.start(1))));
    assertEquals(2L * table.length(1), SECTION_1.length());
  }

  @Test
  void the_vector_is_read() {
    byte[] bytes = HEX.parseHex(SECTION_0 + SECTION_1 + SECTION_2);
    SectionTable table = new SectionTable(207, new long[] {75, 111}, new long[0], new int[0]);
    ChunkImage image = new ChunkImage(MemorySegment.ofArray(bytes), table);
    assertEquals(DEFINED, TEXTS.decodeDefined(image));
    MemoryChunk chunk = TEXTS.decode(image);
    MemorySegment packed =
        TEXTS.readPacked(
            chunk, RunSet.range(0, 5), (n, _) -> MemorySegment.ofArray(new byte[(int) n]));
    PackedContent values = PackedContent.split(packed, 5 * 16);
    String[] read = new String[5];
    for (int i = 0; i < 5; i++) {
      read[i] =
          PackedContent.isNull(values.elements(), 16L * i)
              ? "null"
              : new String(
                  values.content(values.elements(), 16L * i, 1).toArray(ValueLayout.JAVA_BYTE),
                  StandardCharsets.US_ASCII);
    }
    assertArrayEquals(new String[] {"null", "hi", "null", "hdf5!", "null"}, read);
  }

  static MemorySegment texts(Datatype type, List<String> values) {
    MemorySegment elements = MemorySegment.ofArray(new byte[values.size() * type.size()]);
    PackedContent.Builder content = new PackedContent.Builder();
    for (int i = 0; i < values.size(); i++) {
      byte[] text = values.get(i).getBytes(StandardCharsets.UTF_8);
      content.put(
          elements.asSlice((long) i * type.size(), type.size()),
          text.length,
          MemorySegment.ofArray(text));
    }
    return content.join(elements);
  }
}
