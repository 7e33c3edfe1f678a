package io.skerry.integration.randomprogram;

import java.util.SplittableRandom;

/**
 * The plan for the kill of a job, derived from the seed. The exact time of the kill also depends on
 * the machine.
 *
 * @param seed the seed of this plan and of the content that the job writes
 * @param ranks the number of ranks of the job
 * @param victims the ranks that are killed
 * @param moment the event before the kill
 * @param flush the number of the flush of that event, or after which the job closes the file
 * @param delay the time from the event to the kill, as a fraction of the duration of the slowest
 *     flush, or of a second if no flush has ended
 */
record KillPlan(long seed, int ranks, Victims victims, Moment moment, int flush, double delay) {
  /** The ranks that are killed. */
  enum Victims {
    ONE_RANK,
    ALL_RANKS
  }

  /** The event before a kill. */
  enum Moment {
    /** All processes run; the file may not exist yet. */
    STARTED,
    /** A flush is acknowledged; the job makes the next changes or executes a later flush. */
    WRITING,
    /** A flush begins. */
    FLUSHING,
    /** A flush has begun to write its journal. */
    COMMITTING,
    /** The file with unflushed changes is about to be closed. */
    CLOSING
  }

  static KillPlan of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int ranks = 2 + random.nextInt(1 + random.nextInt(3));
    Victims victims = random.nextInt(4) == 0 ? Victims.ALL_RANKS : Victims.ONE_RANK;
    int roll = random.nextInt(10);
    Moment moment =
        roll < 1
            ? Moment.STARTED
            : roll < 3
                ? Moment.WRITING
                : roll < 6 ? Moment.FLUSHING : roll < 8 ? Moment.COMMITTING : Moment.CLOSING;
    int flush = random.nextInt(1 + random.nextInt(20));
    return new KillPlan(seed, ranks, victims, moment, flush, random.nextDouble());
  }

  /** Returns the number of the flush after which the job closes the file. */
  int last() {
    return moment == Moment.CLOSING ? flush : 1_000_000;
  }

  /** Returns the rank that is killed, for {@link Victims#ONE_RANK}. */
  int victim() {
    return new SplittableRandom(~seed).nextInt(ranks);
  }
}
