package io.skerry.mpi;

import java.util.List;

/** Runs n ranks as n threads of this JVM. */
public final class LocalRanks {
  private LocalRanks() {}

  /** Runs the body on all ranks and returns when all are through. */
  public static void run(int ranks, RankBody body) {
    run(ranks, Schedule.free(), body);
  }

  /** The same under a schedule. */
  public static void run(int ranks, Schedule schedule, RankBody body) {
    throw new UnsupportedOperationException();
  }

  /** The answers of all ranks, by rank. */
  public static <T> List<T> call(int ranks, RankFunction<T> function) {
    return call(ranks, Schedule.free(), function);
  }

  /** The same under a schedule. */
  public static <T> List<T> call(int ranks, Schedule schedule, RankFunction<T> function) {
    throw new UnsupportedOperationException();
  }
}
