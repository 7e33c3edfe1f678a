package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.jobs.Shell.Ran;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the tests of the Python reader: its self-test, and comparisons with h5py and sample files.
 */
class ReadSparseToolTest {
  @TempDir private Path folder;

  @Test
  void the_tool_reads_every_encoding_of_selections() throws Exception {
    Ran ran = python("read_sparse.py", "--self-test");
    assertEquals("self-test: 11 selections read, 5 refused\n", ran.out(), ran.err());
    assertEquals(0, ran.code());
  }

  @Test
  void the_tool_agrees_with_h5py_and_refuses_damaged_files() throws Exception {
    Ran ran = python("test_read_sparse.py");
    assertEquals(0, ran.code(), ran.err());
  }

  @Test
  void the_tool_decodes_independently_encoded_chunks_and_refuses_damaged_ones() throws Exception {
    Ran ran = python("test_sparse_chunks.py");
    assertEquals(0, ran.code(), ran.err());
  }

  private Ran python(String script, String... arguments) throws Exception {
    String python = System.getenv().getOrDefault("SKERRY_PYTHON", "python3");
    Map<String, String> environment = new HashMap<>(System.getenv());
    String shared = System.getProperty("skerry.shared");
    if (shared != null) {
      environment.put("SKERRY_SHARED", shared);
    }
    environment.put("PYTHONDONTWRITEBYTECODE", "1");
    if (!Boolean.getBoolean("skerry.thorough")) {
      environment.put("SKERRY_DAMAGED_FILES", "100");
    }
    List<String> probe = List.of("bash", "-c", python + " -c 'import numpy'");
    assumeTrue(
        Shell.run(folder, environment, probe).code() == 0, "python3 with numpy is absent: skipped");
    String path = Repository.root().resolve("tools").resolve(script).toString();
    var command = new ArrayList<>(List.of(python, path));
    command.addAll(List.of(arguments));
    return Shell.run(folder, environment, command);
  }
}
