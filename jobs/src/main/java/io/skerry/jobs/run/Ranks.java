package io.skerry.jobs.run;

import java.util.Optional;

/**
 * The ranks that a command requests. Immutable.
 *
 * @param number the requested number of ranks; the number that a launcher has started takes
 *     precedence
 * @param service the ranks that only serve containers; empty if all ranks compute
 */
public record Ranks(int number, Optional<Service> service) {
  /**
   * The last ranks, which only serve the containers of one store.
   *
   * @param number the number of ranks that serve
   * @param scheme the scheme of the locations of these containers
   */
  public record Service(int number, String scheme) {
    /**
     * Returns the reason why this number of ranks cannot serve, if any.
     *
     * @param all the number of ranks of the command
     * @return the reason; empty if at least one rank is left to compute
     */
    Optional<String> refusal(int all) {
      return number < all
          ? Optional.empty()
          : Optional.of(
              "skerry: I/O ranks must be fewer than the ranks: io-ranks="
                  + number
                  + " ranks="
                  + all);
    }
  }

  /** Returns a request for ranks that all compute. */
  public static Ranks of(int number) {
    return new Ranks(number, Optional.empty());
  }
}
