package io.skerry.selection;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.encoding.SelectionCodec;
import java.util.Random;
import java.util.function.Function;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** Limits the encoded size of a set of defined elements after shuffle and deflate. */
class LocationSizeTest {
  private static final long[] FRAME = {1, 1024, 1024};

  private static double bytesPerElement(Function<Random, Selection> kind) {
    Random random = new Random(31);
    long elements = 0;
    long bytes = 0;
    for (int frame = 0; frame < 40; frame++) {
      RunSet set = SelectionSets.runs(kind.apply(random), FRAME);
      ByteWriter out = ByteWriter.create();
      SelectionCodec.encodeSet(
          set, FRAME, SelectionEncoding.SMALLEST, SelectionCodec.SectionStorage.COMPRESSED, out);
      int record = SelectionCodec.blockRecordBytes(FRAME, SelectionEncoding.SMALLEST);
      bytes += deflated(shuffled(out.u32(random.nextInt()).toArray(), record));
      elements += set.count();
    }
    return (double) bytes / elements;
  }

  private static byte[] shuffled(byte[] bytes, int size) {
    byte[] out = bytes.clone();
    int n = bytes.length / size;
    for (int i = 0; i < n * size; i++) {
      out[i % size * n + i / size] = bytes[i];
    }
    return out;
  }

  private static int deflated(byte[] bytes) {
    try (Deflater deflater = new Deflater(6)) {
      deflater.setInput(bytes);
      deflater.finish();
      return deflater.deflate(new byte[bytes.length + 100]);
    }
  }

  private static void assertAtMost(String what, double limit, Function<Random, Selection> kind) {
    double bytes = bytesPerElement(kind);
    System.out.printf("locations of %s: %.3f bytes per element%n", what, bytes);
    assertTrue(bytes <= limit, what + ": bytes=" + bytes + " limit=" + limit);
  }

  @Test
  void spots_that_are_rows_take_at_most_two_thirds_of_a_byte() {
    assertAtMost("rows of 8", 0.68, random -> DetectorSpots.rows(random, 75));
  }

  @Test
  void round_spots_take_at_most_1_6_bytes() {
    assertAtMost("round spots of 5 to 10", 1.6, random -> DetectorSpots.round(random, 75));
  }

  @Test
  void single_pixels_take_at_most_2_7_bytes() {
    assertAtMost("single pixels", 2.7, random -> DetectorSpots.singles(random, 1049));
  }
}
