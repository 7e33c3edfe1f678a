package io.skerry.integration.interop.virtual;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Reduction;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Cases of collective reads of virtual datasets in which several ranks need the same sources. */
public final class SharedSourceCases implements RankedCases {
  private static final FileOptions STANDARD = FileOptions.standard();

  @Override
  public List<RankedCase> cases() {
    return List.of(
        of("each_chunk_is_decoded_once_if_all_ranks_want_all", SharedSourceCases::everything),
        of("each_chunk_is_decoded_once_if_the_ranks_want_other_rows", SharedSourceCases::rows),
        of("each_chunk_is_decoded_once_if_the_rows_overlap", SharedSourceCases::overlapping),
        of("each_chunk_is_decoded_once_in_columns_and_points", SharedSourceCases::columns),
        of("each_chunk_is_decoded_once_in_many_rounds", SharedSourceCases::manyRounds),
        of("each_chunk_is_decoded_once_below_virtual_sources", SharedSourceCases::nested),
        of("each_chunk_is_decoded_once_if_mappings_overlap", SharedSourceCases::covered),
        of("the_chunks_of_one_source_are_split_among_the_ranks", SharedSourceCases::split),
        of("a_chunk_that_cannot_be_decoded_fails_on_all_ranks", SharedSourceCases::damagedChunk),
        of("a_source_that_one_rank_cannot_open_fails_on_all_ranks", SharedSourceCases::damaged),
        of("a_source_that_one_rank_does_not_find_fails_on_all_ranks", SharedSourceCases::notFound),
        of("a_buffer_that_is_too_small_on_one_rank_fails_on_all", SharedSourceCases::tooSmall));
  }

  /** A case that uses the files. */
  @FunctionalInterface
  private interface Body {
    void run(SharedSourceFiles files, Communicator world) throws IOException;
  }

  private static RankedCase of(String name, Body body) {
    LocalRanks.Body onRank =
        world -> {
          try (SharedFolder folder = SharedFolder.create(world)) {
            body.run(SharedSourceFiles.create(world, folder), world);
            world.barrier();
          }
        };
    return new RankedCase(name, onRank);
  }

  private static Selection rows(long from, long end) {
    return Selection.at(from, 0).extent(end - from, SharedSourceFiles.WIDTH);
  }

  private static void everything(SharedSourceFiles files, Communicator world) {
    Expect.equal(
        (long) SharedSourceFiles.CHUNKS, files.read("all", Selection.all(), STANDARD), "decoded");
  }

  private static void rows(SharedSourceFiles files, Communicator world) {
    long share = SharedSourceFiles.HEIGHT / world.size();
    Selection own = rows(world.rank() * share, (world.rank() + 1) * share);
    Expect.equal((long) SharedSourceFiles.CHUNKS, files.read("all", own, STANDARD), "decoded");
    Expect.equal((long) SharedSourceFiles.CHUNKS, files.read("swapped", own, STANDARD), "swapped");
  }

  private static void overlapping(SharedSourceFiles files, Communicator world) {
    Selection own = rows(5 * world.rank(), SharedSourceFiles.HEIGHT - 7 * world.rank());
    Expect.equal((long) SharedSourceFiles.CHUNKS, files.read("all", own, STANDARD), "decoded");
  }

  private static void columns(SharedSourceFiles files, Communicator world) {
    long decoded = files.read("all", scattered(world.rank()), STANDARD);
    Expect.equal(chunks("all", world, SharedSourceCases::scattered), decoded, "decoded");
    long every = files.read("all", Selection.all(), STANDARD);
    Expect.equal((long) SharedSourceFiles.CHUNKS, every, "decoded");
  }

  /** Returns columns, rows or points for a rank. */
  private static Selection scattered(int rank) {
    return switch (rank % 3) {
      case 0 -> Selection.at(0, rank).stride(1, 3).count(SharedSourceFiles.HEIGHT, 2);
      case 1 -> Selection.at(rank, 0).stride(3, 1).count(12, SharedSourceFiles.WIDTH);
      default -> Selection.points(new long[][] {{40, 3}, {0, 9}, {40, 3}, {35, 1}, {7, 0}});
    };
  }

  /** Returns the number of chunks with elements that any rank selects. */
  private static long chunks(String dataset, Communicator world, IntFunction<Selection> own) {
    return IntStream.range(0, world.size())
        .mapToObj(own)
        .flatMap(selection -> SharedSourceFiles.chunks(dataset, selection))
        .distinct()
        .count();
  }

  private static void manyRounds(SharedSourceFiles files, Communicator world) {
    for (long limit : new long[] {1, 64, 300}) {
      Expect.equal(
          (long) SharedSourceFiles.CHUNKS,
          files.read("all", Selection.all(), STANDARD.withReadLimit(limit)),
          "decoded with limit " + limit);
    }
  }

  private static void nested(SharedSourceFiles files, Communicator world) {
    Expect.equal(
        (long) SharedSourceFiles.CHUNKS,
        files.read("swapped", Selection.all(), STANDARD),
        "decoded");
    IntFunction<Selection> halves = rank -> rank % 2 == 0 ? rows(12, 36) : Selection.all();
    long decoded = files.read("swapped", halves.apply(world.rank()), STANDARD);
    Expect.equal(chunks("swapped", world, halves), decoded, "decoded of halves");
  }

