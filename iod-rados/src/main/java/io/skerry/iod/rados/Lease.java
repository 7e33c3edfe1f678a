package io.skerry.iod.rados;

import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import io.skerry.iod.rados.library.Pool;
import io.skerry.iod.rados.library.RadosException;
import io.skerry.iod.rados.library.WriteOperation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * The lease of the only opener that may write to a shard: a lock of RADOS on the head of the shard,
 * which expires unless it is renewed, and an attribute that names the opener. The attribute remains
 * if the opener ends without closing; the next opener then makes the cluster block it first.
 */
final class Lease {
  /** The time in seconds after which a lease that is not renewed expires. */
  static final int SECONDS = 30;

  static final String LOCK = "skerry.writer";

  /** Words of the attribute. */
  private static final int COOKIE = 0;

  private static final int CLIENT = 1;
  private static final int ADDRESSES = 2;
  private static final int MACHINE = 3;
  private static final int PROCESS = 4;
  private static final int STARTED = 5;
  private static final int WORDS = 6;

  private final String head;
  private final String cookie;
  private final byte[] writer;

  private Lease(String head, String cookie, byte[] writer) {
    this.head = head;
    this.cookie = cookie;
    this.writer = writer;
  }

  /**
   * Takes the lease of a shard.
   *
   * @param path the name of the shard, for messages
   * @throws ContainerException if another opener holds the lease
   * @throws RadosException if the cluster reports a failure
   */
  static Lease take(Connection connection, Pool pool, String head, String path) {
    String cookie = UUID.randomUUID().toString();
    if (!pool.lock(head, LOCK, cookie, SECONDS)) {
      Optional<String[]> holder = words(pool.attribute(head, ShardNames.WRITER));
      if (holder.isEmpty() || !isDead(holder.get())) {
        throw inUse(path, holder.map(words -> describe(words)).orElse("another opener"));
      }
      pool.breakLock(head, LOCK, holder.get()[CLIENT], holder.get()[COOKIE]);
      if (!pool.lock(head, LOCK, cookie, SECONDS)) {
        throw inUse(path, "another opener");
      }
    }
    boolean isTaken = false;
    try {
      words(pool.attribute(head, ShardNames.WRITER))
          .ifPresent(previous -> block(connection, previous, path));
      byte[] writer = self(connection, cookie);
      try (WriteOperation change = pool.change().attribute(ShardNames.WRITER, writer)) {
        pool.write(head, change);
      }
      isTaken = true;
      return new Lease(head, cookie, writer);
    } finally {
      if (!isTaken) {
        pool.unlock(head, LOCK, cookie);
      }
    }
  }

  /** Blocks an opener that ended without closing, whose changes may still be in transit. */
  private static void block(Connection connection, String[] previous, String path) {
    try {
      connection.cluster().block(previous[ADDRESSES]);
    } catch (RadosException e) {
      boolean isRefused =
          e.number() == RadosException.DENIED || e.number() == RadosException.NOT_PERMITTED;
      if (!isRefused) {
        throw e;
      }
      if (!isDead(previous)) {
        throw inUse(
            path,
            describe(previous)
                + ", which may still write; blocking it needs the capability mon 'profile rbd'");
      }
    }
  }

  private static ContainerException inUse(String path, String holder) {
    return new ContainerException(Reason.IN_USE, path, "an unlocked shard", holder);
  }

  private static byte[] self(Connection connection, String cookie) {
    long process = ProcessHandle.current().pid();
    return String.join(
            " ",
            cookie,
            connection.cluster().client(),
            connection.cluster().addresses(),
            machine(),
            String.valueOf(process),
            started(process).orElse("-"))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static Optional<String[]> words(Optional<byte[]> writer) {
    return writer
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8).split(" ", -1))
        .filter(words -> words.length == WORDS);
  }

  private static String describe(String[] words) {
    return words[CLIENT]
        + " at "
        + words[ADDRESSES]
        + " in process "
        + words[PROCESS]
        + (words[MACHINE].equals(machine()) ? " of this machine" : " of another machine");
  }

  /** Describes the opener that an attribute names. */
  static String describe(byte[] writer) {
    return words(Optional.of(writer))
        .map(words -> describe(words))
        .orElseGet(() -> Arrays.toString(writer));
  }

  /** Returns whether an opener is known to have ended; unknown unless it ran on this machine. */
  private static boolean isDead(String[] words) {
    if (words[MACHINE].equals("-") || !words[MACHINE].equals(machine())) {
      return false;
    }
    try {
      Optional<String> started = started(Long.parseLong(words[PROCESS]));
      return started.isEmpty() || !started.get().equals(words[STARTED]);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Returns the identity of the running system and its PID namespace; "-" if it is unknown. */
  private static String machine() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip()
          + "/"
          + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    } catch (IOException e) {
      return "-";
    }
  }

  /** Returns the time at which a process began, in ticks; empty if it has ended. */
  private static Optional<String> started(long process) {
    try {
      String status = Files.readString(Path.of("/proc/" + process + "/stat"));
      // The name of the program, in parentheses, may contain spaces.
      String[] fields = status.substring(status.lastIndexOf(')') + 2).split(" ", -1);
      return fields[0].equals("Z") ? Optional.empty() : Optional.of(fields[19]);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns the value of the attribute that names the opener. */
  byte[] writer() {
    return writer;
  }

  /** Renews the lease. If another opener holds it by now, changes of the head fail. */
  void renew(Pool pool) {
    boolean unused = pool.lock(head, LOCK, cookie, SECONDS);
  }

  /** Ends the lease, unless another opener has taken it over. */
  boolean release(Pool pool) {
    try (WriteOperation change =
        pool.change().expect(ShardNames.WRITER, writer).removeAttribute(ShardNames.WRITER)) {
      pool.write(head, change);
    } catch (RadosException e) {
      boolean isOther =
          e.number() == RadosException.CANCELED
              || e.number() == RadosException.NO_ENTRY
              || e.number() == RadosException.NO_DATA;
      if (!isOther) {
        throw e;
      }
      return false;
    }
    pool.unlock(head, LOCK, cookie);
    return true;
  }
}
