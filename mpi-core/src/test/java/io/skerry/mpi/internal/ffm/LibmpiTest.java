package io.skerry.mpi.internal.ffm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.internal.launch.NativeProcess;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LibmpiTest {
  /** A holder class like those in {@link FileCalls}, for a function that no MPI library has. */
  private static final class Absent {
    static final MethodHandle CALL = Libmpi.link("MPI_Absent_function", "lpi");
  }

  /** A program that requires the library twice and prints the failures. */
  static final class Requiring {
    private Requiring() {}

    public static void main(String[] args) {
      for (int call = 0; call < 2; call++) {
        try {
          Libmpi.require();
        } catch (MpiException e) {
          System.out.println(e.errorClass() + " " + e.text());
        }
      }
    }
  }

  private static int absent(long handle, MemorySegment pointer, int count) {
    try {
      return (int) Absent.CALL.invokeExact(handle, pointer, count);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
  }

  @Test
  void a_jvm_that_denies_native_access_is_reported_with_its_option() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--illegal-native-access=deny",
                "-cp",
                System.getProperty("java.class.path"),
                Requiring.class.getName())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), out);
    String line =
        "LIBRARY no MPI library could be loaded: the JVM denies access to native code; start it"
            + " with --enable-native-access=ALL-UNNAMED";
    assertEquals(List.of(line, line), out.lines().toList());
  }

  @Test
  void a_function_that_the_library_lacks_fails_with_its_name_at_each_call() {
    for (int call = 0; call < 2; call++) {
      MpiException failure =
          assertThrows(MpiException.class, () -> absent(1, MemorySegment.NULL, 2));
      assertEquals(MpiErrorClass.LIBRARY, failure.errorClass());
      assertTrue(failure.text().contains("symbol=MPI_Absent_function"), failure.text());
    }
  }
}
