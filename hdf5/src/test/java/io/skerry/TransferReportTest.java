package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport;
import io.skerry.parallel.TransferReport.Departure;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the report of the last operation. Chunks have 4 × 10 values of 4 bytes. */
class TransferReportTest {
  private static final DatasetSpec SPEC = DatasetSpec.of(Datatype.I32, Shape.of(24, 10));

  @TempDir Path folder;

  private static int[] values(int rows) {
    int[] values = new int[rows * 10];
    Arrays.setAll(values, i -> i + 1);
    return values;
  }

  private static TransferReport report(H5File file) {
    return file.lastTransfer().orElseThrow();
  }

  @Test
  void chunks_with_one_writer_each_are_not_exchanged() {
    LocalRanks.run(
        3,
        world -> {
          try (H5File file = H5File.create(folder.resolve("own.h5"), world)) {
            Dataset dataset = file.createDataset("/d", SPEC.sparse(4, 10));
            dataset.write(Selection.at(8 * world.rank(), 0).extent(8, 10), values(8));
            TransferReport write = report(file);
            assertEquals(Operation.WRITE, write.operation());
            assertEquals("/d", write.subject());
            assertEquals(Set.of(Departure.NOTHING_SHARED), write.departures());
            assertEquals(2, write.chunksOwned());
            assertEquals(0, write.chunksShared());
            assertEquals(0, write.bytesMoved());
            assertEquals(0, write.bytesWritten());
            file.flush();
            TransferReport flush = report(file);
            assertEquals(Operation.FLUSH, flush.operation());
            assertTrue(flush.bytesAllocated() >= 2 * 160, flush::toString);
            assertTrue(flush.bytesWritten() >= flush.bytesAllocated(), flush::toString);
            assertTrue(flush.viewExtents() >= 1, flush::toString);
          }
        });
  }

  @Test
  void pieces_of_shared_chunks_go_to_one_owner() {
    LocalRanks.run(
        4,
        world -> {
          try (H5File file = H5File.create(folder.resolve("shared.h5"), world)) {
            Dataset dataset = file.createDataset("/d", SPEC.chunked(24, 10));
            dataset.write(Selection.at(6 * world.rank(), 0).extent(6, 10), values(6));
            TransferReport write = report(file);
            assertEquals(Set.of(), write.departures());
            assertEquals(1, world.allReduce(write.chunksOwned(), Reduction.SUM));
            assertEquals(1, world.allReduce(write.chunksShared(), Reduction.SUM));
            assertEquals(1, write.rounds());
            long moved = world.allReduce(write.bytesMoved(), Reduction.SUM);
            assertTrue(moved >= 3 * 6 * 10 * 4 && moved < 2 * 3 * 6 * 10 * 4, "moved=" + moved);
            int[] unused = dataset.readInts(Selection.all());
            TransferReport read = report(file);
            assertEquals(Operation.READ, read.operation());
            assertEquals(1, read.rounds());
            // The chunk is in the memory of its owner.
            assertEquals(3 * 960, world.allReduce(read.bytesRead(), Reduction.SUM));
          }
        });
  }

  @Test
  void small_rounds_are_counted() {
    LocalRanks.run(
        2,
        world -> {
          FileOptions options = FileOptions.standard().withRoundLimit(500).withReadLimit(200);
          try (H5File file = H5File.create(folder.resolve("rounds.h5"), world, options)) {
            Dataset dataset = file.createDataset("/d", SPEC.chunked(4, 10));
            dataset.write(Selection.at(12 * world.rank(), 0).extent(12, 10), values(12));
            assertEquals(2, report(file).rounds());
            int[] unused = dataset.readInts(Selection.all());
            // Half of the chunks are in memory; the others are read one by one.
            assertEquals(3, report(file).rounds());
          }
        });
  }

