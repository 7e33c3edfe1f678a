package io.skerry.integration.misuse;

import io.skerry.integration.misuse.MismatchedCalls.Expected;
import io.skerry.integration.misuse.MisusedCall.Agreed;
import io.skerry.integration.misuse.MisusedCall.Place;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Pairs of collective calls: one rank (the deviating rank) makes the first call, the others make
 * the second, on the same or another object or file, with the same or another argument. After each
 * pair the ranks write, flush and read. For two or more ranks.
 *
 * <p>By default, one of every 64 pairs is tested; the number of ranks determines which ones. A call
 * that one rank leaves out or makes without an argument is tested with only one choice of deviating
 * rank. {@code -Dskerry.misuse.step=1}, which {@code -Pslow} sets, tests all pairs and ranks.
 */
public final class MisusedPairs implements RankedCases {
  /** The system property that {@link #step} reads. */
  public static final String STEP = "skerry.misuse.step";

  /**
   * The file, object and argument of the deviating rank's call, relative to those of the other
   * ranks.
   */
  enum Where {
    SAME(new Place(1, 1, 0)),
    OTHER_ARGUMENT(new Place(1, 2, 0)),
    OTHER_OBJECT(new Place(2, 1, 0)),
    OTHER_FILE(new Place(1, 1, 0));

    private final Place place;

    Where(Place place) {
      this.place = place;
    }

    Place at(int trial) {
      return new Place(place.object(), place.argument(), trial);
    }

    /** Returns whether two calls agree if one uses this place and the other uses {@link #SAME}. */
    boolean means(Agreed agreed) {
      return switch (this) {
        case SAME -> true;
        case OTHER_ARGUMENT -> agreed != Agreed.ARGUMENT;
        case OTHER_OBJECT -> agreed == Agreed.FILE;
        case OTHER_FILE -> false;
      };
    }
  }

  /** The time at which the deviating rank makes its call. */
  enum When {
    AT_ONCE,
    LATE
  }

  @Override
  public List<RankedCase> cases() {
    Stream<RankedCase> pairs =
        Arrays.stream(MisusedCall.values())
            .map(call ->
                new RankedCase(
                    call.name().toLowerCase(Locale.ROOT) + "_on_one_rank_beside_every_other_call",
                    world -> besideAll(world, call)));
    Stream<RankedCase> left =
        Stream.of(
            new RankedCase("a_call_that_one_rank_leaves_out", MisusedPairs::leftOut),
            new RankedCase("a_call_that_is_refused_on_one_rank", MisusedPairs::refusedBefore),
            new RankedCase("a_call_without_an_argument_on_one_rank", MisusedPairs::missing));
    return Stream.concat(pairs, left).toList();
  }

  /** Returns the step from one tested pair of calls to the next. */
  public static int step() {
    return Integer.getInteger(STEP, 64);
  }

  /**
   * Returns whether a case tests a call with the given deviating rank. If only some pairs are
   * tested, each call is tested with one deviating rank, which depends on the call.
   */
  static boolean isTested(Enum<?> call, int odd, int ranks) {
    return step() == 1 || (call.ordinal() + odd) % ranks == 0;
  }

  private static void besideAll(Communicator world, MisusedCall odd) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      MisusedFile one = MisusedFile.create(folder.file("one.h5"), world);
      MisusedFile other = MisusedFile.create(folder.file("other.h5"), world);
      int trial = 0;
      for (MisusedCall common : MisusedCall.values()) {
        for (Where where : Where.values()) {
          trial++;
          if ((trial + odd.ordinal() + world.size()) % step() != 0) {
            continue;
          }
          int oddRank = trial % world.size();
          When when = trial % 3 == 0 ? When.LATE : When.AT_ONCE;
          Place there = where.at(trial);
          Place here = Where.SAME.at(trial);
          MisusedFile file = where == Where.OTHER_FILE ? other : one;
          boolean same = odd == common && where.means(odd.agreed());
          String label =
              "rank %d in %s %s, the others in %s".formatted(oddRank, odd, where, common);
          new MismatchedCalls(world, label)
              .run(
                  same ? Expected.SAME_OUTCOME : Expected.REFUSED_ON_ALL,
                  () -> {
                    if (world.rank() != oddRank) {
                      common.run(one, here);
                    } else {
                      if (when == When.LATE) {
                        MismatchedCalls.beLate();
                      }
                      odd.run(file, there);
                    }
                  });
          one.requireHealth(world, trial);
        }
      }
      other.requireHealth(world, trial);
      other.file().close();
      one.file().close();
      world.barrier();
    }
  }

  private static void leftOut(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      MisusedFile file = MisusedFile.create(folder.file("one.h5"), world);
      int trial = 0;
      for (MisusedCall call : MisusedCall.values()) {
        for (int odd = 0; odd < world.size(); odd++) {
          if (!isTested(call, odd, world.size())) {
            continue;
          }
          trial++;
          Place place = Where.SAME.at(trial);
          int absent = odd;
          new MismatchedCalls(world, "rank %d leaves out %s".formatted(absent, call))
              .run(
                  Expected.REFUSED_ON_ALL,
                  () -> {
                    if (world.rank() != absent) {
                      call.run(file, place);
                    }
                  });
          file.requireHealth(world, trial);
        }
      }
      file.file().close();
      world.barrier();
    }
  }

  /** Makes each call without an argument on one rank, which all ranks must report as failing. */
  private static void missing(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      MisusedFile file = MisusedFile.create(folder.file("one.h5"), world);
      int trial = 0;
      for (MissingArgument call : MissingArgument.values()) {
        for (int odd = 0; odd < world.size(); odd++) {
          if (!isTested(call, odd, world.size())) {
            continue;
          }
          trial++;
          int mark = trial;
          List<Integer> failing = List.of(odd);
          MissingArgument.Given given =
              world.rank() == odd ? MissingArgument.Given.MISSING : MissingArgument.Given.PRESENT;
          String label = "rank %d lacks an argument of %s".formatted(odd, call);
          new MismatchedCalls(world, label)
              .run(
                  Expected.REFUSED_ON_ALL,
                  () -> requireFailing(failing, label, () -> call.run(file, given, mark)));
          file.requireHealth(world, trial);
        }
      }
      file.file().close();
      world.barrier();
    }
  }

  /**
   * Makes a call; if it throws a {@link CollectiveException}, requires that the exception names
   * exactly the given ranks and does not report different calls.
   */
  private static void requireFailing(List<Integer> failing, String label, Runnable call) {
    try {
      call.run();
    } catch (CollectiveException e) {
      if (!e.failingRanks().equals(failing) || e.reason().startsWith("ranks are in different")) {
        throw new AssertionError(label, e);
      }
      throw e;
    }
  }

  /** Makes each call with an argument that only one rank refuses. */
  private static void refusedBefore(Communicator world) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      MisusedFile file = MisusedFile.create(folder.file("one.h5"), world);
      int trial = 0;
      for (RefusedCall call : RefusedCall.values()) {
        for (int odd = 0; odd < world.size(); odd++) {
          trial++;
          int mark = trial;
          boolean bad = world.rank() == odd;
          new MismatchedCalls(world, "rank %d is refused in %s".formatted(odd, call))
              .run(
                  Expected.REFUSED_ON_ALL,
                  () -> call.run(file, bad ? RefusedCall.Given.BAD : RefusedCall.Given.GOOD, mark));
          file.requireHealth(world, trial);
        }
      }
      file.file().close();
      world.barrier();
    }
  }
}
