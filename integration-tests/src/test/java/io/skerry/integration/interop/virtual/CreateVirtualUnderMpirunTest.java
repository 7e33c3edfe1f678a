package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.ranked.RankedSuite;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs {@link CreateVirtualCases} on ranks that are processes. */
@Timeout(value = 200, unit = TimeUnit.SECONDS)
class CreateVirtualUnderMpirunTest {
  @Test
  void processes_create_a_virtual_dataset_together() throws InterruptedException {
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    assumeTrue(mpirun.isPresent(), "no mpirun here");
    MpirunLauncher.Outcome outcome =
        mpirun
            .get()
            .withLimit(Duration.ofMinutes(3))
            .run(3, RankedSuite.class.getName(), CreateVirtualCases.class.getName());
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains("3 passed, 0 failed"), outcome.output());
  }
}