  @Test
  void transfers_without_owners_are_reported() {
    LocalRanks.run(
        2,
        world -> {
          FileOptions options = FileOptions.standard().withAheadLimit(0).withDirtyLimit(300);
          try (H5File file = H5File.create(folder.resolve("ways.h5"), world, options)) {
            Selection half = Selection.at(12 * world.rank(), 0).extent(12, 10);
            file.createDataset("/block", SPEC).write(half, values(12));
            assertEquals(Set.of(Departure.ONE_BLOCK), report(file).departures());
            Dataset dataset = file.createDataset("/d", SPEC.chunked(4, 10));
            dataset.write(half, values(12));
            TransferReport whole = report(file);
            assertTrue(whole.departures().contains(Departure.WHOLE_CHUNKS), whole::toString);
            assertEquals(480, whole.bytesAllocated());
            assertEquals(480, whole.bytesWritten());
            file.flush();
            dataset.write(Selection.at(12 * world.rank(), 3), new int[] {5});
            TransferReport inPlace = report(file);
            assertEquals(
                Set.of(Departure.IN_PLACE, Departure.NOTHING_SHARED), inPlace.departures());
            assertEquals(4, inPlace.bytesWritten());
            assertEquals(1, inPlace.viewExtents());
            Dataset sparse = file.createDataset("/s", SPEC.sparse(4, 10));
            Selection most = Selection.at(12 * world.rank(), 0).extent(11, 9);
            sparse.write(most, new int[99]);
            sparse.write(most, new int[99]);
            assertTrue(
                report(file).departures().contains(Departure.FLUSHED_FIRST),
                () -> report(file).toString());
          }
        });
  }

  private static boolean hasFlushed(H5File file) {
    return report(file).departures().contains(Departure.FLUSHED_FIRST);
  }

  @Test
  void a_read_flushes_changes_of_its_dataset_only_and_reports_it() {
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.create(folder.resolve("read.h5"), world)) {
            Selection half = Selection.at(12 * world.rank(), 0).extent(12, 10);
            Dataset stored = file.createDataset("/stored", SPEC.chunked(4, 10));
            stored.write(half, values(12));
            file.flush();
            Dataset dirty = file.createDataset("/dirty", SPEC.chunked(4, 10));
            Selection mine = world.rank() == 0 ? half : Selection.none();
            dirty.write(mine, world.rank() == 0 ? values(12) : new int[0]);
            int[] all = stored.readInts(Selection.all());
            assertFalse(hasFlushed(file));
            assertEquals(240, all.length);
            // Rank 0 has written the elements that are read; rank 1 has no changes of its own.
            int[] read = dirty.readInts(Selection.at(0, 0).extent(12, 10));
            assertTrue(hasFlushed(file));
            assertArrayEquals(values(12), read);
            int[] again = dirty.readInts(Selection.at(0, 0).extent(12, 10));
            assertFalse(hasFlushed(file));
            assertArrayEquals(read, again);
          }
        });
  }

  @Test
  void a_read_finds_changes_that_were_made_after_a_flush_of_the_same_write() {
    LocalRanks.run(
        2,
        world -> {
          FileOptions options = FileOptions.standard().withDirtyLimit(300);
          try (H5File file = H5File.create(folder.resolve("twice.h5"), world, options)) {
            Dataset dataset = file.createDataset("/s", SPEC.sparse(4, 10));
            Selection most = Selection.at(12 * world.rank(), 0).extent(11, 9);
            dataset.write(most, new int[99]);
            int[] second = new int[99];
            Arrays.fill(second, 7);
            dataset.write(most, second);
            assertTrue(hasFlushed(file));
            int[] read = dataset.readInts(Selection.at(12 * (1 - world.rank()), 0).extent(11, 9));
            assertTrue(hasFlushed(file));
            assertArrayEquals(second, read);
          }
        });
  }

  @Test
  void a_write_of_whole_chunks_by_a_single_rank_leaves_the_last_report_unchanged() {
    FileOptions options = FileOptions.standard().withAheadLimit(0);
    try (H5File file = H5File.create(folder.resolve("alone.h5"), Communicator.self(), options)) {
      Dataset dataset = file.createDataset("/d", SPEC.chunked(4, 10));
      file.flush();
      TransferReport flush = report(file);
      dataset.write(Selection.all(), values(24));
      assertEquals(flush, report(file));
    }
  }
}
