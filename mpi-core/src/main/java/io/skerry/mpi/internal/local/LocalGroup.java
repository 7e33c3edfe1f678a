package io.skerry.mpi.internal.local;

import java.util.HashMap;
import java.util.Map;

/** What the ranks of one communicator share. Guarded by the turnstile. */
final class LocalGroup {
  private final RankScheduler turnstile;
  private final String name;
  private final int[] worldRanks;
  private final Mailbox[] mailboxes;
  private final Map<Long, CollectiveRound> meetings = new HashMap<>();

  /**
   * @param worldRanks the rank in the world of each rank of this group
   */
  LocalGroup(RankScheduler turnstile, String name, int[] worldRanks) {
    this.turnstile = turnstile;
    this.name = name;
    this.worldRanks = worldRanks.clone();
    this.mailboxes = new Mailbox[worldRanks.length];
    for (int i = 0; i < mailboxes.length; i++) {
      mailboxes[i] = new Mailbox();
    }
  }

  RankScheduler turnstile() {
    return turnstile;
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

  /** The meeting of a rank's n-th collective call here. */
  CollectiveRound meeting(long sequence, CallSignature signature, int rank) {
    return meetings.computeIfAbsent(sequence, _ -> new CollectiveRound(signature, rank, size()));
  }

  void forget(long sequence) {
    meetings.remove(sequence);
  }
}
