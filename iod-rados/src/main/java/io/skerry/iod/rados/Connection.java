package io.skerry.iod.rados;

import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import io.skerry.iod.engine.EngineException.Fault;
import io.skerry.iod.rados.library.Cluster;
import io.skerry.iod.rados.library.Librados;
import io.skerry.iod.rados.library.Pool;
import io.skerry.iod.rados.library.RadosException;
import java.util.HashMap;
import java.util.Map;

/** The connection of an open container to its cluster. Local, thread-safe. */
final class Connection implements AutoCloseable {
  /** The time in seconds after which the cluster counts as unreachable. */
  private static final int CONNECTING = 15;

  private final RadosLocation location;
  private final Cluster cluster;

  private Connection(RadosLocation location, Cluster cluster) {
    this.location = location;
    this.cluster = cluster;
  }

  /**
   * Connects to the cluster of a location.
   *
   * @throws io.skerry.iod.engine.EngineException if the library is missing, the cluster cannot be
   *     reached in time, or it refuses the user
   */
  static Connection open(RadosLocation location) {
    Faults faults = Faults.of(location);
    try {
      return new Connection(
          location,
          Cluster.connect(
              Librados.get(), location.user(), location.configuration(), settings(location)));
    } catch (Librados.MissingException e) {
      throw faults.of(Fault.UNAVAILABLE, String.valueOf(e.getMessage()), e);
    } catch (RadosException e) {
      throw faults.of(
          e.number() == RadosException.TIMED_OUT ? Fault.INPUT_OUTPUT : Fault.UNAVAILABLE,
          e,
          explained(location, e));
    }
  }

  private static String explained(RadosLocation location, RadosException e) {
    String who =
        " user="
            + location.user()
            + " keyring="
            + location.keyring().orElse("of the configuration")
            + " configuration="
            + location.configuration().orElse("the usual files")
            + ": "
            + Faults.text(e);
    return switch (e.number()) {
      case RadosException.TIMED_OUT ->
          "the cluster cannot be reached within " + connecting(location) + " s:" + who;
      case RadosException.DENIED, RadosException.NOT_PERMITTED ->
          "the cluster refuses the user or its key:" + who;
      case RadosException.NO_ENTRY -> "no configuration, or no key of the user:" + who;
      default -> "the cluster cannot be used:" + who;
    };
  }

  private static int connecting(RadosLocation location) {
    return Math.min(CONNECTING, location.seconds());
  }

  private static Map<String, String> settings(RadosLocation location) {
    Map<String, String> settings = new HashMap<>();
    settings.put("client_mount_timeout", String.valueOf(connecting(location)));
    settings.put("rados_mon_op_timeout", String.valueOf(location.seconds()));
    settings.put("rados_osd_op_timeout", String.valueOf(location.seconds()));
    // Failures are reported by exceptions, and the output streams belong to the program.
    settings.put("log_to_stderr", "false");
    settings.put("err_to_stderr", "false");
    settings.put("log_file", "");
    settings.put("admin_socket", "");
    location.keyring().ifPresent(file -> settings.put("keyring", file));
    return settings;
  }

  RadosLocation location() {
    return location;
  }

  Cluster cluster() {
    return cluster;
  }

  /**
   * Opens the pool of the location.
   *
   * @throws ContainerException if there is no such pool
   */
  Pool pool() {
    try {
      return cluster.pool(location.pool(), location.namespace());
    } catch (RadosException e) {
      if (e.number() == RadosException.NO_ENTRY) {
        throw new ContainerException(
            Reason.MISSING, location.toString(), "the pool " + location.pool(), "no such pool");
      }
      throw Faults.of(location).of(e);
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
