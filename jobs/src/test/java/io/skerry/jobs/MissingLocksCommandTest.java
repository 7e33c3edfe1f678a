package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.H5File;
import io.skerry.testkit.launch.MpirunLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests commands on 1 and 3 processes with a preloaded library in which lock requests fail as on a
 * file system without locks, or do not return. It intercepts only the write locks of journals,
 * which are beyond all content.
 */
class MissingLocksCommandTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  private static final String LIBRARY =
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <errno.h>
      #include <fcntl.h>
      #include <stdarg.h>
      #include <stdlib.h>
      #include <unistd.h>
      static int answer(const char *name, int file, int what, void *with) {
        if (what == F_SETLK && ((struct flock *) with)->l_start >= (1L << 62)
            && ((struct flock *) with)->l_type == F_WRLCK) {
          int error = atoi(getenv("TEST_LOCK_ERROR"));
          if (error == 0) sleep(600);
          errno = error;
          return -1;
        }
        int (*real)(int, int, ...) = (int (*)(int, int, ...)) dlsym(RTLD_NEXT, name);
        return real(file, what, with);
      }
      int fcntl(int file, int what, ...) {
        va_list more; va_start(more, what);
        void *with = va_arg(more, void *); va_end(more);
        return answer("fcntl", file, what, with);
      }
      int fcntl64(int file, int what, ...) {
        va_list more; va_start(more, what);
        void *with = va_arg(more, void *); va_end(more);
        return answer("fcntl64", file, what, with);
      }
      """;

  /** The messages of ENOLCK, ENOSYS and EOPNOTSUPP, by their error numbers on Linux. */
  private static final Map<String, String> ERRORS =
      Map.of(
          "37", "No locks available",
          "38", "Function not implemented",
          "95", "Operation not supported");

  @TempDir private Path folder;
  private MpirunLauncher launcher;

  @BeforeEach
  void preload_library_without_locks() throws IOException, InterruptedException {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "no Linux: skipped");
    Optional<MpirunLauncher> found = MpirunLauncher.find();
    assumeTrue(found.isPresent(), "mpirun is absent: skipped");
    Path source = Files.writeString(folder.resolve("locks.c"), LIBRARY);
    Path library = folder.resolve("locks.so");
    try {
      Process gcc =
          new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", "" + library, "" + source, "-ldl")
              .inheritIO()
              .start();
      assertEquals(0, gcc.waitFor());
    } catch (IOException e) {
      assumeTrue(false, "gcc is absent: skipped");
    }
    launcher = found.get().withEnvironment("LD_PRELOAD", library.toString());
  }

  private MpirunLauncher.Outcome run(int ranks, String error, Map<String, String> environment)
      throws InterruptedException {
    return launcher
        .withEnvironment("TEST_LOCK_ERROR", error)
        .withEnvironment(environment)
        .run(
            ranks,
            Skerry.class.getName(),
            "lcls",
            "--synthetic",
            "3x32x32",
            "--no-progress",
            "--out",
            folder.resolve("out.h5").toString());
  }

  private void refused(MpirunLauncher.Outcome outcome, String cause) {
    assertEquals(1, outcome.exitCode(), outcome.output());
    List<String> said =
        outcome.output().lines().filter(line -> line.startsWith("skerry: ")).toList();
    assertEquals(1, said.size(), outcome.output());
    assertTrue(
        said.getFirst().contains("the file system does not lock files: cause=" + cause),
        outcome.output());
    assertTrue(said.getFirst().contains("HDF5_USE_FILE_LOCKING=BEST_EFFORT"), outcome.output());
    assertFalse(Files.exists(folder.resolve("out.h5")));
    assertFalse(Files.exists(folder.resolve("out.h5.partial")));
  }

  @Test
  void the_error_names_the_option_once_for_all_processes_and_the_option_helps() throws Exception {
    refused(run(3, "37", Map.of()), ERRORS.get("37"));
    for (String value : List.of("BEST_EFFORT", "FALSE")) {
      // The value is interpreted in the same way on all ranks.
      int ranks = value.equals("FALSE") && !THOROUGH ? 1 : 3;
      MpirunLauncher.Outcome done = run(ranks, "37", Map.of("HDF5_USE_FILE_LOCKING", value));
      assertEquals(0, done.exitCode(), done.output());
      assertTrue(done.output().contains("verified"), done.output());
      Files.delete(folder.resolve("out.h5"));
    }
    for (String error : List.of("38", "95")) {
      refused(run(1, error, Map.of()), ERRORS.get(error));
    }
  }

  @Test
  void a_file_that_cannot_be_locked_can_be_read() throws Exception {
    Path file = folder.resolve("x.h5");
    H5File.create(file).close();
    byte[] before = Files.readAllBytes(file);
    MpirunLauncher without = launcher.withEnvironment("TEST_LOCK_ERROR", "37");
    String[] line = {"convert", file + ":/a", file + ":/b", "--dense"};
    MpirunLauncher.Outcome refused = without.run(3, Skerry.class.getName(), line);
    assertEquals(1, refused.exitCode());
    assertTrue(refused.output().contains("does not lock files"), refused.output());
    assertFalse(Files.exists(folder.resolve("x.h5.journal")));
    assertArrayEquals(before, Files.readAllBytes(file));
    MpirunLauncher.Outcome read = without.run(1, Skerry.class.getName(), "ls", file.toString());
    assertEquals(0, read.exitCode(), read.output());
  }

  @Test
  void a_lock_service_that_does_not_answer_ends_the_command_after_a_limit() throws Exception {
    launcher = launcher.withJvmOption("-Dskerry.locking.patience=2");
    for (int ranks : THOROUGH ? new int[] {1, 3} : new int[] {3}) {
      MpirunLauncher.Outcome outcome = run(ranks, "0", Map.of());
      refused(outcome, "no answer: seconds=2");
      assertTrue(outcome.elapsed().compareTo(Duration.ofSeconds(60)) < 0, outcome.toString());
    }
  }
}
