package io.skerry.mpi.internal.mpj;

import java.util.Optional;

/** Transfers short packets between the ranks of a job, in order for each pair of ranks. */
interface PacketLink {
  /** Maximum length of a packet in bytes. */
  int LONGEST = 96 << 10;

  /**
   * A received packet and its sender, or the failure after which no more packets will be received.
   */
  record Arrival(int from, byte[] bytes, Optional<Throwable> failure) {}

  /** Returns the number of this rank in the job. */
  int rank();

  /** Returns the number of ranks of the job. */
  int size();

  /**
   * Sends the first {@code length} bytes of an array, which may be reused when the call returns.
   * Called by the thread of the rank or, to end the job, by another thread while that thread waits.
   */
  void send(int to, byte[] packet, int length);

  /** Returns the next packet; empty if none has been received. Called by the thread of the rank. */
  Optional<Arrival> poll();

  /**
   * Waits for the next packet. An interrupt does not end the wait; the interrupt flag stays set.
   * Called by the thread of the rank.
   */
  Arrival take();
}
