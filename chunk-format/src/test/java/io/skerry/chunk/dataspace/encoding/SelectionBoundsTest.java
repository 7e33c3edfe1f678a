package io.skerry.chunk.dataspace.encoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.AllSelection;
import io.skerry.selection.Box;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.NoneSelection;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionEncoding;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SelectionBoundsTest {
  private static List<Selection> samples(Random random) {
    List<Selection> samples = new ArrayList<>();
    samples.add(Selection.all());
    samples.add(Selection.none());
    for (int i = 0; i < 200; i++) {
      long[] start = {random.nextInt(40), random.nextInt(30_000), random.nextLong(2_000_000_000L)};
      long[] block = {1 + random.nextInt(3), 1 + random.nextInt(9), 1 + random.nextInt(99)};
      long[] stride = {3 + random.nextInt(4), 9 + random.nextInt(50), 99 + random.nextInt(7)};
      long[] count = {1 + random.nextInt(4), 1 + random.nextInt(5), 1 + random.nextInt(6)};
      samples.add(Selection.box(start, block));
      samples.add(Selection.at(start).stride(stride).count(count).block(block));
      samples.add(
          Selection.blocks(
              List.of(
                  new Box(start, new long[] {start[0] + 1, start[1] + 2, start[2] + 3}),
                  new Box(block, new long[] {block[0] + 2, block[1] + 1, block[2] + 1}))));
      samples.add(Selection.points(new long[][] {start, block, start}));
      count[i % 3] = Shape.UNLIMITED;
      samples.add(Selection.at(start).stride(stride).count(count).block(block));
    }
    return samples;
  }

  private static byte[] encoded(Selection selection, SelectionEncoding encoding) {
    ByteWriter out = ByteWriter.create();
    SelectionCodec.encodeSelection(selection, encoding, out);
    return out.toArray();
  }

  /** Reads an encoding inside a longer segment; returns the kind, rank and box as text. */
  private static String scanned(byte[] bytes) {
    byte[] longer = new byte[bytes.length + 70];
    System.arraycopy(bytes, 0, longer, 7, bytes.length);
    SelectionBounds bounds = new SelectionBounds(MemorySegment.ofArray(longer), "selections");
    assertEquals(7 + bytes.length, bounds.read(7));
    return text(bounds);
  }

  private static String text(SelectionBounds bounds) {
    StringBuilder text = new StringBuilder(bounds.kind() + " " + bounds.rank());
    if (bounds.kind() == SelectionBounds.Kind.BOUNDED) {
      for (int d = 0; d < bounds.rank(); d++) {
        text.append(" ").append(bounds.start(d)).append(":").append(bounds.end(d));
      }
    }
    return text.toString();
  }

  private static String decoded(byte[] bytes) {
    Selection selection =
        SelectionCodec.decodeSelection(ByteReader.of(MemorySegment.ofArray(bytes), "selection"));
    Optional<Box> box =
        selection instanceof Hyperslab slab && slab.isUnlimited()
            ? Optional.empty()
            : SelectionSets.bounds(selection);
    StringBuilder text = new StringBuilder();
    box.ifPresent(b -> {
      for (int d = 0; d < b.rank(); d++) {
        text.append(" ").append(b.start(d)).append(":").append(b.end(d));
      }
    });
    return text.toString();
  }

  @Test
  void the_box_of_every_form_is_that_of_the_decoded_selection() {
    int compared = 0;
    for (Selection selection : samples(new Random(4))) {
      for (SelectionEncoding encoding : SelectionEncoding.values()) {
        byte[] bytes;
        try {
          bytes = encoded(selection, encoding);
        } catch (UnsupportedFeatureException e) {
          continue;
        }
        String expected =
            switch (selection) {
              case AllSelection _ -> "ALL 0";
              case NoneSelection _ -> "EMPTY 0";
              case Hyperslab slab when slab.isUnlimited() -> "UNLIMITED 3";
              default -> "BOUNDED 3" + decoded(bytes);
            };
        assertEquals(expected, scanned(bytes), selection + " " + encoding);
        compared++;
      }
    }
    assertTrue(compared > 2000, "compared " + compared);
  }

  @Test
  void a_cursor_over_many_selections_reads_each_as_a_new_cursor_does() {
    Random random = new Random(6);
    List<Selection> samples = samples(random);
    for (SelectionEncoding encoding : SelectionEncoding.values()) {
      ByteWriter all = ByteWriter.create();
      List<byte[]> encodings = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        Selection selection = samples.get(random.nextInt(samples.size()));
        try {
          byte[] bytes = encoded(selection, encoding);
          // Most headers are equal to the preceding one, and some differ from it in one byte.
          int damaged = random.nextInt(4 * bytes.length);
          byte[] changed = bytes.clone();
          if (damaged < Math.min(24, bytes.length)) {
            changed[damaged] ^= (byte) (1 << random.nextInt(3));
          }
          for (byte[] next : List.of(bytes, changed, bytes)) {
            encodings.add(next);
            all.bytes(next);
          }
        } catch (UnsupportedFeatureException _) {
          // Not every encoding can express every selection.
        }
      }
      SelectionBounds many = new SelectionBounds(all.written(), "selections");
      long at = 0;
      for (byte[] bytes : encodings) {
        SelectionBounds one = new SelectionBounds(all.written(), "selections");
        Optional<Long> end = end(one, at);
        assertEquals(end, end(many, at));
        end.ifPresent(_ -> assertEquals(text(one), text(many)));
        at += bytes.length;
      }
    }
  }

  /** Reads the selection at an offset; returns the offset of its end, or empty if it is damaged. */
  private static Optional<Long> end(SelectionBounds bounds, long at) {
    try {
      return Optional.of(bounds.read(at));
    } catch (FormatException e) {
      return Optional.empty();
    }
  }

  @Test
  void damaged_selections_fail_as_in_the_decoder_and_never_beyond_the_bytes() {
    Random random = new Random(5);
    List<Selection> samples = samples(random);
    int failures = 0;
    for (int i = 0; i < 20_000; i++) {
      Selection selection = samples.get(random.nextInt(samples.size()));
      byte[] bytes = encoded(selection, SelectionEncoding.SMALLEST);
      for (int k = 0; k < 1 + random.nextInt(3); k++) {
        bytes[random.nextInt(bytes.length)] = (byte) (random.nextBoolean() ? -1 : random.nextInt());
      }
      byte[] part = Arrays.copyOf(bytes, bytes.length - random.nextInt(2));
      Optional<String> expected;
      try {
        expected = Optional.of(decoded(part));
      } catch (FormatException e) {
        expected = Optional.empty();
      }
      SelectionBounds bounds = new SelectionBounds(MemorySegment.ofArray(part), "selections");
      if (expected.isPresent()) {
        bounds.read(0);
        String box = bounds.kind() == SelectionBounds.Kind.BOUNDED ? text(bounds) : "";
        assertEquals(expected.get(), box.replaceFirst("BOUNDED \\d+", ""));
      } else {
        failures++;
        assertThrows(FormatException.class, () -> bounds.read(0));
      }
    }
    assertTrue(failures > 1000, "failures " + failures);
  }
}
