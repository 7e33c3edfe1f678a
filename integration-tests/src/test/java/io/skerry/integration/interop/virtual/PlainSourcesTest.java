package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.mpi.LocalRanks;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedSuite;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Runs {@link PlainSourceCases} on ranks that are threads and on ranks that are processes. */
@Timeout(value = 200, unit = TimeUnit.SECONDS)
class PlainSourcesTest {
  private static final List<RankedCase> CASES = new PlainSourceCases().cases();

  @TestFactory
  Stream<DynamicTest> threads_read_elements_without_an_exchange() {
    return Stream.of(1, 2, 4)
        .flatMap(ranks ->
            CASES.stream()
                .map(test ->
                    DynamicTest.dynamicTest(
                        ranks + " " + test.name(), () -> LocalRanks.run(ranks, test.body()))));
  }

  @Test
  void processes_read_elements_without_an_exchange() throws InterruptedException {
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    assumeTrue(mpirun.isPresent(), "no mpirun here");
    MpirunLauncher.Outcome outcome =
        mpirun
            .get()
            .withLimit(Duration.ofMinutes(3))
            .run(2, RankedSuite.class.getName(), PlainSourceCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains(CASES.size() + " passed, 0 failed"), outcome.output());
  }
}
