package io.skerry.collective.commit;

import static io.skerry.parallel.Locking.BEST_EFFORT;
import static io.skerry.parallel.Locking.NONE;
import static io.skerry.parallel.Locking.REQUIRED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.trust.CompanionPlace;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.ByteSource;
import io.skerry.format.journal.Journal;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FoundJournal.State;
import io.skerry.parallel.Locking;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a file system without locks: every lock request fails. */
class MissingLocksTest {
  @TempDir Path folder;
  private Path file;
  private Path journal;

  /** The messages of the system for ENOLCK, EOPNOTSUPP and ENOSYS. */
  private static final List<String> ERRORS =
      List.of("No locks available", "Operation not supported", "Function not implemented");

  private static final class WithoutLocks extends AsynchronousFileChannel {
    private final AsynchronousFileChannel below;
    private final String error;

    WithoutLocks(Path path, String error) throws IOException {
      this.below =
          AsynchronousFileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
      this.error = error;
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      throw new IOException(error);
    }

    @Override
    public <A> void lock(
        long from, long size, boolean shared, A it, CompletionHandler<FileLock, ? super A> then) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<FileLock> lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long size() throws IOException {
      return below.size();
    }

    @Override
    public AsynchronousFileChannel truncate(long size) throws IOException {
      return below.truncate(size);
    }

    @Override
    public void force(boolean metaData) throws IOException {
      below.force(metaData);
    }

    @Override
    public <A> void read(
        ByteBuffer into, long at, A it, CompletionHandler<Integer, ? super A> then) {
      below.read(into, at, it, then);
    }

    @Override
    public Future<Integer> read(ByteBuffer into, long at) {
      return below.read(into, at);
    }

    @Override
    public <A> void write(
        ByteBuffer from, long at, A it, CompletionHandler<Integer, ? super A> then) {
      below.write(from, at, it, then);
    }

    @Override
    public Future<Integer> write(ByteBuffer from, long at) {
      return below.write(from, at);
    }

    @Override
    public boolean isOpen() {
      return below.isOpen();
    }

    @Override
    public void close() throws IOException {
      below.close();
    }
  }

  @BeforeEach
  void create_file() throws IOException {
    file = Files.write(folder.resolve("x.h5"), new byte[4096]);
    journal = folder.resolve("x.h5.journal");
  }

  /** Opens a channel without locks, which all openings of the journal in this process share. */
  private JournalChannel withoutLocks(String error) throws IOException {
    return JournalChannel.open(
        CompanionPlace.ofJournal(file), path -> new WithoutLocks(path, error));
  }

  @Test
  void the_error_names_the_option_to_work_without_locks() throws IOException {
    for (String error : ERRORS) {
      try (JournalChannel _ = withoutLocks(error)) {
        IOException e = assertThrows(IOException.class, () -> WriterLock.take(file, 0, REQUIRED));
        String message = String.valueOf(e.getMessage());
        assertTrue(
            message.contains("the file system does not lock files: cause=" + error), message);
        assertTrue(message.contains("journal=" + journal), message);
        assertTrue(message.contains("HDF5_USE_FILE_LOCKING=BEST_EFFORT"), message);
        assertTrue(message.contains("FileOptions.withLocking"), message);
        assertThrows(IOException.class, () -> JournalRecovery.recover(file, REQUIRED));
        assertThrows(IOException.class, () -> JournalRecovery.recoverForReading(file, REQUIRED));
        assertThrows(IOException.class, () -> JournalRecovery.forget(file, REQUIRED));
        assertTrue(Files.exists(journal));
      }
      Files.delete(journal);
    }
  }

  @Test
  void a_writer_without_locks_still_writes_its_journal() throws IOException {
    for (Locking locking : List.of(BEST_EFFORT, NONE)) {
      try (JournalChannel _ = withoutLocks(ERRORS.getFirst());
          WriterLock first = WriterLock.take(file, 0, locking);
          WriterLock second = WriterLock.take(file, 1, locking)) {
        second.journal().write(0, MemorySegment.ofArray(new byte[10]));
        assertEquals(10, Files.size(journal));
        first.journal().clear();
      }
      assertFalse(Files.exists(journal));
    }
  }

  @Test
  void best_effort_takes_locks_if_the_file_system_has_them() throws IOException {
    try (WriterLock _ = WriterLock.take(file, 0, BEST_EFFORT)) {
      for (Locking locking : List.of(BEST_EFFORT, REQUIRED)) {
        assertThrows(IllegalStateException.class, () -> WriterLock.take(file, 0, locking));
        assertThrows(IllegalStateException.class, () -> JournalRecovery.recover(file, locking));
      }
    }
  }

  @Test
  void a_reader_without_locks_does_not_change_the_journal() throws IOException {
    Files.createFile(journal);
    assertEquals(State.EMPTY, JournalRecovery.recoverForReading(file, NONE).state());
    Files.write(journal, new byte[50]);
    assertEquals(State.UNFINISHED, JournalRecovery.recoverForReading(file, NONE).state());
    assertEquals(50, Files.size(journal));
    Files.write(journal, whole());
    CommitException e =
        assertThrows(CommitException.class, () -> JournalRecovery.recoverForReading(file, NONE));
    assertTrue(String.valueOf(e.getMessage()).contains("skerry recover"), e.getMessage());
    assertEquals(0, Files.readAllBytes(file)[100]);
    // An explicit recovery replays the journal even without locks.
    assertEquals(State.PENDING, JournalRecovery.recover(file, NONE).state());
    assertEquals(2, Files.readAllBytes(file)[100]);
    assertFalse(Files.exists(journal));
  }

  /** Returns a journal that replaces 100 zero bytes at address 100. */
  private byte[] whole() throws IOException {
    byte[] before = Files.readAllBytes(file);
    byte[] block = new byte[100];
    java.util.Arrays.fill(block, (byte) 2);
    BlockImage image = new BlockImage(100, BlockKind.OBJECT_HEADER, MemorySegment.ofArray(block));
    MemorySegment body =
        Journal.of(new Bytes(before), before.length, before.length, List.of(image)).encode();
    long bytes = 8 + body.byteSize();
    MemorySegment head =
        ByteWriter.create().text("SKJRNL\0\1").u64(0).u64(bytes).u32(1).checksumFrom(0).written();
    return ByteWriter.create().bytes(head).u64(body.byteSize()).bytes(body).toArray();
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
