package io.skerry.chunk.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StoredTextTest {
  @Test
  void bytes_that_are_not_utf_8_become_lone_surrogates_as_in_python() {
    byte[] latin = "caf\u00e9".getBytes(StandardCharsets.ISO_8859_1);
    assertEquals("caf\udce9", StoredText.decode(latin));
    assertArrayEquals(latin, StoredText.encode("caf\udce9"));
    byte[] surrogate = {(byte) 0xed, (byte) 0xb2, (byte) 0x80};
    assertEquals("\udced\udcb2\udc80", StoredText.decode(surrogate));
    assertEquals("\udcf0\udc9fx", StoredText.decode(new byte[] {(byte) 0xf0, (byte) 0x9f, 'x'}));
  }

  @Test
  void valid_text_is_unchanged() {
    for (String text : new String[] {"", "plain", "caf\u00e9", "\ud83d\ude00", "\ufffd"}) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      assertEquals(text, StoredText.decode(bytes));
      assertArrayEquals(bytes, StoredText.encode(text));
    }
  }

  @Test
  void any_bytes_survive_a_round_trip() {
    Random random = new Random(3);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      if (random.nextBoolean() && bytes.length > 2) {
        byte[] part = "\u20ac".getBytes(StandardCharsets.UTF_8);
        System.arraycopy(part, 0, bytes, 0, 3);
      }
      assertArrayEquals(bytes, StoredText.encode(StoredText.decode(bytes)));
    }
  }
}
