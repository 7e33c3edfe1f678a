package io.skerry.integration.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedSuite;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@link HintCases} with processes as ranks and with threads as ranks. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HintsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void hints_reach_the_mpi_library(int ranks) throws InterruptedException {
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    assumeTrue(mpirun.isPresent(), "no mpirun here");
    MpirunLauncher.Outcome outcome =
        mpirun
            .get()
            .withLimit(Duration.ofSeconds(100))
            .run(ranks, RankedSuite.class.getName(), HintCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("2 passed, 0 failed"), outcome.output());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void hints_are_accepted_on_ranks_as_threads(int ranks) {
    for (RankedCase test : new HintCases().cases()) {
      LocalRanks.run(ranks, test.body());
    }
  }

  @Test
  void a_stripe_size_that_is_not_a_number_of_bytes_is_refused() {
    for (String unit : new String[] {"", "0", "-1", "1M", "99999999999999"}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> FileOptions.standard().withHints(Map.of("striping_unit", unit)));
    }
  }
}
