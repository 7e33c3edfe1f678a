package io.skerry.mpi.internal.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PrintedLineTest {
  @Test
  void hidden_characters_are_shown_as_digits() {
    assertEquals(
        "rank 0 WRITE /a\\u001b[2J\\u000ab\\u202ec",
        PrintedLine.of("rank 0 WRITE /a\u001b[2J\nb\u202ec"));
    assertEquals("\\u009b \\u2028 \\ud800", PrintedLine.of("\u009b \u2028 \ud800"));
  }

  @Test
  void what_can_be_seen_stays() {
    assertEquals("/größe 東京 $1 \\n", PrintedLine.of("/größe 東京 $1 \\n"));
  }
}
