package io.skerry.collective.commit;

import static io.skerry.parallel.Locking.REQUIRED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.parallel.FoundJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the lock of a journal excludes other processes. */
class JournalLockTest {
  private static final String REFUSED = "the file is open for writing elsewhere";

  @TempDir Path folder;
  private Path file;

  /** The other process, which recovers the file given as its argument. */
  static final class Other {
    private Other() {}

    public static void main(String[] args) throws IOException {
      try {
        System.out.print(JournalRecovery.recover(Path.of(args[0]), REQUIRED).state());
      } catch (IllegalStateException e) {
        System.out.print(e.getMessage().replaceAll(":.*", ""));
      }
    }
  }

  @BeforeEach
  void create_file() throws IOException {
    file = Files.write(folder.resolve("x.h5"), new byte[100]);
  }

  private String otherProcess() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Other.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, process.waitFor(), out);
    return out;
  }

  @Test
  void a_time_limit_is_bounded() {
    assertEquals(Duration.ofMinutes(1), JournalChannel.patience(60));
    assertEquals(Duration.ZERO, JournalChannel.patience(-1));
    assertEquals(Duration.ofSeconds(Integer.MAX_VALUE), JournalChannel.patience(Long.MAX_VALUE));
  }

  @Test
  void a_writer_excludes_other_processes() throws Exception {
    try (JournalFile writer = JournalFile.open(file)) {
      writer.join(0, REQUIRED);
      assertEquals(REFUSED, otherProcess());
    }
    assertEquals("EMPTY", otherProcess());
    assertEquals("ABSENT", otherProcess());
  }

  /** POSIX releases all locks of a process on a file when any of its descriptors is closed. */
  @Test
  void a_refused_opening_in_the_same_process_does_not_release_the_lock() throws Exception {
    try (JournalFile writer = JournalFile.open(file)) {
      writer.join(0, REQUIRED);
      assertThrows(IllegalStateException.class, () -> JournalRecovery.recover(file, REQUIRED));
      assertEquals(REFUSED, otherProcess());
    }
  }

  @Test
  void a_rank_that_closes_does_not_release_the_locks_of_other_ranks_of_its_process()
      throws Exception {
    try (JournalFile first = JournalFile.open(file)) {
      first.join(0, REQUIRED);
      JournalFile second = JournalFile.open(file);
      second.join(1, REQUIRED);
      second.close();
      assertEquals(REFUSED, otherProcess());
    }
  }

  @Test
  void a_file_with_a_new_journal_since_its_recovery_is_refused_and_unlocked() throws Exception {
    Files.write(JournalFile.pathOf(file), new byte[100]);
    assertThrows(IllegalStateException.class, () -> WriterLock.take(file, 0, REQUIRED));
    assertEquals("UNFINISHED", otherProcess());
    try (WriterLock lock = WriterLock.take(file, 0, REQUIRED)) {
      assertEquals(REFUSED, otherProcess());
    }
    assertEquals("ABSENT", otherProcess());
  }

  @Test
  void a_recovery_waits_for_the_end_of_another() throws Exception {
    Files.write(JournalFile.pathOf(file), new byte[100]);
    CompletableFuture<Object> second = new CompletableFuture<>();
    try (JournalFile first = JournalFile.open(file)) {
      first.lock(REQUIRED);
      Thread.ofPlatform().start(() -> second.completeAsync(() -> recovered(), Runnable::run));
      assertThrows(TimeoutException.class, () -> second.get(300, TimeUnit.MILLISECONDS));
      first.remove();
    }
    assertEquals(FoundJournal.State.EMPTY, second.get(60, TimeUnit.SECONDS));
  }

  private Object recovered() {
    try {
      return JournalRecovery.recoverForReading(file, REQUIRED).state();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
