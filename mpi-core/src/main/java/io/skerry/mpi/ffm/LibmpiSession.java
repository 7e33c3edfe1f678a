package io.skerry.mpi.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.MpiInstallation;
import io.skerry.mpi.base.Session;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/** MPI from its start to its end, which a process can have once. */
public final class LibmpiSession implements Session {

  /** What must be in the environment before the library starts. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          // UCX would take SIGSEGV from the JVM, which dies of its next implicit null check.
          "UCX_ERROR_SIGNALS", "",
          // Sieved reads lose data in Open MPI 4.1.4 (issue 10546 there); sieved writes read,
          // modify and write bytes that belong to other ranks.
          "OMPI_MCA_fbtl_posix_read_datasieving", "0",
          "OMPI_MCA_fbtl_posix_write_datasieving", "0",
          // Sums of bytes saturate in Open MPI 4.1.4's vector unit component instead of wrapping.
          "OMPI_MCA_op", "^avx");

  private final FfmCommunicator world;

  private LibmpiSession(FfmCommunicator world) {
    this.world = world;
  }

  /** Loads and starts the MPI library; the calling thread becomes the one that may use it. */
  public static LibmpiSession start() {
    Libmpi.require();
    ENVIRONMENT.forEach(Libmpi::setEnvironment);
    try (var arena = Arena.ofConfined()) {
      var answer = arena.allocate(JAVA_INT);
      check(SessionCalls.initialized(answer));
      if (answer.get(JAVA_INT, 0) != 0) {
        throw new IllegalStateException("MPI has already been started in this process");
      }
      int wanted = OpenMpiAbi.THREAD_FUNNELED;
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
    return new LibmpiSession(FfmCommunicator.world());
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
    return new MpiInstallation("ffm", "libmpi", "", "", "FUNNELED", "", List.of());
  }

  @Override
  public void finish() {
    world.enter("finish");
    world.check(SessionCalls.finish(), "finish");
  }
}
