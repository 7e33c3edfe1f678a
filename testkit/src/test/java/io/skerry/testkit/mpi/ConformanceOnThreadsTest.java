package io.skerry.testkit.mpi;

import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.Schedule;
import io.skerry.testkit.ranked.RankedCases;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Runs every MPI conformance suite on ranks that are threads, with schedules of each kind. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class ConformanceOnThreadsTest {
  private static final List<RankedCases> SUITES =
      List.of(
          new CommunicatorConformance(),
          new ReductionConformance(),
          new MessageConformance(),
          new MpiFileConformance(),
          new FileOpeningConformance(),
          new ReadTargetConformance(),
          new ThreadConformance());

  private static final List<Schedule> SCHEDULES =
      List.of(
          Schedule.free(),
          Schedule.seeded(1),
          Schedule.seeded(2),
          Schedule.seeded(3),
          Schedule.jittered(4));

  @TestFactory
  Stream<DynamicTest> every_case_passes_on_ranks_as_threads() {
    return Stream.of(1, 2, 3, 4, 7)
        .flatMap(ranks -> schedules(ranks).flatMap(schedule -> cases(ranks, schedule)));
  }

  /** Returns all schedules for three ranks, and two of them for other numbers; all if thorough. */
  private static Stream<Schedule> schedules(int ranks) {
    if (ranks == 3 || Boolean.getBoolean("skerry.thorough")) {
      return SCHEDULES.stream();
    }
    return Stream.of(
        Schedule.free(), ranks % 2 == 0 ? Schedule.seeded(ranks / 2) : Schedule.jittered(4));
  }

  private static Stream<DynamicTest> cases(int ranks, Schedule schedule) {
    return SUITES.stream()
        .flatMap(suite -> suite.cases().stream())
        .map(test ->
            DynamicTest.dynamicTest(
                "%s on %d ranks, %s %d"
                    .formatted(test.name(), ranks, schedule.mode(), schedule.seed()),
                () -> LocalRanks.run(ranks, schedule, test.body())));
  }
}
