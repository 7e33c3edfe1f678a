package io.skerry.testkit.trial;

import io.skerry.mpi.FileView;
import io.skerry.mpi.MpiException;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Fails one collective file call on one rank: a full device. One per rank. */
final class ArmedFault implements FileProbe {
  private long calls;
  private long failing = -1;
  private int rank;

  /** The {@code call}-th collective file call from now fails on {@code onRank}. */
  void arm(int onRank, long call) {
    calls = 0;
    failing = call;
    rank = onRank;
  }

  void disarm() {
    failing = -1;
  }

  /** Collective file calls since it was armed. */
  long calls() {
    return calls;
  }

  @Override
  public Optional<MpiException> before(
      int caller, FileCall call, FileView view, MemorySegment data) {
    if (call == FileCall.SIZE || call == FileCall.READ_ALONE) {
      return Optional.empty();
    }
    boolean fails = calls++ == failing && caller == rank;
    return fails ? Optional.of(FileProbe.noSpace(caller, call)) : Optional.empty();
  }
}
