package io.skerry.mpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ProgramArgumentsTest {
  @Test
  void arguments_of_mpjrun_for_threads_are_separated_from_those_of_the_program() {
    var given = ProgramArguments.of("1", "2", "smpdev", "lcls", "--out", "a b");
    assertTrue(given.fromMpjrun() && given.sharesProcess());
    assertEquals(List.of("1", "2", "smpdev"), given.launcher());
    assertEquals(List.of("lcls", "--out", "a b"), given.program());
    assertEquals(OptionalInt.of(1), given.rank());
    assertEquals(Map.of("A", "b", ProgramArguments.RANK, "1"), given.addTo(Map.of("A", "b")));
  }

  @Test
  void arguments_of_mpjrun_for_processes_are_separated_from_those_of_the_program() {
    var configuration = "#temp line;#Number of Processes;2;#Server Name;here;#Server Port;40002";
    var given = ProgramArguments.of("0", configuration, "niodev");
    assertTrue(given.fromMpjrun());
    assertFalse(given.sharesProcess());
    assertEquals(List.of(), given.program());
  }

  @Test
  void arguments_that_only_resemble_those_of_mpjrun_are_the_programs() {
    for (var arguments :
        List.of(
            List.<String>of(),
            List.of("1", "2"),
            List.of("1", "2", "tcp"),
            List.of("one", "2", "smpdev"),
            List.of("1", "two", "smpdev"),
            List.of("lcls", "--ranks", "2"))) {
      var given = ProgramArguments.of(arguments.toArray(String[]::new));
      assertFalse(given.fromMpjrun(), arguments.toString());
      assertEquals(arguments, given.program());
      assertEquals(OptionalInt.empty(), given.rank());
      assertEquals(Map.of("A", "b"), given.addTo(Map.of("A", "b")));
    }
  }
}
