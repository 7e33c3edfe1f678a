package io.skerry.mpi.internal.local;

import java.util.HashMap;
import java.util.Map;

/** The shared state of the ranks of one communicator. Guarded by the scheduler. */
final class LocalGroup {
  private final RankScheduler scheduler;
  private final String name;
  private final int[] worldRanks;
  private final Mailbox[] mailboxes;
  private final Map<Long, CollectiveRound> rounds = new HashMap<>();

  /**
   * Creates a group.
   *
   * @param scheduler the scheduler of the world
   * @param name the name of the communicator
   * @param worldRanks the rank in the world of each rank of this group
   */
  LocalGroup(RankScheduler scheduler, String name, int[] worldRanks) {
    this.scheduler = scheduler;
    this.name = name;
    this.worldRanks = worldRanks.clone();
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

  int worldRank(int rank) {
    return worldRanks[rank];
  }

  Mailbox mailbox(int rank) {
    return mailboxes[rank];
  }

  /**
   * Returns the collective call with the given sequence number of this group; the first rank
   * creates it.
   */
  CollectiveRound round(long sequence, CallSignature signature, int rank) {
    return rounds.computeIfAbsent(sequence, _ -> new CollectiveRound(signature, rank, size()));
  }

  void forget(long sequence) {
    rounds.remove(sequence);
  }
}
