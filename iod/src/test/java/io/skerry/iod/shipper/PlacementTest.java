package io.skerry.iod.shipper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.shipper.option.Placement;
import java.util.HashSet;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlacementTest {
  @ParameterizedTest
  @EnumSource
  void each_rank_has_its_part(Placement.Kind kind) {
    for (int ranks = 1; ranks <= 40; ranks++) {
      int most = kind == Placement.Kind.SHARED ? ranks : ranks - 1;
      for (int servers = 1; servers <= most; servers++) {
        check(new Placement(ranks, servers, kind));
      }
      int number = ranks;
      assertThrows(IllegalArgumentException.class, () -> new Placement(number, most + 1, kind));
      assertThrows(IllegalArgumentException.class, () -> new Placement(number, 0, kind));
    }
  }

  private static void check(Placement placement) {
    var servers = new HashSet<Integer>();
    for (int n = 0; n < placement.ioRanks(); n++) {
      int rank = placement.rankOfServer(n);
      assertEquals(OptionalInt.of(n), placement.serverOf(rank), placement.toString());
      assertTrue(servers.add(rank) && rank >= 0 && rank < placement.ranks());
    }
    var clients = new HashSet<Integer>();
    for (int n = 0; n < placement.clients(); n++) {
      int rank = placement.rankOfClient(n);
      assertEquals(OptionalInt.of(n), placement.clientOf(rank), placement + " client " + n);
      assertTrue(clients.add(rank) && rank >= 0 && rank < placement.ranks());
      assertEquals(n % placement.ioRanks(), placement.controlOf(n));
    }
    for (int rank = 0; rank < placement.ranks(); rank++) {
      assertEquals(servers.contains(rank), placement.serverOf(rank).isPresent());
      assertEquals(clients.contains(rank), placement.clientOf(rank).isPresent());
    }
    if (placement.kind() != Placement.Kind.SHARED) {
      assertEquals(placement.ranks(), servers.size() + clients.size());
    }
  }

  @Test
  void the_examples_of_the_documentation_hold() {
    var last = new Placement(6, 2, Placement.Kind.LAST);
    assertEquals(4, last.rankOfServer(0));
    var kth = new Placement(6, 2, Placement.Kind.EVERY_KTH);
    assertEquals(2, kth.rankOfServer(0));
    assertEquals(3, kth.rankOfClient(2));
    var shared = new Placement(6, 2, Placement.Kind.SHARED);
    assertEquals(3, shared.rankOfServer(1));
    assertEquals(5, shared.rankOfClient(5));
  }
}
