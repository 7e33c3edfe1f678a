package io.skerry.chunk.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PrintableTextTest {
  @Test
  void plain_text_of_any_script_is_unchanged() {
    String text = "/entry/data α日本ж 😀 \\ \"";
    assertSame(text, PrintableText.text(text));
  }

  @Test
  void control_and_invisible_characters_become_their_codes() {
    assertEquals("#u001b[31m".replace('#', '\\'), PrintableText.text("\u001b[31m"));
    assertEquals("#u009b#u0085#u007f".replace('#', '\\'), PrintableText.text("\u009b\u0085\u007f"));
    assertEquals("#u202e#u2066#u200e".replace('#', '\\'), PrintableText.text("\u202e\u2066\u200e"));
    assertEquals("#ud800x".replace('#', '\\'), PrintableText.text("\ud800x"));
    assertEquals("#U000e0041".replace('#', '\\'), PrintableText.text("\udb40\udc41"));
  }

  @Test
  void fields_of_different_texts_differ_and_hold_no_separator() {
    Set<String> fields = new HashSet<>();
    List<String> texts = List.of("\n", "\\n", "\\u000a", " ", "  ", "\\u0020", "a ", " a", "a  b");
    for (String text : texts) {
      String field = PrintableText.field(text);
      fields.add(field);
      assertFalse((field + "|").contains("  ") || field.startsWith(" ") || field.endsWith(" "));
    }
    assertEquals(texts.size(), fields.size(), fields.toString());
    assertNotEquals(PrintableText.field("a b"), PrintableText.field("a\u00a0b"));
  }

  @Test
  void a_long_message_loses_its_middle() {
    String shown = PrintableText.message("a".repeat(5000) + "\u001b" + "b".repeat(5000));
    assertEquals(PrintableText.LONGEST_MESSAGE + " [5905 characters] ".length(), shown.length());
    assertEquals("aa [5905 characters] bb", shown.substring(2046, 2069));
  }
}
