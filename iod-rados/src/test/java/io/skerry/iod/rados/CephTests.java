package io.skerry.iod.rados;

import static org.junit.jupiter.api.Assumptions.abort;

import io.skerry.iod.engine.EngineLocation;
import io.skerry.testkit.launch.CephCluster;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts one Ceph cluster for all test classes of this JVM, and stops it after the last one. The
 * tests are skipped if Ceph cannot be installed.
 */
final class CephTests implements BeforeAllCallback {
  private Optional<CephCluster> cluster = Optional.empty();

  private static CephCluster start() {
    try {
      return CephCluster.start();
    } catch (CephCluster.MissingException e) {
      return abort("skipped: NO CEPH CLUSTER TO TEST WITH: " + e.getMessage());
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster =
        Optional.of(
            context
                .getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(CephCluster.class, _ -> start(), CephCluster.class));
  }

  CephCluster cluster() {
    return cluster.orElseThrow();
  }

  /** Returns the options of locations in the cluster. */
  String options() {
    return cluster().options();
  }

  /** Returns the location of a container. */
  EngineLocation location(String name) {
    return EngineLocation.of("iod+rados://skerry/" + name + options());
  }

  /** Returns a name that no other test uses. */
  static String unique() {
    return UUID.randomUUID().toString().substring(0, 8);
  }
}
