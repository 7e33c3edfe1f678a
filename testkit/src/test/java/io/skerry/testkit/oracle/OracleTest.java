package io.skerry.testkit.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares programs that a loaded Python runs with the same programs in new processes. */
class OracleTest {
  @TempDir Path folder;

  @BeforeEach
  void requireH5py() {
    assumeFalse(Oracle.h5py().isEmpty(), "no Python with h5py");
  }

  static List<String> programs() {
    return List.of(
        "import sys; print(sys.argv, sys.path[0], __name__); print('x', file=sys.stderr)",
        "import os; print(os.path.realpath(os.getcwd())); print(len(os.read(0, 9)))",
        "print('before'); raise SystemExit(7)",
        "import sys; sys.exit('a text')",
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
        "values = {}\nf = lambda: values\nprint(f(), [v for v in [values]])",
        "import h5py; f = h5py.File('left-open.h5', 'w'); f['d'] = [1, 2, 3]; print(f['d'][2])",
        "import h5py; print(sorted(h5py.File('left-open.h5', 'r').keys()))");
  }

  @ParameterizedTest
  @MethodSource("programs")
  void a_program_prints_and_returns_the_same_as_in_a_new_process(String program) throws Exception {
    for (Oracle served : Oracle.h5py()) {
      List<ProcessResult> results =
          Stream.of(served, new Oracle("process", served.hdf5(), served.command()))
              .map(oracle -> inFolderWithFile(served, oracle, program))
              .toList();
      assertEquals(results.get(1), results.get(0));
    }
  }

  private ProcessResult inFolderWithFile(Oracle served, Oracle oracle, String program) {
    String make = "import h5py; h5py.File('left-open.h5', 'w')['made'] = 1";
    served.run(folder, "-c", make).expectSuccess();
    return oracle.run(folder, "-c", program, "first", "sécond \n third");
  }

  @Test
  void a_script_imports_scripts_of_its_folder() throws Exception {
    Files.writeString(folder.resolve("other.py"), "text = 'imported'");
    Path script = Files.writeString(folder.resolve("script.py"), "import other; print(other.text)");
    for (Oracle served : Oracle.h5py()) {
      assertEquals("imported\n", served.run(folder, script).expectSuccess().out());
    }
  }

  @Test
  void an_uncaught_exception_of_a_program_is_printed_and_later_programs_run() {
    for (Oracle served : Oracle.h5py()) {
      ProcessResult failed = served.run(folder, "-c", "print('before')\nraise ValueError('bad')");
      assertEquals(List.of(1, "before\n"), List.of(failed.code(), failed.out()));
      assertTrue(failed.err().contains("ValueError: bad"), failed.err());
      assertEquals("later\n", served.run(folder, "-c", "print('later')").expectSuccess().out());
    }
  }
}
