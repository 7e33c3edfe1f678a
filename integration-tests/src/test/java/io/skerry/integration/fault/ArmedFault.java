package io.skerry.integration.fault;

import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Fails one file call on one rank: a full device, or a broken one. One per rank, whose workers may
 * call at any time.
 */
public final class ArmedFault implements FileProbe {
  /** Which calls count. */
  public enum Calls {
    /** What all ranks do together except closings, and writes of one rank. */
    WITHOUT_LONE_READS,
    /** Those, reads of one rank, and closings. */
    ALL
  }

  /** How a call fails. */
  @FunctionalInterface
  public interface Failure {
    MpiException of(int rank, FileCall call);
  }

  private long calls;
  private long failing = -1;
  private int rank;
  private Calls counted = Calls.WITHOUT_LONE_READS;
  private Failure failure = FileProbe::noSpace;

  /** The {@code call}-th file call from now fails on {@code onRank}: no space is left. */
  public void arm(int onRank, long call) {
    arm(onRank, call, Calls.WITHOUT_LONE_READS, FileProbe::noSpace);
  }

  /** The {@code call}-th of those file calls fails on {@code onRank}. */
  public synchronized void arm(int onRank, long call, Calls which, Failure how) {
    calls = 0;
    failing = call;
    rank = onRank;
    counted = which;
    failure = how;
  }

  public synchronized void disarm() {
    failing = -1;
  }

  /** File calls since it was armed. */
  synchronized long calls() {
    return calls;
  }

  @Override
  public synchronized Optional<MpiException> before(
      int caller, FileCall call, FileView view, MemorySegment data) {
    boolean left = call == FileCall.READ_ALONE || call == FileCall.CLOSE;
    if (call == FileCall.SIZE || left && counted == Calls.WITHOUT_LONE_READS) {
      return Optional.empty();
    }
    boolean fails = calls++ == failing && caller == rank;
    return fails ? Optional.of(failure.of(caller, call)) : Optional.empty();
  }
}
