package io.skerry.collective.commit;

import static io.skerry.parallel.Locking.REQUIRED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.multifile.FileSource;
import io.skerry.collective.step.CollectiveOutcome;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.AgreedFile;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.superblock.Superblock;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.FoundJournal;
import io.skerry.parallel.Operation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests commits of two ranks with several journal parts per rank. */
class CommitTest {
  private static final int SIZE = 16384;
  private static final JournalParts SMALL = new JournalParts(1024);

  /** The number of the collective write that replaces blocks, after new blocks and the mark. */
  private static final int REPLACING = 3;

  @TempDir Path folder;
  private Path file;
  private byte[] before;

  /** The content after the commit, from which both ranks take their blocks. */
  private byte[] after;

  @BeforeEach
  void create_file() throws IOException {
    file = folder.resolve("x.h5");
    before = new byte[SIZE];
    Arrays.fill(before, (byte) 1);
    put(before, superblock(48).bytes());
    Files.write(file, before);
    after = before.clone();
    put(after, superblock(96).bytes());
    Arrays.fill(after, 1000, 4500, (byte) 2);
    for (int i = 0; i < 40; i++) {
      Arrays.fill(after, 8192 + 150 * i, 8192 + 150 * i + 100, (byte) (3 + i));
    }
  }

  private static void put(byte[] file, MemorySegment superblock) {
    MemorySegment.ofArray(file).copyFrom(superblock);
  }

  private static BlockImage superblock(long root) {
    ByteWriter out = ByteWriter.create();
    Superblock.of(SIZE, root).encode(out);
    return new BlockImage(0, BlockKind.SUPERBLOCK, out.written());
  }

  /** Returns one block that is larger than a part on rank 0, and 40 small blocks on rank 1. */
  private List<BlockImage> blocks(int rank) {
    if (rank == 0) {
      return List.of(block(1000, 4500));
    }
    List<BlockImage> blocks = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      blocks.add(block(8192 + 150 * i, 8192 + 150 * i + 100));
    }
    return blocks;
  }

  private BlockImage block(int from, int to) {
    return new BlockImage(
        from, BlockKind.OBJECT_HEADER, MemorySegment.ofArray(Arrays.copyOfRange(after, from, to)));
  }

  /** Returns a file whose collective write of the given number fails before it writes anything. */
  private static MpiFile failing(MpiFile sound, int write) {
    AtomicInteger writes = new AtomicInteger();
    return (MpiFile)
        Proxy.newProxyInstance(
            MpiFile.class.getClassLoader(),
            new Class<?>[] {MpiFile.class},
            (_, called, arguments) -> {
              if (called.getName().equals("writeAtAll") && writes.incrementAndGet() == write) {
                throw new IllegalStateException("the test interrupts the commit");
              }
              try {
                return called.invoke(sound, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void commit(Communicator world, JournalParts parts, int failingWrite) throws IOException {
    try (Watchdog watchdog = new Watchdog(world.rank(), System.err);
        MpiFile sound = world.openFile(file, OpenMode.WRITE, Map.of())) {
      CollectiveOutcome outcome = new CollectiveOutcome(world, watchdog, file.toString());
      AgreedFile agreed = new AgreedFile(failing(sound, failingWrite), 0);
      outcome.enter(Operation.FLUSH, "", new LocalStatus());
      try (Commit commit =
          new Commit(
              world,
              agreed,
              outcome,
              file,
              new FileSource(sound, 0),
              Optional.of(WriterLock.take(file, world.rank(), REQUIRED)),
              0,
              SIZE,
              Optional.empty(),
              parts)) {
        commit.run(blocks(world.rank()), superblock(96), SIZE, new LocalStatus());
      } finally {
        outcome.leave();
      }
    }
  }

  private void interrupted(JournalParts parts) {
    LocalRanks.run(
        2, world -> assertThrows(CommitException.class, () -> commit(world, parts, REPLACING)));
  }

  private List<JournalFile.Part> writtenParts() throws IOException {
    try (JournalFile journal = JournalFile.existing(file).orElseThrow()) {
      return journal.content().orElseThrow().parts();
    }
  }

  @Test
  void a_commit_that_is_too_large_for_one_part_per_rank_succeeds() throws IOException {
    LocalRanks.run(2, world -> commit(world, SMALL, 0));
    assertArrayEquals(after, Files.readAllBytes(file));
    assertFalse(Files.exists(JournalFile.pathOf(file)));
  }

  @Test
  void an_interrupted_commit_in_several_parts_per_rank_is_finished() throws IOException {
    interrupted(SMALL);
    assertEquals(1, Files.readAllBytes(file)[1000]);
    List<JournalFile.Part> parts = writtenParts();
    // Each rank has seven parts. A part of rank 0 has at most one full sector of its block, and a
    // part of rank 1 has at most six blocks.
    assertEquals(14, parts.size(), "parts: " + parts);
    assertTrue(parts.stream().allMatch(part -> part.bytes() <= SMALL.limit()), "parts: " + parts);
    assertEquals(FoundJournal.State.PENDING, JournalRecovery.recover(file, REQUIRED).state());
    assertArrayEquals(after, Files.readAllBytes(file));
  }

  @Test
  void an_ordinary_commit_has_one_part_per_rank() throws IOException {
    interrupted(JournalParts.STANDARD);
    assertEquals(2, writtenParts().size());
    JournalRecovery.recover(file, REQUIRED);
    assertArrayEquals(after, Files.readAllBytes(file));
  }
}
