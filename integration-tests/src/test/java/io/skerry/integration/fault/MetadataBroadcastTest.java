package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.CopyOption;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import io.skerry.testkit.fault.ProbedCommunicator;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that rank 0 reads the metadata and broadcasts it to the other ranks. */
class MetadataBroadcastTest {
  private static final int RANKS = 4;

  @TempDir Path folder;

  /** Counts the independent reads of a rank. */
  private static final class ReadCount implements FileProbe {
    private final AtomicLong reads = new AtomicLong();

    @Override
    public Optional<MpiException> before(
        int rank, FileCall call, FileView view, MemorySegment data) {
      if (call == FileCall.READ_ALONE) {
        reads.incrementAndGet();
      }
      return Optional.empty();
    }
  }

  private static DatasetSpec spec() {
    return DatasetSpec.of(Datatype.I32, Shape.of(16, 16).unlimited(0)).sparse(4, 4);
  }

  private Path file(FormatBounds bounds) {
    Path path = folder.resolve("many.h5");
    try (H5File file =
            H5File.create(path, Communicator.self(), FileOptions.standard().withBounds(bounds));
        H5File other = H5File.create(folder.resolve("other.h5"))) {
      for (int i = 0; i < 200; i++) {
        Dataset dataset = file.createDataset("/run/d" + i, spec());
        dataset.write(Selection.at(i % 16, 0), new int[] {i});
        dataset.setAttribute(Attribute.of("number", i));
      }
      Dataset there = other.createDataset("/there/d", spec());
      there.write(Selection.at(1, 1), new int[] {7});
      file.createExternalLink("/elsewhere", "other.h5", "/there");
    }
    return path;
  }

  /** Returns the number of independent reads of each rank. */
  private static List<Long> reads(Path path, Consumer<H5File> steps) {
    return LocalRanks.call(
        RANKS,
        ranks -> {
          ReadCount count = new ReadCount();
          try (H5File file = H5File.openForWriting(path, new ProbedCommunicator(ranks, count))) {
            steps.accept(file);
            return count.reads.get();
          }
        });
  }

  private static void assertOneReads(List<Long> reads) {
    assertTrue(reads.getFirst() > 0, "reads of the first rank: " + reads);
    assertEquals(List.of(0L, 0L, 0L), reads.subList(1, RANKS));
  }

  @ParameterizedTest
  @EnumSource(
      value = FormatBounds.class,
      names = {"EARLIEST", "V110"})
  void one_rank_reads_the_metadata_of_a_file_that_all_open_and_change(FormatBounds bounds) {
    Path path = file(bounds);
    assertOneReads(
        reads(
            path,
            file -> {
              for (int i = 0; i < 200; i += 7) {
                assertEquals(16, file.dataset("/run/d" + i).shape().extent(0));
              }
              file.dataset("/run/d3").setAttribute(Attribute.of("more", 1));
              file.createDataset("/run/new", spec());
              file.createGroup("/run/below/that");
              file.move("/run/d5", "/moved");
              file.createHardLink("/again", "/run/d9");
            }));
  }

  @ParameterizedTest
  @EnumSource(
      value = FormatBounds.class,
      names = {"EARLIEST", "V110"})
  void one_rank_reads_the_metadata_of_a_file_behind_an_external_link(FormatBounds bounds) {
    Path path = file(bounds);
    List<Long> reads =
        reads(
            path,
            file -> {
              Dataset there = file.dataset("/elsewhere/d");
              assertEquals(16, there.shape().extent(0));
            });
    // Rank 0 reads for all ranks until the step opens the other file.
    assertTrue(reads.subList(1, RANKS).stream().allMatch(r -> r < reads.getFirst()), "" + reads);
    List<Long> again =
        reads(
            path,
            file -> {
              assertEquals(16, file.dataset("/elsewhere/d").shape().extent(0));
              assertEquals(
                  1, file.dataset("/elsewhere/d").defined(Selection.all()).count(Shape.of(16, 16)));
              file.dataset("/elsewhere/d").extend(20);
            });
    assertTrue(again.getFirst() > 0);
  }

  /** The copy reads from one file and changes another. */
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void all_ranks_make_a_copy_that_follows_an_external_link_out_of_its_source() {
    Path path = file(FormatBounds.V110);
    Path copy = folder.resolve("copy.h5");
    LocalRanks.run(
        RANKS,
        world -> {
          try (H5File source = H5File.open(path, world);
              H5File target = H5File.create(copy, world)) {
            source.copy("/", target, "/all", CopyOption.EXPAND_EXTERNAL);
          }
        });
    try (H5File file = H5File.open(copy)) {
      assertArrayEquals(
          new int[] {7}, file.dataset("/all/elsewhere/d").readInts(Selection.at(1, 1)));
    }
  }
}
