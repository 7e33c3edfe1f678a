package io.skerry.mpi.internal.base;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.MpiSession;
import io.skerry.mpi.Reduction;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The build of Skerry and the Java version that this process runs. Ranks of different builds could
 * misinterpret each other's messages, so they compare builds at startup.
 *
 * @param text the version of Skerry, a checksum of its jars and the Java version; ranks with equal
 *     texts are assumed to run the same build
 */
public record Build(String text) {
  /**
   * The maximum number of bytes read from the end of a jar. These bytes contain the central
   * directory, which holds the checksum of each class, or the last part of a larger directory.
   */
  private static final int DIRECTORY_BYTES = 1 << 16;

  /**
   * Returns the session after checking that all its ranks run the same build. Collective over its
   * world.
   *
   * @throws MpiException after the session has been ended: of class {@link MpiErrorClass#MISMATCH}
   *     on all ranks if the builds differ (the message names two ranks that differ); of a different
   *     class if the transport fails
   */
  public static MpiSession checked(MpiSession session) {
    if (session.world().size() == 1) {
      return session;
    }
    try {
      ofThisProcess().requireSameOn(session.world());
    } catch (MpiException e) {
      session.end();
      throw e;
    }
    return session;
  }

  /** Returns the build of this process. */
  static Build ofThisProcess() {
    var version =
        Optional.ofNullable(Build.class.getPackage().getImplementationVersion()).orElse("unpacked");
    var checksum = new CRC32();
    jars().forEach(jar -> add(jar, checksum));
    return new Build(
        "Skerry %s %08x on Java %s"
            .formatted(version, checksum.getValue(), Runtime.version().feature()));
  }

  /**
   * Returns Skerry's jars on the class path and the module path, and in the folders named {@code
   * libs} next to the jars on these paths.
   */
  private static Stream<File> jars() {
    var paths =
        System.getProperty("java.class.path", "")
            + File.pathSeparator
            + System.getProperty("jdk.module.path", "");
    return Arrays.stream(paths.split(File.pathSeparator))
        .map(File::new)
        .filter(file -> file.getName().endsWith(".jar"))
        .flatMap(jar -> Stream.concat(Stream.of(jar), libraries(jar)))
        .filter(jar -> jar.getName().startsWith("skerry"))
        .sorted()
        .distinct();
  }

  private static Stream<File> libraries(File jar) {
    return Optional.ofNullable(new File(jar.getAbsoluteFile().getParentFile(), "libs").listFiles())
        .stream()
        .flatMap(Arrays::stream);
  }

  private static void add(File jar, CRC32 checksum) {
    checksum.update(jar.getName().getBytes(UTF_8));
    try (var file = new RandomAccessFile(jar, "r")) {
      long from = Math.max(0, file.length() - DIRECTORY_BYTES);
      var end = new byte[Math.toIntExact(file.length() - from)];
      file.seek(from);
      file.readFully(end);
      checksum.update(end);
    } catch (IOException e) {
      // The class path names a file that is missing or unreadable, presumably on all ranks.
      checksum.update(0);
    }
  }

  /**
   * Compares the builds of all ranks. Collective.
   *
   * @throws MpiException of class {@link MpiErrorClass#MISMATCH} on all ranks if the builds differ;
   *     the message names two ranks that differ
   */
  void requireSameOn(Communicator world) {
    long hash = hash();
    long[] extremes = world.allReduce(new long[] {hash, -hash}, Reduction.MIN);
    if (extremes[0] == -extremes[1]) {
      return;
    }
    var first = new String(world.broadcast(text.getBytes(UTF_8), 0), UTF_8);
    long other = world.allReduce(first.equals(text) ? Long.MAX_VALUE : world.rank(), Reduction.MIN);
    int rank = Math.toIntExact(other);
    var second = new String(world.broadcast(text.getBytes(UTF_8), rank), UTF_8);
    throw new MpiException(
        "start",
        MpiErrorClass.MISMATCH,
        0,
        "ranks of different builds: rank 0 is %s, rank %d is %s; install the same one on all hosts"
            .formatted(first, rank, second),
        world.name(),
        world.rank());
  }

  private long hash() {
    var checksum = new CRC32();
    checksum.update(text.getBytes(UTF_8));
    return checksum.getValue();
  }
}
