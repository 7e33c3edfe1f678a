package io.skerry.collective.commit;

import static io.skerry.parallel.Locking.NONE;
import static io.skerry.parallel.Locking.REQUIRED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.collective.trust.CompanionPlace;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Tests files of other kinds at the path of a journal: they are not opened, changed or removed. */
class JournalPlaceTest {
  private static final int OTHER_USER = 65_534;
  private static final int THIRD_USER = 65_533;

  @TempDir Path folder;
  private Path file;
  private Path journal;

  @BeforeEach
  void create_file() throws IOException {
    file = Files.write(folder.resolve("x.h5"), new byte[100]);
    journal = folder.resolve("x.h5.journal");
  }

  /** Returns all operations on the journal. */
  private List<Executable> steps() {
    return List.of(
        () -> WriterLock.take(file, 0, REQUIRED).close(),
        () -> JournalRecovery.recover(file, REQUIRED),
        () -> JournalRecovery.recoverForReading(file, REQUIRED),
        () -> JournalRecovery.look(file, REQUIRED),
        () -> JournalRecovery.forget(file, REQUIRED));
  }

  /** Asserts that every operation on the journal fails immediately with the given message. */
  private void assertRefused(String words) throws IOException {
    Object before = Files.readAttributes(journal, "*", LinkOption.NOFOLLOW_LINKS).get("fileKey");
    for (Executable step : steps()) {
      IOException e =
          assertTimeoutPreemptively(
              Duration.ofSeconds(10), () -> assertThrows(IOException.class, step));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains(words) && message.contains("journal=" + journal), message);
    }
    assertEquals(
        before, Files.readAttributes(journal, "*", LinkOption.NOFOLLOW_LINKS).get("fileKey"));
    assertArrayEquals(new byte[100], Files.readAllBytes(file));
  }

  @Test
  void a_symbolic_link_in_place_of_the_journal_is_not_followed() throws IOException {
    for (String content : new String[] {"", "a thesis"}) {
      Path other = Files.writeString(folder.resolve("other"), content);
      Files.createSymbolicLink(journal, other);
      assertRefused("not a regular file");
      assertEquals(content, Files.readString(other));
      Files.delete(journal);
    }
    Files.createSymbolicLink(journal, folder.resolve("nowhere"));
    assertRefused("not a regular file");
    assertFalse(Files.exists(folder.resolve("nowhere")));
    Files.delete(journal);
    Files.createSymbolicLink(journal, journal);
    assertRefused("not a regular file");
  }

  @Test
  void a_pipe_a_device_and_a_folder_are_not_opened() throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", journal.toString()).start().waitFor());
    assertRefused("not a regular file");
    Files.delete(journal);
    Files.createDirectory(journal);
    assertRefused("not a regular file");
    Files.delete(journal);
    assumeTrue(
        new ProcessBuilder("mknod", journal.toString(), "c", "1", "3").start().waitFor() == 0,
        "making a device needs root: skipped");
    assertRefused("not a regular file");
  }

  @Test
  void a_file_with_a_second_hard_link_is_not_written() throws IOException {
    for (String content : new String[] {"", "a thesis"}) {
      Path other = Files.writeString(folder.resolve("other"), content);
      Files.createLink(journal, other);
      assertRefused("second hard link");
      assertEquals(content, Files.readString(other));
      Files.delete(journal);
    }
  }

  @Test
  void a_file_that_is_no_journal_is_not_changed() throws IOException {
    Files.writeString(journal, "a diary, kept in x.h5.journal");
    for (Executable step : steps()) {
      assertThrows(Exception.class, step);
    }
    assertEquals("a diary, kept in x.h5.journal", Files.readString(journal));
  }

  /** Simulates a writer that creates and removes its journal while a process examines the path. */
  @Test
  void a_journal_that_is_created_and_removed_concurrently_is_not_refused() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    FutureTask<Boolean> writer =
        new FutureTask<>(() -> {
          while (!done.get()) {
            Files.deleteIfExists(journal);
            Files.write(journal, new byte[10]);
          }
          return true;
        });
    Thread.ofPlatform().start(writer);
    try {
      for (int i = 0; i < 2_000; i++) {
        JournalRecovery.look(file, NONE);
      }
    } finally {
      done.set(true);
    }
    assertTrue(writer.get());
  }

  private static void requireRoot() {
    assumeTrue("root".equals(System.getProperty("user.name")), "other owners need root: skipped");
  }

  private static void setOwner(Path path, int owner) throws IOException {
    Files.setAttribute(path, "unix:uid", owner, LinkOption.NOFOLLOW_LINKS);
  }

  @Test
  void a_journal_of_another_user_in_a_shared_folder_is_refused() throws IOException {
    requireRoot();
    Files.createFile(journal);
    setOwner(journal, OTHER_USER);
    setOwner(folder, THIRD_USER);
    Files.setAttribute(folder, "unix:mode", 01777);
    assertRefused("belongs to another user");
    // A journal of the owner of the file or of the folder is accepted.
    setOwner(file, OTHER_USER);
    WriterLock.take(file, 0, REQUIRED).close();
    assertFalse(Files.exists(journal));
    setOwner(file, THIRD_USER);
    setOwner(folder, OTHER_USER);
    Files.createFile(journal);
    setOwner(journal, OTHER_USER);
    WriterLock.take(file, 0, REQUIRED).close();
    assertFalse(Files.exists(journal));
  }

  @Test
  void a_journal_of_another_user_in_a_folder_of_a_group_is_accepted() throws IOException {
    requireRoot();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));
    Files.createFile(journal);
    setOwner(journal, OTHER_USER);
    WriterLock.take(file, 0, REQUIRED).close();
    assertFalse(Files.exists(journal));
  }

  @Test
  void a_journal_has_the_read_permissions_of_its_file() throws IOException {
    for (String mode : List.of("---------", "rw-------", "rw-rw----", "r--r--r--", "rwxrwxrwx")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      try (WriterLock _ = WriterLock.take(file, 0, REQUIRED)) {
        String expected = "rw" + mode.substring(2).replace('x', '-');
        assertEquals(
            expected, PosixFilePermissions.toString(Files.getPosixFilePermissions(journal)));
      }
    }
  }

  @Test
  void a_channel_is_closed_if_the_path_of_its_journal_cannot_be_examined() throws IOException {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    CompanionPlace place = CompanionPlace.ofJournal(Files.createFile(inner.resolve("x.h5")));
    List<AsynchronousFileChannel> opened = new ArrayList<>();
    assertThrows(
        IOException.class,
        () ->
            JournalChannel.open(
                place,
                path -> {
                  opened.add(AsynchronousFileChannel.open(path));
                  Files.move(inner, folder.resolve("moved"));
                  // The path of the journal now leads through a circular link.
                  Files.createSymbolicLink(inner, inner);
                  return opened.getFirst();
                }));
    assertFalse(opened.getFirst().isOpen());
  }

  @Test
  void a_journal_has_the_group_of_its_file() throws IOException {
    requireRoot();
    Files.setAttribute(file, "unix:gid", OTHER_USER);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
    try (WriterLock _ = WriterLock.take(file, 0, REQUIRED)) {
      // Root can set the group. Other processes remove the group permissions instead.
      assertEquals(OTHER_USER, Files.getAttribute(journal, "unix:gid"));
      assertEquals(
          "rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(journal)));
    }
  }

  @Test
  void the_journal_of_a_new_file_named_by_a_link_is_beside_the_target_of_the_link()
      throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path link = Files.createSymbolicLink(folder.resolve("new.h5"), elsewhere.resolve("y.h5"));
    try (WriterLock _ = WriterLock.take(link, 0, REQUIRED)) {
      assertTrue(Files.exists(elsewhere.resolve("y.h5.journal")));
      assertThrows(
          IllegalStateException.class,
          () -> WriterLock.take(elsewhere.resolve("y.h5"), 0, REQUIRED));
    }
    Path circle = folder.resolve("circle.h5");
    Files.createSymbolicLink(circle, circle);
    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> WriterLock.take(circle, 0, REQUIRED).close());
  }
}
