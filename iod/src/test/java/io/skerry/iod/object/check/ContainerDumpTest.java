package io.skerry.iod.object.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.iod.object.TestContainers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares dumps with a text that was written by hand after the figures of the specification. */
class ContainerDumpTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void the_examples_of_the_specification_are_dumped_in_its_terms(TestContainers engine)
      throws Exception {
    String golden;
    try (var in = ContainerDumpTest.class.getResourceAsStream("examples.txt")) {
      golden = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    try (var container = engine.create(folder, "dump", 3)) {
      TestContainers.commit(container, Examples::write);
      var lines = new ArrayList<String>();
      ContainerDump.write(TestContainers.values(container), lines::add);
      assertEquals(golden, String.join("\n", lines) + "\n");
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_the_receiver_of_a_line_throws_reaches_the_caller_unchanged(TestContainers engine) {
    try (var container = engine.create(folder, "dump", 3)) {
      TestContainers.commit(container, Examples::write);
      var values = TestContainers.values(container);
      var lines = new ArrayList<String>();
      ContainerDump.write(values, lines::add);
      for (var failure :
          List.of(
              new FormatException("a line", "of the receiver", "another one"),
              new UnsupportedFeatureException("a line", "the receiver"))) {
        for (int received = 0; received < lines.size(); received++) {
          var left = new int[] {received};
          var thrown =
              assertThrows(
                  RuntimeException.class,
                  () ->
                      ContainerDump.write(
                          values,
                          _ -> {
                            if (left[0]-- == 0) {
                              throw failure;
                            }
                          }),
                  lines.get(received));
          assertSame(failure, thrown);
        }
      }
    }
  }
}
