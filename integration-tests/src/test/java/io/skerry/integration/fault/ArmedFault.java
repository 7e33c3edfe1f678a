package io.skerry.integration.fault;

import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import io.skerry.testkit.fault.FileCall;
import io.skerry.testkit.fault.FileProbe;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A probe that fails one file call on one rank, by default with a full device. Each rank has its
 * own probe, which its workers may call concurrently.
 */
public final class ArmedFault implements FileProbe {
  /** The calls that are counted. */
  public enum Calls {
    /** Collective calls except closing, and independent writes. */
    WITHOUT_LONE_READS,
    /** In addition, independent reads and closing. */
    ALL
  }

  /** Creates the failure of a call. */
  @FunctionalInterface
  public interface Failure {
    MpiException of(int rank, FileCall call);
  }

  private long calls;
  private long failing = -1;
  private int rank;
  private Calls counted = Calls.WITHOUT_LONE_READS;
  private Failure failure = FileProbe::noSpace;

  /** Makes file call number {@code call}, from 0, fail on {@code onRank} with no space left. */
  public void arm(int onRank, long call) {
    arm(onRank, call, Calls.WITHOUT_LONE_READS, FileProbe::noSpace);
  }

  /** Makes call number {@code call} of the given calls, from 0, fail on {@code onRank}. */
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

  /** Returns the number of counted calls since the fault was armed. */
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
