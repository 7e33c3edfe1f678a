package io.skerry.collective.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.SampleDatasets;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WritePlanTest {
  private final ChunkedDataset sparse = SampleDatasets.sparse(48);
  private final ChunkedDataset dense = SampleDatasets.dense(96);

  private static MemorySegment values(int bytes) {
    byte[] values = new byte[bytes];
    new Random(bytes).nextBytes(values);
    return MemorySegment.ofArray(values);
  }

  @Test
  void pieces_of_several_requests_are_ordered_by_dataset_chunk_and_request() {
    WritePlan plan =
        WritePlan.of(
            List.of(
                WriteRequest.values(dense, Selection.at(0, 0).extent(8, 8), values(128)),
                WriteRequest.values(sparse, Selection.at(3, 7).extent(2, 2), values(16)),
                WriteRequest.erasure(sparse, Selection.at(0, 0).extent(4, 8))));
    List<Long> datasets = plan.chunks().keySet().stream().map(k -> k.dataset()).toList();
    assertEquals(List.of(48L, 48L, 48L, 48L, 96L, 96L), datasets);
    List<Piece> first = plan.chunks().firstEntry().getValue();
    assertTrue(first.get(0).change() instanceof WriteRequest.Values);
    assertTrue(first.get(1).change() instanceof WriteRequest.Erasure);
  }

  @Test
  void values_that_do_not_fit_the_selection_are_refused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                WritePlan.of(List.of(WriteRequest.values(sparse, Selection.at(0, 0), values(5)))));
    assertTrue(e.getMessage().contains("expectedBytes=4 actualBytes=5 dataset=/sparse"));
  }

  @Test
  void a_selection_outside_the_extent_is_refused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> WritePlan.of(List.of(WriteRequest.erasure(sparse, Selection.at(20, 0)))));
  }

  @Test
  void a_piece_of_a_partial_chunk_counts_the_elements_inside_the_extent() {
    WritePlan plan =
        WritePlan.of(List.of(WriteRequest.erasure(sparse, Selection.at(0, 24).extent(4, 6))));
    assertEquals(24, plan.chunks().firstEntry().getValue().getFirst().validElements());
  }

  @Test
  void a_decoded_piece_equals_the_encoded_one() {
    MemorySegment values = values(4 * 3 * 5);
    WritePlan plan =
        WritePlan.of(
            List.of(
                WriteRequest.values(sparse, Selection.at(1, 6).extent(3, 5), values),
                WriteRequest.erasure(sparse, Selection.at(0, 0).extent(2, 3))));
    for (List<Piece> pieces : plan.chunks().values()) {
      for (Piece piece : pieces) {
        MemorySegment wire =
            MemorySegment.ofArray(new byte[Math.toIntExact(PieceCodec.bytes(piece))]);
        PieceCodec.encode(piece, wire);
        ByteReader in = ByteReader.of(wire, "test");
        PieceCodec.Incoming back = PieceCodec.decode(in);
        assertEquals(0, in.remaining());
        assertEquals(piece.key(), back.key());
        assertEquals(piece.slice().elements(), back.elements());
        assertEquals(piece.validElements(), back.validElements());
        MemorySegment expected =
            MemorySegment.ofArray(new byte[Math.toIntExact(piece.valueBytes())]);
        piece.pack(expected);
        assertEquals(bytes(expected), bytes(back.values()));
      }
    }
  }

  private static String bytes(MemorySegment segment) {
    return HexFormat.of().formatHex(segment.toArray(ValueLayout.JAVA_BYTE));
  }
}
