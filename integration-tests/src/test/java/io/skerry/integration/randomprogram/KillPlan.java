package io.skerry.integration.randomprogram;

import java.util.SplittableRandom;

/**
 * How one job is killed; follows from the seed. The instant does so only as far as machines repeat
 * themselves.
 *
 * @param seed of this plan and of what the job writes
 * @param ranks of the job
 * @param victims who is killed
 * @param moment what the kill waits for
 * @param flush number of the flush that it waits for, or after which the job closes the file
 * @param delay from then to the kill, as a part of the time that a flush takes on this machine, or
 *     of a second if none has ended
 */
record KillPlan(long seed, int ranks, Victims victims, Moment moment, int flush, double delay) {
  /** Who is killed. */
  enum Victims {
    ONE_RANK,
    ALL_RANKS
  }

  /** What a kill waits for. */
  enum Moment {
    /** All processes run; the file may not be there yet. */
    STARTED,
    /** A flush is acknowledged; the next changes are made, or one of the next flushes. */
    WRITING,
    /** A flush begins. */
    FLUSHING,
    /** A flush has begun to write its journal. */
    COMMITTING,
    /** The file is about to be closed, with changes that are not stored. */
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

  /** The flush after which the job closes the file. */
  int last() {
    return moment == Moment.CLOSING ? flush : 1_000_000;
  }

  /** The rank that is killed, if it is one. */
  int victim() {
    return new SplittableRandom(~seed).nextInt(ranks);
  }
}
