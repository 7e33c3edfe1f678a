package io.skerry.iod.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ObjectIdTest {
  @Test
  void the_bits_are_those_of_the_layout() {
    assertEquals(0x2000000000000000L, ObjectId.ROOT.bits());
    assertEquals(0x2000000000000400L, ObjectId.of(ObjectType.KV, 1024).bits());
    assertEquals(0x6000000000000001L, ObjectId.of(ObjectType.ARRAY, 1).bits());
    assertEquals(0xa7ffffffffffffffL, ObjectId.of(ObjectType.BLOB, (1L << 59) - 1).bits());
    assertEquals(0x2800000000000007L, ObjectId.ofPairs(KeyPlacement.SPREAD, 7).bits());
    assertEquals("KV 2000000000000000", ObjectId.ROOT.toString());
    assertEquals(KeyPlacement.SPREAD, new ObjectId(0x2800000000000007L).keyPlacement());
    assertEquals(7, new ObjectId(0x2800000000000007L).number());
    assertThrows(IllegalArgumentException.class, () -> ObjectId.of(ObjectType.KV, -1));
    assertThrows(IllegalArgumentException.class, () -> ObjectId.of(ObjectType.KV, 1L << 59));
  }

  @Test
  void other_bits_are_refused() {
    for (long bits :
        new long[] {
          ObjectId.INVALID,
          0,
          0x3000000000000000L,
          0x4000000000000000L,
          0x6800000000000000L,
          0xe000000000000000L
        }) {
      assertThrows(IllegalArgumentException.class, () -> new ObjectId(bits));
      var e = assertThrows(FormatException.class, () -> ObjectId.decode(bits, "field"));
      assertTrue(e.getMessage().contains(String.format("%016x", bits)), e.getMessage());
    }
    assertThrows(
        FormatException.class,
        () -> ObjectId.decode(ObjectId.ROOT.bits(), ObjectType.BLOB, "field"));
  }

  @Test
  void identifiers_are_ordered_as_unsigned_integers() {
    assertTrue(ObjectId.ROOT.compareTo(ObjectId.of(ObjectType.BLOB, 0)) < 0);
  }

  @Test
  void a_scratch_pad_is_four_identifiers() {
    var pad =
        ScratchPad.of(ObjectId.of(ObjectType.KV, 1), ObjectId.of(ObjectType.KV, 2))
            .withExtra(ObjectId.of(ObjectType.KV, 3));
    byte[] bytes = pad.encode().toArray(ValueLayout.JAVA_BYTE);
    assertEquals(
        "0100000000000020" + "0200000000000020" + "0300000000000020" + "ffffffffffffffff",
        HexFormat.of().formatHex(bytes));
    assertEquals(pad, ScratchPad.decode(MemorySegment.ofArray(bytes)));
    assertEquals(3, pad.ids().size());
    var attribute = ScratchPad.ofAttribute(ObjectId.of(ObjectType.KV, 9));
    assertEquals(Optional.empty(), attribute.attributes());
    assertThrows(FormatException.class, attribute::requireAttributes);
  }

  @Test
  void damaged_scratch_pads_are_refused_or_decoded() {
    var random = new Random(3);
    byte[] good =
        ScratchPad.of(ObjectId.of(ObjectType.KV, 1), ObjectId.of(ObjectType.KV, 2))
            .encode()
            .toArray(ValueLayout.JAVA_BYTE);
    for (int n = 0; n < 2000; n++) {
      byte[] bytes = Arrays.copyOf(good, random.nextInt(40));
      if (bytes.length > 0) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        var pad = ScratchPad.decode(MemorySegment.ofArray(bytes));
        assertEquals(-1, pad.encode().mismatch(MemorySegment.ofArray(bytes)));
      } catch (FormatException e) {
        assertTrue(e.getMessage().contains("scratch pad"), e.getMessage());
      }
    }
  }
}
