package io.skerry.mpi.internal.local;

import io.skerry.mpi.Schedule;

/** Pseudo-random choices, reproducible from the seed of the schedule. */
final class SeededChoices {
  private static final long NEXT_RANK = 1;
  private static final long DELAY = 2;
  private static final long RENDEZVOUS = 3;
  private static final long DELIVERY = 4;
  private static final int LONGEST_DELAY_MICROS = 300;

  private final Schedule schedule;

  SeededChoices(Schedule schedule) {
    this.schedule = schedule;
  }

  boolean serialized() {
    return schedule.mode() == Schedule.Mode.SERIALIZED;
  }

  boolean jittered() {
    return schedule.mode() == Schedule.Mode.JITTERED;
  }

  boolean fails(int rank, long call) {
    return schedule.failures().contains(new Schedule.FailurePoint(rank, call));
  }

  /** Returns the index, among {@code candidates} ranks, of the rank that proceeds next. */
  int nextRank(long step, int candidates) {
    return choice(NEXT_RANK, 0, step, candidates);
  }

  /** Returns the delay at a point in nanoseconds; about half of the points have no delay. */
  long delayNanos(int rank, long call) {
    int micros = choice(DELAY, rank, call, 2 * LONGEST_DELAY_MICROS) - LONGEST_DELAY_MICROS;
    return Math.max(0, micros) * 1000L;
  }

  /** Returns whether a send waits for its receiver, as MPI permits. */
  boolean rendezvous(int rank, long call) {
    return schedule.mode() != Schedule.Mode.FREE && choice(RENDEZVOUS, rank, call, 2) == 0;
  }

  /**
   * Returns the index, among {@code candidates} senders, of the sender whose message a receive from
   * any source matches.
   */
  int delivery(int rank, long call, int candidates) {
    return schedule.mode() == Schedule.Mode.FREE ? 0 : choice(DELIVERY, rank, call, candidates);
  }

  private int choice(long purpose, int rank, long index, int bound) {
    long mixed = mix(mix(mix(schedule.seed() ^ (purpose << 56)) + rank) + index);
    return (int) Long.remainderUnsigned(mixed, bound);
  }

  // The finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
  private static long mix(long z) {
    z += 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  @Override
  public String toString() {
    return schedule.toString();
  }
}
