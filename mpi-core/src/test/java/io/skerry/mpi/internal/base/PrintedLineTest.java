package io.skerry.mpi.internal.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PrintedLineTest {
  @Test
  void hidden_characters_are_printed_as_hexadecimal_digits() {
    assertEquals(
        "rank 0 WRITE /a\\u001b[2J\\u000ab\\u202ec",
        PrintedLine.of("rank 0 WRITE /a\u001b[2J\nb\u202ec"));
    assertEquals("\\u009b \\u2028 \\ud800", PrintedLine.of("\u009b \u2028 \ud800"));
  }

  @Test
  void visible_characters_are_unchanged() {
    assertEquals("/größe 東京 $1 \\n", PrintedLine.of("/größe 東京 $1 \\n"));
  }
}
