package io.skerry.mpi.internal.local;

import io.skerry.mpi.Communicator;
import java.util.HashMap;
import java.util.Map;

/** The state that the ranks of one communicator share. Guarded by the lock of the scheduler. */
final class LocalGroup {
  private final RankScheduler scheduler;
  private final String name;
  private final int[] worldRanks;
  private final Communicator.RankSet rankSet;
  private final Mailbox[] mailboxes;
  private final Map<Long, CollectiveRound> rounds = new HashMap<>();

  /**
   * Creates a group.
   *
   * @param scheduler the scheduler of the world
   * @param name the name of the communicator
   * @param worldRanks the world rank of each rank of this group
   * @param rankSet the set of these ranks
   */
  LocalGroup(RankScheduler scheduler, String name, int[] worldRanks, Communicator.RankSet rankSet) {
    this.scheduler = scheduler;
    this.name = name;
    this.worldRanks = worldRanks.clone();
    this.rankSet = rankSet;
    this.mailboxes = new Mailbox[worldRanks.length];
    for (int i = 0; i < mailboxes.length; i++) {
      mailboxes[i] = new Mailbox();
    }
  }

  RankScheduler scheduler() {
    return scheduler;
  }

  String name() {
    return name;
  }

  int size() {
    return worldRanks.length;
  }

  Communicator.RankSet rankSet() {
    return rankSet;
  }

  int worldRank(int rank) {
    return worldRanks[rank];
  }

  Mailbox mailbox(int rank) {
    return mailboxes[rank];
  }

  /**
   * Returns the round of the collective call with the given sequence number in this group. The
   * round is created when the first rank makes the call.
   */
  CollectiveRound round(long sequence, CallSignature signature, int rank) {
    return rounds.computeIfAbsent(sequence, _ -> new CollectiveRound(signature, rank, size()));
  }

  void forget(long sequence) {
    rounds.remove(sequence);
  }
}
