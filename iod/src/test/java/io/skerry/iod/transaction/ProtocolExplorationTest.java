package io.skerry.iod.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Visits all states that small programs can reach, with crashes at every message. */
class ProtocolExplorationTest {
  @ParameterizedTest
  @MethodSource("io.skerry.iod.transaction.Scenario#all")
  void every_reachable_state_satisfies_the_invariants(Scenario scenario) {
    Explorer.Outcome outcome = Explorer.explore(scenario);
    System.out.println(
        "states of \""
            + scenario.name()
            + "\": "
            + outcome.states()
            + ", steps: "
            + outcome.steps()
            + ", ends: "
            + outcome.ends());
    assertEquals("", outcome.violation());
    assertTrue(outcome.ends() > 0);
  }
}
