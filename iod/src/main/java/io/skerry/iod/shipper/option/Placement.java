package io.skerry.iod.shipper.option;

import java.util.OptionalInt;

/**
 * The division of the ranks of a communicator into clients and I/O ranks. Clients, which are the
 * compute ranks, and I/O ranks are numbered from 0 in the order of their ranks. Immutable. All
 * methods are local and thread-safe, and do not fail unless they say so.
 *
 * <pre>
 * example: 6 ranks, 2 I/O ranks      rank   0   1   2   3   4   5
 * LAST                               I/O                    0   1
 *                                    client 0   1   2   3
 * EVERY_KTH (k = 6 / 2)              I/O            0           1
 *                                    client 0   1       2   3
 * SHARED                             I/O    0           1
 *                                    client 0   1   2   3   4   5
 * </pre>
 *
 * <p>Client c sends its requests on transactions to I/O rank c mod N, and its calls on a shard to
 * the owner of the shard: shard s belongs to I/O rank s mod N. The number of shards is a property
 * of the container, so places keep their shards regardless of the number of I/O ranks.
 *
 * @param ranks the number of ranks
 * @param ioRanks the number N of I/O ranks
 * @param kind the choice of the I/O ranks
 */
public record Placement(int ranks, int ioRanks, Kind kind) {
  /** The choices of I/O ranks. */
  public enum Kind {
    /** The last ranks serve and do not compute. */
    LAST,
    /** Every k-th rank serves and does not compute; k is the number of ranks divided by N. */
    EVERY_KTH,
    /** All ranks compute, and N of them at equal distances also serve while they wait. */
    SHARED
  }

  /**
   * Checks the numbers of ranks.
   *
   * @throws IllegalArgumentException if there is no I/O rank, or no rank is left to compute
   */
  public Placement {
    int most = kind == Kind.SHARED ? ranks : ranks - 1;
    if (ioRanks < 1 || ioRanks > most) {
      throw new IllegalArgumentException(
          "number of I/O ranks: expected=1 to "
              + most
              + " actual="
              + ioRanks
              + " ranks="
              + ranks
              + " placement="
              + kind);
    }
  }

  private int distance() {
    return ranks / ioRanks;
  }

  /** Returns the number of clients. */
  public int clients() {
    return kind == Kind.SHARED ? ranks : ranks - ioRanks;
  }

  /**
   * Returns the rank of an I/O rank.
   *
   * @param number the number of the I/O rank, 0 to {@code ioRanks - 1}
   */
  public int rankOfServer(int number) {
    return switch (kind) {
      case LAST -> ranks - ioRanks + number;
      case EVERY_KTH -> (number + 1) * distance() - 1;
      case SHARED -> number * distance();
    };
  }

  /**
   * Returns the rank of a client.
   *
   * @param number the number of the client, 0 to {@code clients() - 1}
   */
  public int rankOfClient(int number) {
    if (kind != Kind.EVERY_KTH) {
      return number;
    }
    int between = distance() - 1;
    return number + (between == 0 ? ioRanks : Math.min(ioRanks, number / between));
  }

  /** Returns the number of a rank among the I/O ranks; empty if it does not serve. */
  public OptionalInt serverOf(int rank) {
    int number =
        switch (kind) {
          case LAST -> rank - (ranks - ioRanks);
          case EVERY_KTH -> rank % distance() == distance() - 1 ? rank / distance() : -1;
          case SHARED -> rank % distance() == 0 ? rank / distance() : -1;
        };
    return number >= 0 && number < ioRanks ? OptionalInt.of(number) : OptionalInt.empty();
  }

  /** Returns the number of a rank among the clients; empty if it only serves. */
  public OptionalInt clientOf(int rank) {
    if (kind == Kind.SHARED) {
      return OptionalInt.of(rank);
    }
    if (serverOf(rank).isPresent()) {
      return OptionalInt.empty();
    }
    int before = kind == Kind.LAST ? 0 : Math.min(ioRanks, rank / distance());
    return OptionalInt.of(rank - before);
  }

  /** Returns the number of the I/O rank to which a client sends its requests on transactions. */
  public int controlOf(int client) {
    return client % ioRanks;
  }

  /** Returns the number of the I/O rank that owns a shard. */
  public int ownerOf(int shard) {
    return shard % ioRanks;
  }
}
