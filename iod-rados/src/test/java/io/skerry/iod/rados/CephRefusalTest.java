package io.skerry.iod.rados;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.rados.library.Librados;
import io.skerry.iod.rados.library.Pool;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Locations that cannot be used are refused with the reason, in bounded time. */
class CephRefusalTest {
  @RegisterExtension static final CephTests CEPH = new CephTests();

  @TempDir Path folder;

  private final String unique = CephTests.unique();
  private final RadosProvider engine = new RadosProvider();

  private static void assertContains(Exception e, String... parts) {
    for (var part : parts) {
      assertTrue(String.valueOf(e.getMessage()).contains(part), e.getMessage());
    }
  }

  @Test
  void a_missing_library_is_named() {
    var e =
        assertThrows(Librados.MissingException.class, () -> Librados.load("librados-none.so.2"));
    assertContains(e, "librados-none.so.2", "librados2");
  }

  @Test
  void an_unreachable_cluster_is_reported_in_bounded_time() throws Exception {
    var configuration = folder.resolve("ceph.conf");
    Files.writeString(
        configuration,
        Files.readString(CEPH.cluster().folder().resolve("ceph.conf"))
            .replaceAll("mon host = .*", "mon host = [v2:127.0.0.1:1]"));
    var location =
        EngineLocation.of("iod+rados://skerry/x?timeout=2&user=skerry&conf=" + configuration);
    var begin = Instant.now();
    var e = assertThrows(EngineException.class, () -> engine.info(location));
    assertContains(e, "cannot be reached within 2 s", "client.skerry", configuration.toString());
    assertEquals(EngineException.Fault.INPUT_OUTPUT, e.fault());
    assertTrue(Duration.between(begin, Instant.now()).toSeconds() < 20);
  }

  @Test
  void a_wrong_key_is_refused() throws Exception {
    var keyring = folder.resolve("keyring");
    Files.writeString(keyring, "[client.skerry]\nkey = AQBWGpRiAAAAABAAqhFT4YQqkbAmXcmEpYxQTA==\n");
    var location = EngineLocation.of(CEPH.location("x") + "&keyring=" + keyring);
    var e = assertThrows(EngineException.class, () -> engine.info(location));
    assertContains(e, "refuses the user or its key", "client.skerry", keyring.toString());
    assertEquals(EngineException.Fault.UNAVAILABLE, e.fault());
  }

  @Test
  void a_missing_keyring_or_configuration_is_named() {
    var keyring = EngineLocation.of(CEPH.location("x") + "&keyring=" + folder + "/none");
    assertContains(
        assertThrows(EngineException.class, () -> engine.info(keyring)), "no key", "/none");
    var configuration = EngineLocation.of("iod+rados://skerry/x?conf=" + folder + "/none.conf");
    assertContains(
        assertThrows(EngineException.class, () -> engine.info(configuration)),
        "no configuration",
        "/none.conf");
  }

  @Test
  void a_missing_pool_is_named() {
    var location = EngineLocation.of("iod+rados://swamp/x" + CEPH.options());
    var e = assertThrows(ContainerException.class, () -> engine.create(location, 1));
    assertEquals(ContainerException.Reason.MISSING, e.reason());
    assertContains(e, "the pool swamp", "no such pool");
  }

  @Test
  void a_foreign_object_is_neither_opened_nor_replaced_nor_removed() {
    var location = CEPH.location(unique);
    try (var connection = Connection.open(RadosLocation.of(location));
        var pool = connection.pool();
        var arena = Arena.ofConfined();
        var change = pool.change()) {
      pool.write(unique, change.data(arena.allocateFrom("not a container")));
    }
    reason(ContainerException.Reason.NOT_A_CONTAINER, () -> engine.info(location));
    reason(
        ContainerException.Reason.NOT_A_CONTAINER, () -> engine.open(location, Opening.reading()));
    reason(ContainerException.Reason.EXISTS, () -> engine.create(location, 1));
    reason(ContainerException.Reason.NOT_A_CONTAINER, () -> engine.remove(location));
  }

  private static void reason(ContainerException.Reason reason, Runnable call) {
    var e = assertThrows(ContainerException.class, call::run);
    assertEquals(reason, e.reason(), e.getMessage());
  }

  @Test
  void an_incomplete_container_is_removed_but_not_opened() {
    var location = CEPH.location(unique);
    engine.create(location, 2);
    withPool(
        location,
        pool ->
            new Description(pool, RadosLocation.of(location)).set(Description.State.INCOMPLETE));
    reason(ContainerException.Reason.INCOMPLETE, () -> engine.open(location, Opening.reading()));
    engine.remove(location);
    reason(ContainerException.Reason.MISSING, () -> engine.info(location));
  }

  @Test
  void a_missing_shard_is_reported() {
    var location = CEPH.location(unique);
    var info = engine.create(location, 2);
    withPool(
        location,
        pool -> {
          try (var change = pool.change()) {
            pool.write(ShardNames.of(info.id(), 1).head(), change.remove());
          }
        });
    reason(ContainerException.Reason.WRONG_SHARD, () -> engine.open(location, Opening.reading()));
    reason(ContainerException.Reason.WRONG_SHARD, () -> engine.open(location, Opening.writing()));
    engine.remove(location);
  }

  @Test
  void a_removed_container_leaves_no_object() {
    var location =
        EngineLocation.of(CEPH.location(unique) + "&namespace=" + unique + "&stripe=4096");
    engine.create(location, 2);
    try (var container = engine.open(location, Opening.writing())) {
      container.recover();
      Samples.write(container, 1, 20_000);
      assertTrue(container.advance(0, 1));
      container.snapshots().take("s", 1);
      Samples.write(container, 2, 20_000);
    }
    engine.remove(location);
    var left = new ArrayList<String>();
    withPool(location, pool -> pool.names(left::add));
    // The cluster lists removed objects until it has removed them from the snapshots.
    withPool(location, pool -> left.removeIf(name -> pool.size(name).isEmpty()));
    assertEquals(List.of(), left);
  }

  @Test
  void a_namespace_has_its_own_containers() {
    var one = EngineLocation.of(CEPH.location(unique) + "&namespace=one");
    var two = EngineLocation.of(CEPH.location(unique) + "&namespace=two");
    var info = engine.create(one, 1);
    reason(ContainerException.Reason.MISSING, () -> engine.info(two));
    assertTrue(!engine.create(two, 1).id().equals(info.id()));
    assertEquals(info, engine.info(one));
  }

  private interface Step {
    void run(Pool pool);
  }

  private static void withPool(EngineLocation location, Step step) {
    try (var connection = Connection.open(RadosLocation.of(location));
        var pool = connection.pool()) {
      step.run(pool);
    }
  }
}
