package io.skerry.mpi.internal.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.mpi.LocalRanks;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import org.junit.jupiter.api.Test;

class BuildTest {
  @Test
  void ranks_of_one_build_agree() {
    LocalRanks.run(3, ranks -> Build.ofThisProcess().requireSameOn(ranks));
  }

  @Test
  void ranks_of_different_builds_all_report_the_same_two() {
    LocalRanks.run(
        4,
        ranks -> {
          var build = new Build(ranks.rank() < 2 ? "Skerry 1" : "Skerry " + ranks.rank());
          var failure = assertThrows(MpiException.class, () -> build.requireSameOn(ranks));
          assertEquals(MpiErrorClass.MISMATCH, failure.errorClass());
          assertTrue(
              failure.text().contains("rank 0 is Skerry 1, rank 2 is Skerry 2"), failure.text());
        });
  }
}
