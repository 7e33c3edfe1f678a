package io.skerry.mpi.internal.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.MpiInstallation;
import io.skerry.mpi.MpiSession;
import io.skerry.mpi.internal.base.KnownIssues;
import io.skerry.mpi.internal.launch.Launcher;
import io.skerry.mpi.internal.launch.LibraryEnvironment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A session of the MPI library, from initialization to finalization; a process can have only one.
 */
public final class FfmSession implements MpiSession {
  private final FfmCommunicator world;

  private FfmSession(FfmCommunicator world) {
    this.world = world;
  }

  /**
   * Loads and initializes the MPI library. Only the calling thread may use it afterwards.
   *
   * @param launcher the launcher of the job; empty if there is none, in which case the world has
   *     one rank
   * @throws MpiException if there is no usable library, if it does not belong to the launcher, or
   *     if it reports an error
   * @throws IllegalStateException if MPI was already started in this process
   */
  public static FfmSession start(Optional<Launcher> launcher) {
    Libmpi.require();
    if (launcher.isEmpty()) {
      LibraryEnvironment.prepareForOneRank();
    }
    try (var arena = Arena.ofConfined()) {
      var answer = arena.allocate(JAVA_INT);
      check(SessionCalls.initialized(answer));
      if (answer.get(JAVA_INT, 0) != 0) {
        throw new IllegalStateException("MPI has already been started in this process");
      }
      int wanted = Libmpi.ABI.threadFunneled();
      check(SessionCalls.initThread(MemorySegment.NULL, MemorySegment.NULL, wanted, answer));
      if (answer.get(JAVA_INT, 0) < wanted) {
        throw new MpiException(
            "start",
            MpiErrorClass.LIBRARY,
            0,
            "the MPI library offers too few threads: expected=%d actual=%d"
                .formatted(wanted, answer.get(JAVA_INT, 0)),
            "world",
            -1);
      }
    }
    var session = new FfmSession(FfmCommunicator.world());
    launcher.ifPresent(session::requireItsRanks);
    return session;
  }

  /**
   * Checks that the world contains all ranks of the job. A library that does not support the
   * launcher would start each rank in a separate world, and all these worlds would write to the
   * same file.
   */
  private void requireItsRanks(Launcher launcher) {
    int size = launcher.size().orElse(world.size());
    if (size == world.size()) {
      return;
    }
    var text =
        "the MPI library does not belong to the launcher: launcher=%s ranks=%d library=%s family=%s"
                .formatted(launcher.kind(), size, Libmpi.file(), Libmpi.ABI.family())
            + " ranksSeen=%d; start with that library's mpirun, or name the launcher's library by %s"
                .formatted(world.size(), LibrarySearch.VARIABLE);
    finish();
    throw new MpiException("start", MpiErrorClass.MISMATCH, 0, text, "world", -1);
  }

  private static void check(int code) {
    ErrorCode.check(code, "start", "world", -1);
  }

  @Override
  public Communicator world() {
    return world;
  }

  @Override
  public MpiInstallation installation() {
    var version =
        Libmpi.versionText().lines().findFirst().orElse("unknown").replaceAll("\\s+", " ");
    return new MpiInstallation(
        "ffm",
        Libmpi.file(),
        version,
        standard(),
        "FUNNELED",
        KnownIssues.of(Libmpi.ABI.family(), version, System.getenv()));
  }

  private static String standard() {
    try (var arena = Arena.ofConfined()) {
      var major = arena.allocate(JAVA_INT);
      var minor = arena.allocate(JAVA_INT);
      check(SessionCalls.standardVersion(major, minor));
      return major.get(JAVA_INT, 0) + "." + minor.get(JAVA_INT, 0);
    }
  }

  @Override
  public void finish() {
    world.enter("finish");
    world.completeMessages();
    // The library must not be called again, even if it cannot be finalized.
    world.markEnded();
    world.check(SessionCalls.finish(), "finish");
  }
}
