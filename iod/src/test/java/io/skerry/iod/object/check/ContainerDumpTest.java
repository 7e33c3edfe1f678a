package io.skerry.iod.object.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.iod.object.TestContainers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
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
}
