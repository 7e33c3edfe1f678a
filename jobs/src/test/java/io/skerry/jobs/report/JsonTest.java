package io.skerry.jobs.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void values_of_every_kind_nest() {
    Json json =
        Json.object()
            .with("whole", Long.MIN_VALUE)
            .with("real", 0.5)
            .with("tiny", 1e-9)
            .with("yes", Json.truth(true))
            .with("text", "a")
            .with("none", new Json.Items(List.of()))
            .with("empty", Json.object())
            .with("items", new Json.Items(List.of(new Json.Whole(1), Json.truth(false))));
    assertEquals(
        "{\"whole\": -9223372036854775808, \"real\": 0.5, \"tiny\": 1.0E-9, \"yes\": true,"
            + " \"text\": \"a\", \"none\": [], \"empty\": {}, \"items\": [1, false]}",
        json.text());
  }

  @Test
  void characters_that_json_forbids_in_strings_are_escaped() {
    assertEquals("\"\\\"\\\\\\u000a\\u0000ä\\ud83d\\ude00\"", new Json.Text("\"\\\n\0ä😀").text());
    assertEquals("{\"\\\"\": \"/\"}", Json.object().with("\"", "/").text());
  }

  @Test
  void numbers_that_json_cannot_represent_are_refused() {
    assertThrows(IllegalArgumentException.class, () -> new Json.Real(Double.NaN));
    assertThrows(
        IllegalArgumentException.class, () -> Json.object().with("x", Double.POSITIVE_INFINITY));
  }
}
