package io.skerry.jobs.report;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the texts of failures that are not exceptions of Skerry. */
class FailureTextTest {
  private static final long SIZE = 1 << 16;

  @TempDir private Path folder;

  @Test
  void an_access_to_a_truncated_mapping_is_no_shortage_of_memory() throws IOException {
    try (FileChannel file =
            FileChannel.open(
                folder.resolve("mapped"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, arena);
      file.truncate(0);
      InternalError error =
          assertThrows(InternalError.class, () -> mapped.get(ValueLayout.JAVA_BYTE, SIZE - 1));
      String text = FailureText.text(new IllegalStateException(error));
      assertTrue(text.startsWith("skerry: memory that maps a file cannot be accessed"), text);
    }
  }

  @Test
  void shortages_are_found_among_causes() {
    String memory = FailureText.text(new IllegalStateException(new OutOfMemoryError("heap")));
    assertTrue(memory.startsWith("skerry: out of memory: reason=heap heapLimit="), memory);
    String stack = FailureText.text(new StackOverflowError());
    assertTrue(stack.contains("-Xss"), stack);
    String defect = FailureText.text(new InternalError("other"));
    assertTrue(defect.contains("an internal error of skerry"), defect);
  }
}
