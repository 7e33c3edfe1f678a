package io.skerry.iod.rados.library;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;

/**
 * A connection to a Ceph cluster. Methods are local and thread-safe; they throw a {@link
 * RadosException} if the library reports a failure. A connection must not be used after {@link
 * #close}.
 */
public final class Cluster implements AutoCloseable {
  private final Librados library;
  private final MemorySegment handle;

  private Cluster(Librados library, MemorySegment handle) {
    this.library = library;
    this.handle = handle;
  }

  /**
   * Connects to a cluster.
   *
   * @param user the name of the user with its type, such as {@code client.admin}
   * @param configuration the path of the configuration file; empty for the default locations
   * @param settings settings that override those of the configuration file
   */
  public static Cluster connect(
      Librados library, String user, Optional<String> configuration, Map<String, String> settings) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      int unusedResult =
          Librados.checked(
              "rados_create2",
              "",
              () ->
                  (int)
                      library.create.invokeExact(
                          made, arena.allocateFrom("ceph"), arena.allocateFrom(user), 0L));
      Cluster cluster = new Cluster(library, made.get(ADDRESS, 0));
      boolean isConnected = false;
      try {
        cluster.configure(configuration, settings);
        int unused =
            Librados.checked(
                "rados_connect", "", () -> (int) library.connect.invokeExact(cluster.handle));
        isConnected = true;
        return cluster;
      } finally {
        if (!isConnected) {
          cluster.close();
        }
      }
    }
  }

  private void configure(Optional<String> configuration, Map<String, String> settings) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment path = configuration.map(arena::allocateFrom).orElse(MemorySegment.NULL);
      int unusedResult =
          Librados.checked(
              "rados_conf_read_file",
              configuration.orElse("the usual configuration files"),
              () -> (int) library.readConfiguration.invokeExact(handle, path));
      settings.forEach((name, value) -> {
        MemorySegment key = arena.allocateFrom(name);
        MemorySegment text = arena.allocateFrom(value);
        int unused =
            Librados.checked(
                "rados_conf_set",
                name + "=" + value,
                () -> (int) library.configure.invokeExact(handle, key, text));
      });
    }
  }

  /** Returns the name of this client, unique in the cluster. */
  public String client() {
    return "client." + Librados.call(() -> (long) library.clientNumber.invokeExact(handle));
  }

  /** Returns the addresses of this client. */
  public String addresses() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      int unused =
          Librados.checked(
              "rados_getaddrs", "", () -> (int) library.addresses.invokeExact(handle, made));
      MemorySegment text = made.get(ADDRESS, 0);
      String addresses = Librados.text(text);
      Librados.run(() -> {
        library.freeBuffer.invokeExact(text);
      });
      return addresses;
    }
  }

  /** Makes the cluster refuse all further operations of a client, for an hour. */
  public void block(String addresses) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(addresses);
      int unused =
          Librados.checked(
              "rados_blocklist_add",
              addresses,
              () -> (int) library.block.invokeExact(handle, text, 3600));
    }
    int unused =
        Librados.checked(
            "rados_wait_for_latest_osdmap", "", () -> (int) library.awaitMap.invokeExact(handle));
  }

  /** Opens a pool. */
  public Pool pool(String name, String namespace) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      MemorySegment text = arena.allocateFrom(name);
      int unused =
          Librados.checked(
              "rados_ioctx_create",
              name,
              () -> (int) library.openPool.invokeExact(handle, text, made));
      MemorySegment pool = made.get(ADDRESS, 0);
      MemorySegment space = arena.allocateFrom(namespace);
      Librados.run(() -> {
        library.setNamespace.invokeExact(pool, space);
        library.refuseWhenFull.invokeExact(pool);
      });
      return new Pool(library, pool);
    }
  }

  /** Disconnects. All pools must have been closed. */
  @Override
  public void close() {
    Librados.run(() -> {
      library.shutdown.invokeExact(handle);
    });
  }
}
