package io.skerry.collective.commit;

import static io.skerry.parallel.Locking.REQUIRED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.journal.Journal;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FoundJournal;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalFileTest {
  private static final int SIZE = 4096;

  @TempDir Path folder;
  private Path file;
  private byte[] before;
  private byte[] after;

  @BeforeEach
  void create_file_with_two_blocks_to_replace() throws IOException {
    file = folder.resolve("x.h5");
    before = new byte[SIZE];
    Arrays.fill(before, (byte) 1);
    Files.write(file, before);
    after = before.clone();
    Arrays.fill(after, 100, 200, (byte) 2);
    Arrays.fill(after, 1000, 2000, (byte) 3);
  }

  private MemorySegment part(int from, int to) {
    BlockImage image =
        new BlockImage(
            from,
            BlockKind.OBJECT_HEADER,
            MemorySegment.ofArray(Arrays.copyOfRange(after, from, to)));
    MemorySegment body = Journal.of(new Bytes(before), SIZE, SIZE, List.of(image)).encode();
    return MemorySegment.ofArray(ByteWriter.create().u64(body.byteSize()).bytes(body).toArray());
  }

  /** Writes two parts, and the head that completes the journal. */
  private void writeWholeJournal() throws IOException {
    try (JournalFile journal = JournalFile.open(file)) {
      MemorySegment first = part(100, 200);
      MemorySegment second = part(1000, 2000);
      journal.write(JournalFile.HEAD, first);
      journal.write(JournalFile.HEAD + first.byteSize(), second);
      journal.writeHead(0, first.byteSize() + second.byteSize(), 2);
    }
  }

  @Test
  void a_whole_journal_is_replayed() throws IOException {
    writeWholeJournal();
    JournalRecovery.recover(file, REQUIRED);
    assertArrayEquals(after, Files.readAllBytes(file));
    assertFalse(Files.exists(JournalFile.pathOf(file)));
  }

  @Test
  void replaying_over_a_torn_block_gives_the_new_state() throws IOException {
    byte[] torn = before.clone();
    // Only one sector of 512 bytes has the new content, as after a kill or a power failure.
    System.arraycopy(after, 1024, torn, 1024, 512);
    Files.write(file, torn);
    writeWholeJournal();
    JournalRecovery.recover(file, REQUIRED);
    assertArrayEquals(after, Files.readAllBytes(file));
  }

  @Test
  void a_journal_without_its_head_leaves_the_old_state() throws IOException {
    try (JournalFile journal = JournalFile.open(file)) {
      journal.write(JournalFile.HEAD, part(100, 200));
    }
    JournalRecovery.recover(file, REQUIRED);
    assertArrayEquals(before, Files.readAllBytes(file));
    assertFalse(Files.exists(JournalFile.pathOf(file)));
  }

  @Test
  void a_journal_cut_at_any_byte_leaves_the_old_state() throws IOException {
    writeWholeJournal();
    byte[] whole = Files.readAllBytes(JournalFile.pathOf(file));
    for (int length = 0; length < whole.length; length += 7) {
      Files.write(JournalFile.pathOf(file), Arrays.copyOf(whole, length));
      JournalRecovery.recover(file, REQUIRED);
      assertArrayEquals(before, Files.readAllBytes(file), "cut at " + length);
    }
  }

  @Test
  void a_file_that_another_program_changed_is_refused_and_not_modified() throws IOException {
    byte[] foreign = before.clone();
    foreign[150] = 77;
    Files.write(file, foreign);
    writeWholeJournal();
    CommitException e =
        assertThrows(CommitException.class, () -> JournalRecovery.recover(file, REQUIRED));
    assertTrue(e.getMessage().contains(file.toString()));
    assertArrayEquals(foreign, Files.readAllBytes(file));
    assertTrue(Files.exists(JournalFile.pathOf(file)));
  }

  @Test
  void a_journal_that_a_writer_has_locked_is_not_changed() throws IOException {
    writeWholeJournal();
    try (JournalFile writer = JournalFile.open(file)) {
      writer.join(0, REQUIRED);
      assertThrows(IllegalStateException.class, () -> JournalRecovery.recover(file, REQUIRED));
    }
    assertArrayEquals(before, Files.readAllBytes(file));
    assertEquals(true, Files.exists(JournalFile.pathOf(file)));
  }

  @Test
  void a_journal_is_not_changed_while_a_rank_of_a_killed_job_is_running() throws IOException {
    writeWholeJournal();
    try (JournalFile survivor = JournalFile.open(file)) {
      survivor.join(3, REQUIRED);
      assertThrows(IllegalStateException.class, () -> JournalRecovery.recover(file, REQUIRED));
      assertThrows(IllegalStateException.class, () -> JournalRecovery.forget(file, REQUIRED));
    }
    assertTrue(Files.exists(JournalFile.pathOf(file)));
    JournalRecovery.recover(file, REQUIRED);
    assertFalse(Files.exists(JournalFile.pathOf(file)));
  }

  /** An interrupt would close a synchronous channel and release its locks. */
  @Test
  void an_interrupted_thread_writes_its_journal_and_keeps_its_locks() throws IOException {
    try (JournalFile journal = JournalFile.open(file)) {
      journal.join(0, REQUIRED);
      Thread.currentThread().interrupt();
      MemorySegment only = part(100, 200);
      journal.write(JournalFile.HEAD, only);
      journal.writeHead(0, only.byteSize(), 1);
      journal.sync();
      assertEquals(0, journal.content().orElseThrow().base());
      assertThrows(IllegalStateException.class, () -> JournalRecovery.recover(file, REQUIRED));
      assertTrue(Thread.interrupted());
    }
    Thread.currentThread().interrupt();
    JournalRecovery.recover(file, REQUIRED);
    assertTrue(Thread.interrupted());
    byte[] replayed = before.clone();
    Arrays.fill(replayed, 100, 200, (byte) 2);
    assertArrayEquals(replayed, Files.readAllBytes(file));
  }

  /** The journal is a sparse file, so it takes little space on the disk. */
  @Test
  void a_journal_of_more_than_two_gibibytes_has_content() throws IOException {
    long each = 900L << 20;
    try (JournalFile journal = JournalFile.open(file)) {
      journal.lock(REQUIRED);
      long at = JournalFile.HEAD;
      for (int i = 0; i < 3; i++) {
        journal.write(at, MemorySegment.ofArray(ByteWriter.create().u64(each).toArray()));
        at += Long.BYTES + each;
      }
      MemorySegment last = part(100, 200);
      journal.write(at, last);
      journal.writeHead(0, at + last.byteSize() - JournalFile.HEAD, 4);
      List<JournalFile.Part> parts = journal.content().orElseThrow().parts();
      assertEquals(4, parts.size());
      assertEquals(1, Journal.decode(journal.read(parts.getLast())).entries().size());
    }
  }

  @Test
  void a_journal_whose_blocks_would_be_outside_any_file_is_discarded() throws IOException {
    for (long base : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      try (JournalFile journal = JournalFile.open(file)) {
        MemorySegment only = part(100, 200);
        journal.write(JournalFile.HEAD, only);
        journal.writeHead(base, only.byteSize(), 1);
      }
      assertEquals(FoundJournal.State.UNFINISHED, recovered());
      assertArrayEquals(before, Files.readAllBytes(file));
      assertFalse(Files.exists(JournalFile.pathOf(file)));
    }
  }

  @Test
  void a_journal_of_empty_parts_has_no_content() throws IOException {
    long bytes = 1L << 36;
    try (JournalFile journal = JournalFile.open(file)) {
      journal.lock(REQUIRED);
      journal.write(JournalFile.HEAD + bytes - 1, MemorySegment.ofArray(new byte[1]));
      journal.writeHead(0, bytes, -1);
      assertTimeoutPreemptively(
          Duration.ofSeconds(20), () -> assertTrue(journal.content().isEmpty()));
    }
  }

  private FoundJournal.State recovered() throws IOException {
    return JournalRecovery.recover(file, REQUIRED).state();
  }

  @Test
  void recovery_reports_the_journal_and_removes_it() throws IOException {
    assertEquals(FoundJournal.State.ABSENT, recovered());
    writeWholeJournal();
    FoundJournal pending = JournalRecovery.recover(file, REQUIRED);
    assertEquals(FoundJournal.State.PENDING, pending.state());
    assertEquals(2, pending.blocks());
    assertEquals(1100, pending.bytes());
    assertEquals(FoundJournal.State.ABSENT, recovered());
    assertArrayEquals(after, Files.readAllBytes(file));
    Files.write(file, before);
    writeWholeJournal();
    Files.write(file, after);
    assertEquals(FoundJournal.State.DONE, recovered());
    Files.createFile(JournalFile.pathOf(file));
    assertEquals(FoundJournal.State.EMPTY, recovered());
    Files.write(JournalFile.pathOf(file), new byte[100]);
    assertEquals(FoundJournal.State.UNFINISHED, recovered());
    assertArrayEquals(after, Files.readAllBytes(file));
    assertFalse(Files.exists(JournalFile.pathOf(file)));
  }

  @Test
  void look_changes_nothing() throws IOException {
    writeWholeJournal();
    byte[] journal = Files.readAllBytes(JournalFile.pathOf(file));
    assertEquals(FoundJournal.State.PENDING, JournalRecovery.look(file, REQUIRED).state());
    assertArrayEquals(before, Files.readAllBytes(file));
    assertArrayEquals(journal, Files.readAllBytes(JournalFile.pathOf(file)));
  }

  @Test
  void a_change_by_another_program_is_reported_with_its_address() throws IOException {
    byte[] foreign = before.clone();
    foreign[1700] = 77;
    Files.write(file, foreign);
    writeWholeJournal();
    // Each fingerprint covers a piece that ends at a multiple of 512 bytes.
    assertEquals(1536, JournalRecovery.look(file, REQUIRED).foreign().orElseThrow());
    CommitException e =
        assertThrows(CommitException.class, () -> JournalRecovery.recover(file, REQUIRED));
    assertTrue(e.getMessage().contains("address=1536 "), e.getMessage());
    assertTrue(e.getMessage().contains("file=" + file), e.getMessage());
  }

  @Test
  void all_links_to_a_file_give_the_same_journal() throws IOException {
    writeWholeJournal();
    Path other = Files.createDirectory(folder.resolve("other"));
    Path link = Files.createSymbolicLink(other.resolve("y.h5"), file);
    assertEquals(FoundJournal.State.PENDING, JournalRecovery.recover(link, REQUIRED).state());
    assertArrayEquals(after, Files.readAllBytes(file));
    assertFalse(Files.exists(JournalFile.pathOf(file)));
  }

  /** Another process removes the journal between its opening and its locking by the writer. */
  @Test
  void a_writer_locks_the_journal_that_other_processes_find() throws IOException {
    try (JournalFile writer = JournalFile.open(file)) {
      Files.delete(JournalFile.pathOf(file));
      writer.join(0, REQUIRED);
      assertTrue(Files.exists(JournalFile.pathOf(file)));
      assertThrows(IllegalStateException.class, () -> JournalRecovery.recover(file, REQUIRED));
      MemorySegment only = part(100, 200);
      writer.write(JournalFile.HEAD, only);
      writer.writeHead(0, only.byteSize(), 1);
    }
    assertEquals(FoundJournal.State.PENDING, recovered());
  }

  @Test
  void only_the_holder_of_the_lock_removes_the_journal() throws IOException {
    try (JournalFile writer = JournalFile.open(file)) {
      writer.join(0, REQUIRED);
      try (JournalFile late = JournalFile.open(file)) {
        assertThrows(IllegalStateException.class, () -> late.join(0, REQUIRED));
        late.remove();
      }
      assertTrue(Files.exists(JournalFile.pathOf(file)));
      writer.remove();
      assertFalse(Files.exists(JournalFile.pathOf(file)));
    }
  }

  private record Bytes(byte[] content) implements ByteSource {
    @Override
    public MemorySegment read(long address, long length) {
      return MemorySegment.ofArray(content).asSlice(address, length);
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public String name() {
      return "memory";
    }
  }
}
