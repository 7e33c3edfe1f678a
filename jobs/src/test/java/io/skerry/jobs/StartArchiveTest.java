package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.Shell.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Tests when the script records the start archive of the JVM, and which processes use it. */
class StartArchiveTest extends FakeCheckout {
  /** Creates a fake java that logs each recording, or fails to record if "broken" exists. */
  private void javaThatRecords(String jdk) throws IOException {
    environment.remove("SKERRY_NO_ARCHIVE");
    program(
        jdk + "/bin/java",
        "if [[ -e "
            + folder.resolve("broken")
            + " && $* == *AOTMode* ]]; then exit 1; fi\n"
            + "for each; do case $each in\n"
            + "  -XX:AOTCache=*/made) : >\"${each#*=}\"; echo made >>"
            + folder.resolve("made.log")
            + " ;;\n"
            + "esac; done\n"
            + "echo java $*");
  }

  private long made() throws IOException {
    Path log = folder.resolve("made.log");
    return Files.exists(log) ? Files.readAllLines(log).size() : 0;
  }

  @Test
  void the_first_start_after_a_build_records_an_archive_for_later_starts() throws Exception {
    javaThatRecords("jdk");
    String option = " -XX:AOTCache=" + folder + "/.skerry/start/x-";
    for (int i = 0; i < 2; i++) {
      Ran ran = skerry("lcls");
      assertEquals(0, ran.code(), ran.err());
      assertTrue(ran.out().contains(option), ran.out());
      assertTrue(ran.out().startsWith("java ") && ran.out().lines().count() == 1, ran.out());
      assertEquals("", ran.err());
      assertEquals(1, made());
    }
    Thread.sleep(30);
    touch("jobs/target/skerry.jar");
    assertTrue(skerry("ls", "x.h5").out().contains(option));
    assertEquals(2, made());
    jdk("other", "25.0.2");
    javaThatRecords("other");
    Files.writeString(
        folder.resolve("other/release"),
        "JAVA_VERSION=\"25.0.2\"\nJAVA_RUNTIME_VERSION=\"25.0.2+9\"\n");
    environment.put("JAVA_HOME", folder.resolve("other").toString());
    assertTrue(skerry("lcls").out().contains("/.skerry/start/25.0.2+9-"));
    assertEquals(3, made());
    environment.put("SKERRY_NO_ARCHIVE", "1");
    assertFalse(skerry("lcls").out().contains("AOT"));
  }

  @Test
  void the_command_runs_without_an_archive_and_a_failed_recording_is_not_repeated()
      throws Exception {
    javaThatRecords("jdk");
    Files.writeString(folder.resolve("broken"), "");
    for (int i = 0; i < 2; i++) {
      Ran ran = skerry("lcls");
      assertEquals(0, ran.code(), ran.err());
      assertFalse(ran.out().contains("AOT"), ran.out());
      assertEquals("", ran.err());
      Files.deleteIfExists(folder.resolve("broken"));
    }
    assertEquals(0, made());
    Thread.sleep(30);
    touch("jobs/target/skerry.jar");
    assertTrue(skerry("lcls").out().contains("AOTCache"));
  }

  @Test
  void simultaneous_starts_record_once_and_ranks_never_record() throws Exception {
    javaThatRecords("jdk");
    environment.put("OMPI_COMM_WORLD_SIZE", "2");
    assertFalse(skerry("lcls").out().contains("AOT"));
    environment.remove("OMPI_COMM_WORLD_SIZE");
    Ran ran = fourAtOnce();
    assertEquals(1, made(), ran.err());
    try (var left = Files.list(folder.resolve(".skerry/start"))) {
      assertTrue(left.noneMatch(Files::isDirectory));
    }
  }
}
