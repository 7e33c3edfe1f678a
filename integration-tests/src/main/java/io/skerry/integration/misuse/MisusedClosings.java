package io.skerry.integration.misuse;

import io.skerry.H5File;
import io.skerry.integration.misuse.MismatchedCalls.Expected;
import io.skerry.integration.misuse.MisusedCall.Place;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.WriteMode;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Cases in which one rank closes or discards a file while the other ranks make another call, and
 * cases in which ranks open different files, or one file in different ways. For two or more ranks.
 */
public final class MisusedClosings implements RankedCases {
  private static final Place PLACE = new Place(1, 1, 1);

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase(
            "close_on_one_rank_beside_every_call", world -> besideAll(world, H5File::close)),
        new RankedCase(
            "discard_on_one_rank_beside_every_call", world -> besideAll(world, H5File::discard)),
        new RankedCase("discard_on_one_rank_beside_close", MisusedClosings::discardBesideClose),
        new RankedCase(
            "close_of_another_file_beside_every_call", MisusedClosings::closeOfAnotherFile),
        new RankedCase("openings_that_differ", MisusedClosings::openings));
  }

  private static void besideAll(Communicator world, Consumer<H5File> closing) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      for (MisusedCall call : MisusedCall.values()) {
        for (int odd = 0; odd < world.size(); odd++) {
          if (!MisusedPairs.isTested(call, odd, world.size())) {
            continue;
          }
          int closes = odd;
          Path path = folder.file("one.h5");
          MisusedFile file = MisusedFile.create(path, world);
          new MismatchedCalls(world, "rank %d closes beside %s".formatted(odd, call))
              .run(
                  Expected.REFUSED_ON_ALL,
                  () -> {
                    if (world.rank() == closes) {
                      closing.accept(file.file());
                    } else {
                      call.run(file, PLACE);
                    }
                  });
          file.file().close();
          requireLastFlush(path, world);
        }
      }
    }
  }

  private static void discardBesideClose(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      for (int odd = 0; odd < world.size(); odd++) {
        boolean discards = world.rank() == odd;
        Path path = folder.file("one.h5");
        H5File file = MisusedFile.create(path, world).file();
        new MismatchedCalls(world, "rank %d discards, the others close".formatted(odd))
            .run(
                Expected.REFUSED_ON_ALL,
                () -> {
                  if (discards) {
                    file.discard();
                  } else {
                    file.close();
                  }
                });
        file.close();
        requireLastFlush(path, world);
      }
    }
  }

  private static void closeOfAnotherFile(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      MisusedFile one = MisusedFile.create(folder.file("one.h5"), world);
      MisusedFile other = MisusedFile.create(folder.file("other.h5"), world);
      int trial = 0;
      for (MisusedCall call : MisusedCall.values()) {
        int odd = ++trial % world.size();
        new MismatchedCalls(world, "rank %d closes another file beside %s".formatted(odd, call))
            .run(
                Expected.REFUSED_ON_ALL,
                () -> {
                  if (world.rank() == odd) {
                    other.file().close();
                  } else {
                    call.run(one, PLACE);
                  }
                });
        // Neither file was closed, so no written element is lost.
        one.requireHealth(world, trial);
        other.requireHealth(world, trial);
      }
      other.file().close();
      one.file().close();
    }
  }

  /** Ways to open a file. */
  private enum Opening {
    READ(H5File::open),
    WRITE(H5File::openForWriting),
    CREATE(H5File::create),
    CREATE_NEW(H5File::createNew);

    private final BiFunction<Path, Communicator, H5File> body;

    Opening(BiFunction<Path, Communicator, H5File> body) {
      this.body = body;
    }
  }

  private static void openings(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path one = folder.file("one.h5");
      Path other = folder.file("other.h5");
      MisusedFile.create(one, world).file().close();
      MisusedFile.create(other, world).file().close();
      for (Opening mine : Opening.values()) {
        for (Opening theirs : Opening.values()) {
          if (mine != theirs) {
            refusedOpening(
                world, one, mine + " and " + theirs, world.rank() == 0 ? mine.body : theirs.body);
          }
        }
      }
      refusedOpening(
          world,
          one,
          "different files",
          (path, ranks) -> H5File.open(ranks.rank() == 0 ? other : path, ranks));
      refusedOpening(
          world,
          one,
          "different options",
          (path, ranks) ->
              H5File.openForWriting(
                  path,
                  ranks,
                  ranks.rank() == 0
                      ? FileOptions.standard().withWriteMode(WriteMode.THROUGH)
                      : FileOptions.standard()));
      requireLastFlush(one, world);
      requireLastFlush(other, world);
    }
  }

  private static void refusedOpening(
      Communicator world, Path path, String what, BiFunction<Path, Communicator, H5File> opening) {
    new MismatchedCalls(world, what)
        .run(Expected.REFUSED_ON_ALL, () -> opening.apply(path, world).close());
  }

  /**
   * Requires that the file can be opened and that {@code /chunked1} has the extent of the last
   * flush.
   */
  private static void requireLastFlush(Path path, Communicator world) {
    try (H5File file = H5File.open(path, world)) {
      long elements = file.dataset("/chunked1").shape().elements();
      if (elements != 256) {
        throw new IllegalStateException("the last flush is not there: elements=" + elements);
      }
    }
  }
}
