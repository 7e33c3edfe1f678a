package io.skerry.mpi.internal.base;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.file.PositionalFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbstractMpiFileTest {
  private static final FileView VIEW = FileView.of(0, 4);

  @TempDir private Path folder;

  /** A file whose collective read adds up the bytes requested by all ranks. */
  private static final class SummingFile extends AbstractMpiFile {
    private final Communicator ranks;
    private long sum;

    SummingFile(Communicator ranks, PositionalFile file) {
      super((CheckedCommunicator) ranks, file, OpenMode.READ);
      this.ranks = ranks;
    }

    @Override
    protected void writeTogether(FileView view, MemorySegment data) {}

    @Override
    protected void readTogether(FileView view, MemorySegment data) {
      sum = ranks.allReduce(view.totalBytes(), Reduction.SUM);
    }

    @Override
    protected void resizeTogether(long bytes) {}

    @Override
    protected void syncTogether() {}

    @Override
    protected void closeTogether() {}
  }

  @Test
  void a_rank_that_cannot_use_its_memory_takes_part_in_the_read_and_then_fails() throws Exception {
    Path path = Files.write(folder.resolve("file"), new byte[4]);
    List<Long> sums =
        LocalRanks.call(
            3,
            world -> {
              PositionalFile file = PositionalFile.openTogether(world, path, OpenMode.READ);
              SummingFile opened = new SummingFile(world, file);
              MemorySegment data = MemorySegment.ofArray(new byte[4]);
              switch (world.rank()) {
                case 0 -> opened.readAtAll(VIEW, data);
                case 1 ->
                    assertThrows(
                        IllegalArgumentException.class,
                        () -> opened.readAtAll(VIEW, data.asReadOnly()));
                default ->
                    assertThrows(
                        IllegalStateException.class, () -> opened.readAtAll(VIEW, closed(4)));
              }
              file.close();
              return opened.sum;
            });
    assertEquals(List.of(4L, 4L, 4L), sums);
  }

  @Test
  void a_rank_without_data_may_pass_memory_that_is_read_only() throws Exception {
    Path path = Files.write(folder.resolve("file"), new byte[4]);
    LocalRanks.run(
        2,
        world -> {
          try (MpiFile file = world.openFile(path, OpenMode.READ, Map.of())) {
            file.readAtAll(FileView.EMPTY, MemorySegment.ofArray(new byte[0]).asReadOnly());
          }
        });
  }

  @Test
  void a_rank_that_cannot_use_its_memory_takes_part_in_the_write_and_then_fails() throws Exception {
    Path path = folder.resolve("file");
    LocalRanks.run(
        2,
        world -> {
          try (MpiFile file = world.openFile(path, OpenMode.CREATE, Map.of())) {
            if (world.rank() == 1) {
              assertThrows(IllegalStateException.class, () -> file.writeAtAll(VIEW, closed(4)));
            } else {
              file.writeAtAll(FileView.of(4, 2), MemorySegment.ofArray(new byte[] {7, 7}));
            }
            file.sync();
          }
        });
    assertArrayEquals(new byte[] {0, 0, 0, 0, 7, 7}, Files.readAllBytes(path));
  }

  private static MemorySegment closed(int bytes) {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(bytes);
    }
  }

  @Test
  void a_rank_that_cannot_determine_the_size_takes_part_in_the_read_and_then_fails()
      throws Exception {
    Path path = Files.write(folder.resolve("file"), new byte[4]);
    List<Long> sums =
        LocalRanks.call(
            3,
            world -> {
              PositionalFile file = PositionalFile.openTogether(world, path, OpenMode.READ);
              SummingFile opened = new SummingFile(world, file);
              MemorySegment data = MemorySegment.ofArray(new byte[4]);
              if (world.rank() == 1) {
                // The size of a closed file cannot be determined.
                file.close();
                MpiException failure =
                    assertThrows(MpiException.class, () -> opened.readAtAll(VIEW, data));
                assertEquals("size", failure.operation());
              } else {
                opened.readAtAll(VIEW, data);
                file.close();
              }
              return opened.sum;
            });
    assertEquals(List.of(8L, 8L, 8L), sums);
  }
}
