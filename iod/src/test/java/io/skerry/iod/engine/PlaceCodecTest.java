package io.skerry.iod.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the bytes and the order of encoded places. */
class PlaceCodecTest {
  private static Place pair(long object, int... key) {
    var bytes = new byte[key.length];
    for (int i = 0; i < key.length; i++) {
      bytes[i] = (byte) key[i];
    }
    return new Place.Pair(object, Bytes.of(MemorySegment.ofArray(bytes)));
  }

  private static void golden(String hex, Place place) {
    assertEquals(hex, HexFormat.of().formatHex(PlaceCodec.encode(place)));
    assertEquals(hex.length() / 2, PlaceCodec.size(place));
    assertEquals(place, PlaceCodec.decode(ByteBuffer.wrap(HexFormat.of().parseHex(hex))));
  }

  @Test
  void places_have_golden_bytes() {
    golden("000000000000000000", new Place.ScratchPad(0));
    golden("c00000000000000500", new Place.ScratchPad(0xc000000000000005L));
    golden("0000000000000001" + "01" + "0000", pair(1));
    golden("0000000000000001" + "01" + "00ff" + "0000", pair(1, 0));
    golden("0000000000000001" + "01" + "44310000", pair(1, 'D', '1'));
    golden("0000000000000001" + "01" + "44ff00ff31" + "0000", pair(1, 'D', 255, 0, '1'));
    golden("0000000000000001" + "02" + "0000000000000102", new Place.Tile(1, 258));
    golden("ffffffffffffffff" + "03" + "ffffffffffffffff", new Place.Block(-1, -1));
  }

  @Test
  void the_order_of_the_bytes_is_the_order_of_the_places() {
    var random = new Random(7);
    for (int round = 0; round < 20_000; round++) {
      var one = place(random);
      var two = place(random);
      assertEquals(
          Integer.signum(one.compareTo(two)),
          Integer.signum(Arrays.compareUnsigned(PlaceCodec.encode(one), PlaceCodec.encode(two))),
          () -> one + " " + two);
      assertEquals(one, PlaceCodec.decode(ByteBuffer.wrap(PlaceCodec.encode(one))));
    }
  }

  private static Place place(Random random) {
    long object = random.nextInt(3) - 1L;
    long number = random.nextInt(3) - 1L;
    return switch (random.nextInt(8)) {
      case 0 -> new Place.ScratchPad(object);
      case 1 -> new Place.Tile(object, number);
      case 2 -> new Place.Block(object, number);
      default -> {
        var key = new int[random.nextInt(4)];
        Arrays.setAll(key, _ -> new int[] {0, 1, 254, 255}[random.nextInt(4)]);
        yield pair(object, key);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00000000000000",
        "000000000000000004",
        "0000000000000000ff",
        "00000000000000000000",
        "000000000000000001",
        "00000000000000000100",
        "0000000000000000010001",
        "000000000000000001000000",
        "00000000000000000141",
        "000000000000000002000000000000",
        "000000000000000003000000000000000000"
      })
  void damaged_places_are_refused(String hex) {
    var damaged = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    assertThrows(FormatException.class, () -> PlaceCodec.decode(damaged));
  }

  @Test
  void random_bytes_give_a_place_or_a_format_exception() {
    var random = new Random(8);
    for (int round = 0; round < 20_000; round++) {
      var bytes = new byte[random.nextInt(24)];
      random.nextBytes(bytes);
      if (bytes.length > 8) {
        bytes[8] = (byte) random.nextInt(5);
      }
      try {
        var place = PlaceCodec.decode(ByteBuffer.wrap(bytes));
        assertEquals(-1, Arrays.mismatch(bytes, PlaceCodec.encode(place)));
      } catch (FormatException e) {
        assertTrue(e.getMessage().contains("expected="), e.getMessage());
      }
    }
  }
}
