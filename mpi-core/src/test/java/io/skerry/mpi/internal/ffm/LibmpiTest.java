package io.skerry.mpi.internal.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.internal.launch.NativeProcess;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

class LibmpiTest {
  /** A holder class like those in {@link FileCalls}, for a function that no MPI library has. */
  private static final class Absent {
    static final MethodHandle CALL = Libmpi.link("MPI_Absent_function", "lpi");
  }

  private static int absent(long handle, MemorySegment pointer, int count) {
    try {
      return (int) Absent.CALL.invokeExact(handle, pointer, count);
    } catch (Throwable t) {
      throw NativeProcess.unexpected(t);
    }
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
