package io.skerry.iod.connector;

import io.skerry.mpi.LocalRanks;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Runs random programs of several ranks on shared datasets, and compares with a model. */
class SharedElementsTest {
  private static final int PROGRAMS = 4;

  @TestFactory
  Stream<DynamicTest> elements_are_those_of_the_model() {
    return Stream.of(2, 4)
        .flatMap(ranks ->
            Stream.iterate(0L, seed -> seed < PROGRAMS, seed -> seed + 1)
                .map(seed ->
                    DynamicTest.dynamicTest(
                        "seed " + seed + " on " + ranks,
                        () -> LocalRanks.run(ranks, world -> SharedProgram.run(world, seed)))));
  }
}
