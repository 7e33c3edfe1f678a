package io.skerry.iod.rados;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RadosLocationTest {
  private static RadosLocation parse(String text) {
    return RadosLocation.of(EngineLocation.of(text));
  }

  @Test
  void a_location_names_pool_and_container() {
    var location = parse("iod+rados://pool/run");
    assertEquals("pool", location.pool());
    assertEquals("run", location.name());
    assertEquals("client.admin", location.user());
    assertEquals(Optional.empty(), location.configuration());
    assertEquals("iod+rados://pool/run", location.toString());
    assertEquals(location, parse("iod+rados:/pool/run"));
    assertEquals("folder/run.1", parse("iod+rados://pool/folder/run.1").name());
  }

  @Test
  void options_follow_a_question_mark() {
    var location =
        parse(
            "iod+rados://p/run?conf=/etc/c.conf&user=ann&keyring=/k&namespace=n&stripe=4096&timeout=7");
    assertEquals(
        new RadosLocation(
            "p", "run", Optional.of("/etc/c.conf"), "client.ann", Optional.of("/k"), "n", 4096, 7),
        location);
    assertEquals("mds.x", parse("iod+rados://p/run?user=mds.x").user());
  }

  @Test
  void other_forms_are_refused_with_the_expected_one() {
    for (var wrong :
        List.of(
            "iod:run",
            "iod+rados:run",
            "iod+rados://pool",
            "iod+rados://pool/",
            "iod+rados:///run",
            "iod+rados://pool/run/",
            "iod+rados://pool/" + "x".repeat(1001),
            "iod+rados://pool/run?",
            "iod+rados://pool/run?user",
            "iod+rados://pool/run?user=",
            "iod+rados://pool/run?color=red",
            "iod+rados://pool/run?user=a&user=b",
            "iod+rados://pool/run?stripe=1",
            "iod+rados://pool/run?stripe=999999999",
            "iod+rados://pool/run?timeout=soon",
            "iod+rados://pool/run?timeout=0")) {
      if (wrong.endsWith("run?")) {
        assertEquals("run", parse(wrong).name());
        continue;
      }
      var e = assertThrows(IllegalArgumentException.class, () -> parse(wrong), wrong);
      assertTrue(e.getMessage().contains("expected="), e.getMessage());
      assertTrue(e.getMessage().contains("actual="), e.getMessage());
    }
  }

  @Test
  void the_engine_is_found_by_its_scheme() {
    var engine = Engines.of(EngineLocation.of("iod+rados://pool/run"));
    assertEquals(RadosProvider.class, engine.getClass());
  }
}
