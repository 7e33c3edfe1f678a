package io.skerry.mpi.internal.mpj;

import java.util.Optional;

/** Carries short packets between the ranks of a job, in order for each pair. */
interface PacketLink {
  /** The longest packet, in bytes. */
  int LONGEST = 96 << 10;

  /** A packet that came, or the reason why none will come any more. */
  record Arrival(int from, byte[] bytes, Optional<Throwable> failure) {}

  /** This rank of the job. */
  int rank();

  /** The number of ranks. */
  int size();

  /** Sends the first bytes of an array, which is the caller's again; for the rank's thread. */
  void send(int to, byte[] packet, int length);

  /** The next packet if there is one; for the rank's thread. */
  Optional<Arrival> poll();

  /** Waits for the next packet; an interrupt stays set. For the rank's thread. */
  Arrival take();
}
