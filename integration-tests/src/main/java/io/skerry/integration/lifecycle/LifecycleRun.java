package io.skerry.integration.lifecycle;

import io.skerry.integration.random.RandomChoice;
import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Schedule;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Executes random operations on datasets of one type family, file after file. Each file has its own
 * seed and is shared by one to three ranks, which are threads.
 *
 * @param family the family of the datatypes
 * @param folder the folder for the files
 * @param decoder the Python installation with NumPy that runs the independent decoder of closed
 *     files, see {@link Oracle#numpy()}; if empty, closed files are only verified
 */
public record LifecycleRun(TypeFamily family, Path folder, Optional<Oracle> decoder) {
  /** The largest number of operations on a file. */
  private static final int LONGEST = 120;

  /**
   * The counts of a successful run.
   *
   * @param changes the number of operations of each kind
   * @param lives the number of files, each with its own seed
   * @param verified the number of closed files that were verified
   * @param decoded the number of closed files in which the independent decoder found the expected
   *     content
   * @param cells the number of elements in the decoded files
   */
  public record Tally(
      Map<DatasetOperation, Integer> changes, int lives, int verified, int decoded, long cells) {}

  /**
   * Executes a number of operations. The first file uses the given seed, and each subsequent file
   * uses the next seed.
   *
   * @throws AssertionError if a file differs from the model or an operation fails; the message
   *     names the family, the seed and the operation, or contains the output of the decoder
   */
  public Tally run(long seed, int operations) {
    Checkpoints checkpoints = new Checkpoints(folder, decoder);
    Map<DatasetOperation, Integer> changes = new EnumMap<>(DatasetOperation.class);
    int lives = 0;
    for (int left = operations; left > 0; lives++) {
      int some = Math.min(left, length(seed + lives));
      live(checkpoints, seed + lives, some)
          .forEach((change, count) -> changes.merge(change, count, Integer::sum));
      left -= some;
    }
    checkpoints.decodeAll();
    return new Tally(
        changes, lives, checkpoints.verified(), checkpoints.decoded(), checkpoints.cells());
  }

  /**
   * Repeats the operations on the single file with the given seed.
   *
   * @throws AssertionError in the same cases as {@link #run}
   */
  public Tally replay(long seed) {
    return run(seed, length(seed));
  }

  private static int length(long seed) {
    return new RandomChoice(~seed).between(20, LONGEST);
  }

  private Map<DatasetOperation, Integer> live(Checkpoints checkpoints, long seed, int operations) {
    RandomChoice draw = new RandomChoice(~seed);
    int unused = draw.between(20, LONGEST);
    int ranks = draw.pick(List.of(1, 1, 1, 1, 2, 2, 3));
    Schedule schedule = ranks == 1 || draw.chance(0.5) ? Schedule.free() : Schedule.seeded(seed);
    try {
      return LocalRanks.call(
              ranks,
              schedule,
              world ->
                  new DatasetLifecycle(world, folder, family, seed, checkpoints).run(operations))
          .getFirst();
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "seed=" + seed + " ranks=" + ranks + " " + schedule + " " + e.getMessage(), e);
    }
  }
}
