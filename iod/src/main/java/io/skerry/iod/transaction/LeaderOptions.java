package io.skerry.iod.transaction;

import io.skerry.iod.engine.Durability;

/**
 * The fixed properties of a leader.
 *
 * @param processes the number of participants, whose numbers are 0 to {@code processes - 1}
 * @param clients the number of clients, whose numbers are 0 to {@code clients - 1}
 * @param durability the durability with which transactions are prepared
 * @param patience the time in nanoseconds after which a participant that owes an answer counts as
 *     lost
 * @param firstSession the number of the first session, larger than every session number of an
 *     earlier leader of the container, for example the opening time in nanoseconds
 */
public record LeaderOptions(
    int processes, int clients, Durability durability, long patience, long firstSession) {
  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if a number is below 1
   */
  public LeaderOptions {
    if (processes < 1 || clients < 1 || patience < 1 || firstSession < 1) {
      throw new IllegalArgumentException(
          "an option of the leader is too low: expected=at least 1 processes="
              + processes
              + " clients="
              + clients
              + " patience="
              + patience
              + " firstSession="
              + firstSession);
    }
  }
}
