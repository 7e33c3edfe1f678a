package io.skerry.integration.mpi;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.testkit.launch.MpirunLauncher;
import io.skerry.testkit.launch.MpjLauncher;
import io.skerry.testkit.launch.OpenMpiJar;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The MPI back ends that are jars, with a launcher for each. */
public enum JarBackEnd {
  OPEN_MPI_JAVA,
  MPJ_MULTICORE,
  MPJ_NIODEV;

  /** Returns all back ends; niodev, which takes longest to start, with {@code -Pslow} only. */
  public static List<JarBackEnd> sample() {
    return Stream.of(values())
        .filter(backEnd -> InstalledMpi.isEachTested() || backEnd != MPJ_NIODEV)
        .toList();
  }

  /** Runs a main class on ranks; skips the test with a reason if the back end is absent. */
  public MpirunLauncher.Outcome run(
      int ranks, Duration limit, List<String> jvmOptions, String mainClass, String... arguments)
      throws InterruptedException {
    return switch (this) {
      case OPEN_MPI_JAVA -> runMpirun(ranks, limit, jvmOptions, mainClass, arguments);
      case MPJ_MULTICORE ->
          runMpj(MpjLauncher.Device.MULTICORE, ranks, limit, jvmOptions, mainClass, arguments);
      case MPJ_NIODEV ->
          runMpj(MpjLauncher.Device.NIODEV, ranks, limit, jvmOptions, mainClass, arguments);
    };
  }

  private static MpirunLauncher.Outcome runMpirun(
      int ranks, Duration limit, List<String> jvmOptions, String mainClass, String... arguments)
      throws InterruptedException {
    var mpirun = MpirunLauncher.find();
    var jar = OpenMpiJar.find();
    assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    assumeTrue(jar.isPresent(), OpenMpiJar.MISSING);
    var launcher =
        mpirun.get().withLimit(limit).withEnvironment("SKERRY_MPI", jar.get().toString());
    for (var option : jvmOptions) {
      launcher = launcher.withJvmOption(option);
    }
    return launcher.run(ranks, mainClass, arguments);
  }

  private static MpirunLauncher.Outcome runMpj(
      MpjLauncher.Device device,
      int ranks,
      Duration limit,
      List<String> jvmOptions,
      String mainClass,
      String... arguments)
      throws InterruptedException {
    var found = MpjLauncher.find(device);
    assumeTrue(found.isPresent(), "no MPJ Express: apt-get install libmpj-java");
    var launcher = found.get().withLimit(limit);
    for (var option : jvmOptions) {
      launcher = launcher.withJvmOption(option);
    }
    return launcher.run(ranks, mainClass, arguments);
  }

  /** Returns the name that the back end reports. */
  public String title() {
    return this == OPEN_MPI_JAVA ? "openmpi-java" : "mpj-express";
  }
}
