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

import io.skerry.recovery.JournalRecovery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What others put where a journal goes is neither waited for, followed, changed nor removed. */
class JournalPlaceTest {
  private static final int STRANGER = 65_534;
  private static final int OTHER_STRANGER = 65_533;

  @TempDir Path folder;
  private Path file;
  private Path journal;

  @BeforeEach
  void aFile() throws IOException {
    file = Files.write(folder.resolve("x.h5"), new byte[100]);
    journal = folder.resolve("x.h5.journal");
  }

  /** All that is done with a journal. */
  private List<Executable> steps() {
    return List.of(
        () -> WriterLock.take(file, 0, REQUIRED).close(),
        () -> JournalRecovery.recover(file, REQUIRED),
        () -> JournalRecovery.recoverForReading(file, REQUIRED),
        () -> JournalRecovery.look(file, REQUIRED),
        () -> JournalRecovery.forget(file, REQUIRED));
  }

  /** All that is done with a journal is refused at once, with these words. */
  private void refused(String words) throws IOException {
    Object before = Files.readAttributes(journal, "*", LinkOption.NOFOLLOW_LINKS).get("fileKey");
    for (Executable step : steps()) {
      IOException e =
          assertTimeoutPreemptively(
              Duration.ofSeconds(10), () -> assertThrows(IOException.class, step));
      String said = String.valueOf(e.getMessage());
      assertTrue(said.contains(words) && said.contains("journal=" + journal), said);
    }
    assertEquals(
        before, Files.readAttributes(journal, "*", LinkOption.NOFOLLOW_LINKS).get("fileKey"));
    assertArrayEquals(new byte[100], Files.readAllBytes(file));
  }

  @Test
  void aLinkIsNotFollowed() throws IOException {
    for (String content : new String[] {"", "a thesis"}) {
      Path other = Files.writeString(folder.resolve("other"), content);
      Files.createSymbolicLink(journal, other);
      refused("not an ordinary file");
      assertEquals(content, Files.readString(other));
      Files.delete(journal);
    }
    Files.createSymbolicLink(journal, folder.resolve("nowhere"));
    refused("not an ordinary file");
    assertFalse(Files.exists(folder.resolve("nowhere")));
    Files.delete(journal);
    Files.createSymbolicLink(journal, journal);
    refused("not an ordinary file");
  }

  @Test
  void aFifoADeviceAndAFolderAreNotOpened() throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", journal.toString()).start().waitFor());
    refused("not an ordinary file");
    Files.delete(journal);
    Files.createDirectory(journal);
    refused("not an ordinary file");
    Files.delete(journal);
    assumeTrue(
        new ProcessBuilder("mknod", journal.toString(), "c", "1", "3").start().waitFor() == 0,
        "making a device needs root: skipped");
    refused("not an ordinary file");
  }

  @Test
  void aFileWithASecondNameIsNotWrittenTo() throws IOException {
    for (String content : new String[] {"", "a thesis"}) {
      Path other = Files.writeString(folder.resolve("other"), content);
      Files.createLink(journal, other);
      refused("second name");
      assertEquals(content, Files.readString(other));
      Files.delete(journal);
    }
  }

  @Test
  void aFileThatIsNoJournalStays() throws IOException {
    Files.writeString(journal, "a diary, kept in x.h5.journal");
    for (Executable step : steps()) {
      assertThrows(Exception.class, step);
    }
    assertEquals("a diary, kept in x.h5.journal", Files.readString(journal));
  }

  /** As when a writer closes its file while others look at it. */
  @Test
  void aJournalThatComesAndGoesIsNotTakenForSomethingElse() throws Exception {
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

  private static void asRoot() {
    assumeTrue("root".equals(System.getProperty("user.name")), "other owners need root: skipped");
  }

  private static void give(Path path, int owner) throws IOException {
    Files.setAttribute(path, "unix:uid", owner, LinkOption.NOFOLLOW_LINKS);
  }

  @Test
  void aStrangersJournalInAFolderThatAllShareIsRefused() throws IOException {
    asRoot();
    Files.createFile(journal);
    give(journal, STRANGER);
    give(folder, OTHER_STRANGER);
    Files.setAttribute(folder, "unix:mode", 01777);
    refused("belongs to a stranger");
    // The owner of the file has left it, or that of the folder.
    give(file, STRANGER);
    WriterLock.take(file, 0, REQUIRED).close();
    assertFalse(Files.exists(journal));
    give(file, OTHER_STRANGER);
    give(folder, STRANGER);
    Files.createFile(journal);
    give(journal, STRANGER);
    WriterLock.take(file, 0, REQUIRED).close();
    assertFalse(Files.exists(journal));
  }

  @Test
  void aGroupThatSharesAFolderRecoversForEachOther() throws IOException {
    asRoot();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));
    Files.createFile(journal);
    give(journal, STRANGER);
    WriterLock.take(file, 0, REQUIRED).close();
    assertFalse(Files.exists(journal));
  }

  @Test
  void aJournalIsReadByThoseWhoReadTheFile() throws IOException {
    for (String mode : List.of("rw-------", "rw-rw----", "r--r--r--", "rwxrwxrwx")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      try (WriterLock _ = WriterLock.take(file, 0, REQUIRED)) {
        String expected = "rw" + mode.substring(2).replace('x', '-');
        assertEquals(
            expected, PosixFilePermissions.toString(Files.getPosixFilePermissions(journal)));
      }
    }
  }

  @Test
  void aJournalOfAnotherGroupIsNotReadByTheGroup() throws IOException {
    asRoot();
    Files.setAttribute(file, "unix:gid", STRANGER);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw----"));
    try (WriterLock _ = WriterLock.take(file, 0, REQUIRED)) {
      // Root may give it to the group; who may not takes the group's permissions away.
      assertEquals(STRANGER, Files.getAttribute(journal, "unix:gid"));
      assertEquals(
          "rw-rw----", PosixFilePermissions.toString(Files.getPosixFilePermissions(journal)));
    }
  }

  @Test
  void theJournalOfANewFileBehindALinkIsWhereTheFileWillBe() throws IOException {
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
