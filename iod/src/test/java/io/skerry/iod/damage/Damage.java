package io.skerry.iod.damage;

import io.skerry.iod.engine.Place;
import io.skerry.iod.object.PlaceNames;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A change of one place.
 *
 * @param shard the shard
 * @param place the place
 * @param stored the bytes to store there, with their trailer; empty if the value is removed
 */
record Damage(int shard, Place place, Optional<byte[]> stored) {
  private static final int SHOWN = 100;

  @Override
  public String toString() {
    return PlaceNames.of(place)
        + " shard "
        + shard
        + " = "
        + stored.map(Damage::shown).orElse("removed");
  }

  private static String shown(byte[] bytes) {
    int shown = Math.min(bytes.length, SHOWN);
    return bytes.length + " bytes " + HexFormat.of().formatHex(bytes, 0, shown);
  }
}
