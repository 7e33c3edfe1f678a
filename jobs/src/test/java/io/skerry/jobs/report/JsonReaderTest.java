package io.skerry.jobs.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "-12",
        "\"a\\\"b\\\\\"",
        "123456789012345678901234567890",
        "{\"a\": [1, 2.5, true, false, null], \"b\": {\"c\": \"\"}}"
      })
  void text_that_was_written_is_read_back(String text) {
    assertEquals(text, JsonReader.parse(text).text());
  }

  @Test
  void space_and_escapes_are_read() {
    assertEquals(
        "{\"a\": [\"x/y\\u0009\\u000a\", 1.0E10]}",
        JsonReader.parse(" {\n\"a\" :[\"x\\/\\u0079\\t\\n\" , 1e10]\t} ").text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{            | actual=the end",
        "[1,]         | actual=']'",
        "[1 2]        | actual='2'",
        "{\"a\" 1}    | expected=':'",
        "{a: 1}       | expected=a name",
        "01           | expected=a value",
        "1.           | expected=a value",
        "nul          | expected=a value",
        "\"\\x\"      | expected=an escape",
        "\"\\u12\"    | expected=an escape",
        "\"abc        | actual=the end",
        "[] []        | expected=the end"
      })
  void other_text_is_refused_with_its_place(String text, String reason) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> JsonReader.parse(text));
    assertTrue(e.getMessage().startsWith("not JSON: line=1 offset="), e.getMessage());
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }

  @Test
  void deep_nesting_is_refused() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> JsonReader.parse("[".repeat(100_000)));
    assertTrue(e.getMessage().contains("at most 100 levels"), e.getMessage());
  }

  @Test
  void a_hundred_levels_are_read_and_one_more_is_refused() {
    String most = "[".repeat(100) + "]".repeat(100);
    var unused = JsonReader.parse(most);
    assertThrows(IllegalArgumentException.class, () -> JsonReader.parse("[" + most + "]"));
  }
}