  private static void covered(SharedSourceFiles files, Communicator world) {
    // Several ranks omit the 8 covered chunks; a single rank reads those, and source 3 twice.
    long needed = SharedSourceFiles.CHUNKS - (ranks(world) > 1 ? 8 : -8);
    Expect.equal(needed, files.read("covered", Selection.all(), STANDARD), "decoded");
  }

  private static int ranks(Communicator world) {
    return world.size();
  }

  private static void split(SharedSourceFiles files, Communicator world) {
    try (H5File file = H5File.open(files.file("all.h5"), world)) {
      SharedSourceFiles.compare(file.dataset("all"), rows(0, SharedSourceFiles.ROWS));
      long moved = file.lastTransfer().orElseThrow().bytesMoved();
      long least = world.allReduce(moved, Reduction.MIN);
      long most = world.allReduce(moved, Reduction.MAX);
      // The source has 8 chunks of 40 bytes; each rank sends its share of them to all others.
      long each = 40L * (world.size() - 1);
      Expect.equal(8 / world.size() * each, least, "least bytes sent");
      Expect.equal(Math.ceilDiv(8, world.size()) * each, most, "most bytes sent");
    }
    Expect.equal(8L, files.decoded(), "decoded");
  }

  private static String failure(Dataset dataset, Selection selection) {
    return String.valueOf(
        Expect.thrown(
                CollectiveException.class,
                () -> {
                  int[] unused = dataset.readInts(selection);
                },
                "read")
            .getMessage());
  }

  private static void damagedChunk(SharedSourceFiles files, Communicator world) {
    for (int chunk = 0; chunk < SharedSourceFiles.CHUNKS / 2 / world.size(); chunk++) {
      try (H5File file = H5File.open(files.file("all.h5"), world)) {
        Dataset dataset = file.dataset("all");
        // Once in each process, since the ranks of all processes decode chunks at the same time.
        if (files.isFirstOfProcess()) {
          files.counts().fail(chunk);
        }
        world.barrier();
        String message = failure(dataset, Selection.all());
        Expect.that(
            message.contains("a test makes it fail") && message.matches("(?s).*source\\d\\.h5.*"),
            message);
        world.barrier();
        if (files.isFirstOfProcess()) {
          Expect.that(files.counts().takeFailed(), "chunk " + chunk + " was decoded");
        }
        world.barrier();
        SharedSourceFiles.compare(dataset, Selection.all());
      }
    }
  }

  /** Returns options with which the last rank finds sources in another folder. */
  private static FileOptions elsewhere(SharedSourceFiles files, Communicator world, Path folder) {
    return world.rank() == world.size() - 1
        ? STANDARD.withVirtualPrefix(folder.toString())
        : STANDARD;
  }

  private static void damaged(SharedSourceFiles files, Communicator world) throws IOException {
    Path folder = files.file("elsewhere");
    Path copy = folder.resolve(SharedSourceFiles.name(2));
    if (world.rank() == 0) {
      Files.createDirectory(folder);
      Files.copy(files.file(SharedSourceFiles.name(2)), copy);
      try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
        channel.truncate(40);
      }
    }
    world.barrier();
    FileOptions options = elsewhere(files, world, folder);
    try (H5File file = H5File.open(files.file("all.h5"), world, options)) {
      Dataset dataset = file.dataset("all");
      String message = failure(dataset, Selection.all());
      Expect.that(message.contains(copy.toString()), message);
      SharedSourceFiles.compare(dataset, rows(0, 2L * SharedSourceFiles.ROWS));
    }
  }

  private static void notFound(SharedSourceFiles files, Communicator world) throws IOException {
    Path folder = files.file("elsewhere");
    if (world.rank() == 0) {
      Files.createDirectory(folder);
      // Only the last rank finds the source; it does not exist for the others.
      files.writeSource(folder.resolve(SharedSourceFiles.name(4)), 4);
    }
    world.barrier();
    FileOptions options = elsewhere(files, world, folder);
    try (H5File file = H5File.open(files.file("all.h5"), world, options)) {
      Dataset dataset = file.dataset("all");
      if (ranks(world) > 1) {
        String message = failure(dataset, Selection.all());
        Expect.that(message.contains("source4.h5"), message);
        Expect.that(message.contains("expected=MISSING as on rank 0 actual=FOUND"), message);
      }
      SharedSourceFiles.compare(dataset, rows(0, 4L * SharedSourceFiles.ROWS));
    }
  }

  private static void tooSmall(SharedSourceFiles files, Communicator world) {
    try (H5File file = H5File.open(files.file("all.h5"), world)) {
      Dataset dataset = file.dataset("all");
      for (int victim = 0; victim < world.size(); victim++) {
        int[] buffer = new int[world.rank() == victim ? 3 : 480];
        String message =
            String.valueOf(
                Expect.thrown(
                        CollectiveException.class,
                        () ->
                            dataset.read(
                                Selection.all(), Datatype.I32, MemorySegment.ofArray(buffer)),
                        "read")
                    .getMessage());
        Expect.that(message.contains("the buffer is too small"), message);
        SharedSourceFiles.compare(dataset, Selection.all());
      }
    }
  }
}
