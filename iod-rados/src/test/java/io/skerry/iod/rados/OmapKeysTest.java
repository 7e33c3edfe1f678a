package io.skerry.iod.rados;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OmapKeysTest {
  private static Place place(Random random) {
    long number = new long[] {0, 1, 2, 255, 256, 257, -1, Long.MIN_VALUE}[random.nextInt(8)];
    return switch (random.nextInt(4)) {
      case 0 -> new Place.Tile(7, number);
      case 1 -> new Place.Block(7, number);
      default -> {
        var key = new byte[random.nextInt(4)];
        for (int i = 0; i < key.length; i++) {
          key[i] = new byte[] {0, 1, 2, 3, -1}[random.nextInt(5)];
        }
        yield new Place.Pair(7, Bytes.of(MemorySegment.ofArray(key)));
      }
    };
  }

  private static long transaction(Random random) {
    return random.nextBoolean() ? 1 + random.nextInt(600) : Long.MAX_VALUE - random.nextInt(600);
  }

  @Test
  void keys_have_the_order_of_versions_and_no_zero_bytes() {
    var random = new Random(3);
    var versions = new ArrayList<Version>();
    for (int i = 0; i < 4000; i++) {
      versions.add(new Version(place(random), transaction(random), OptionalLong.empty()));
    }
    List<Version> sorted = versions.stream().sorted().toList();
    List<Version> byKeys =
        versions.stream().sorted((a, b) -> Arrays.compareUnsigned(key(a), key(b))).toList();
    assertEquals(sorted, byKeys);
    for (var version : versions) {
      var key = key(version);
      for (byte each : key) {
        assertTrue(each != 0);
      }
      assertEquals(
          new OmapKeys.Key(version.place(), version.transaction()), OmapKeys.decode(7, key));
      assertTrue(OmapKeys.startsWith(key, OmapKeys.place(version.place())));
      assertTrue(OmapKeys.startsWith(key, OmapKeys.part(version.place().part())));
      assertTrue(Arrays.compareUnsigned(OmapKeys.before(key), key) < 0);
      assertTrue(Arrays.compareUnsigned(OmapKeys.afterVersions(version.place()), key) > 0);
    }
  }

  private static byte[] key(Version version) {
    return OmapKeys.version(version.place(), version.transaction());
  }

  @Test
  void few_keys_are_between_a_key_and_the_one_before() {
    for (long transaction = 1; transaction < 2000; transaction++) {
      var key = OmapKeys.version(new Place.Tile(7, 5), transaction);
      var before = OmapKeys.before(key);
      int between = 0;
      for (long other = Math.max(1, transaction - 600); other < transaction + 600; other++) {
        var each = OmapKeys.version(new Place.Tile(7, 5), other);
        if (Arrays.compareUnsigned(each, before) > 0 && Arrays.compareUnsigned(each, key) < 0) {
          between++;
        }
      }
      assertTrue(between <= 3, transaction + ": " + between);
    }
  }

  @Test
  void damaged_keys_are_reported() {
    var key = OmapKeys.version(new Place.Tile(7, 5), 9);
    var random = new Random(5);
    for (int i = 0; i < 2000; i++) {
      var damaged = Arrays.copyOf(key, random.nextInt(key.length + 3));
      for (int n = 0; n < 2 && damaged.length > 0; n++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        assertTrue(OmapKeys.decode(7, damaged).transaction() > 0);
      } catch (FormatException e) {
        assertTrue(String.valueOf(e.getMessage()).contains("expected"), e.getMessage());
      }
    }
    assertThrows(FormatException.class, () -> OmapKeys.object(new byte[] {'o', '1'}));
    assertThrows(FormatException.class, () -> OmapKeys.transactionOfChanges(new byte[26]));
  }
}
