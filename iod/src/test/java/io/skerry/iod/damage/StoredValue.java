package io.skerry.iod.damage;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PlaceCodec;
import io.skerry.iod.engine.Version;
import io.skerry.iod.object.Crc64;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.PlaceNames;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A value as the engine stores it.
 *
 * @param shard the shard
 * @param place the place
 * @param bytes the value, a checksum of 8 bytes and a tag of 4 bytes
 */
record StoredValue(int shard, Place place, byte[] bytes) {
  private static final int TRAILER = 12;
  private static final int WITH_CHECKSUM = 0x5ac36d31;

  /** Returns all values at the readable mark. */
  static List<StoredValue> of(Container container) {
    List<StoredValue> values = new ArrayList<>();
    for (int shard = 0; shard < container.info().shards(); shard++) {
      Optional<Version> last = Optional.empty();
      boolean isLast = false;
      while (!isLast) {
        Page<Version> page = container.shard(shard).history(last, PageLimit.DEFAULT);
        for (Version version : page.items()) {
          add(container, shard, version.place(), values);
        }
        isLast = page.isLast();
        last = page.items().isEmpty() ? last : Optional.of(page.items().getLast());
      }
    }
    return values;
  }

  private static void add(Container container, int shard, Place place, List<StoredValue> values) {
    if (!values.isEmpty() && values.getLast().place.equals(place)) {
      return;
    }
    container
        .shard(shard)
        .get(place, container.readableMark(), Arena.ofAuto())
        .ifPresent(bytes ->
            values.add(new StoredValue(shard, place, bytes.toArray(ValueLayout.JAVA_BYTE))));
  }

  byte[] value() {
    return Arrays.copyOf(bytes, bytes.length - TRAILER);
  }

  /** Returns the stored form of a value with its checksum. */
  static byte[] sealed(Place place, byte[] value) {
    long checksum =
        Crc64.update(
            Crc64.of(MemorySegment.ofArray(PlaceCodec.encode(place))),
            MemorySegment.ofArray(value));
    return ByteBuffer.allocate(value.length + TRAILER)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(value)
        .putLong(checksum)
        .putInt(WITH_CHECKSUM)
        .array();
  }

  /** Returns the name of the structure of which this value is an example. */
  String kind() {
    return switch (place) {
      case Place.ScratchPad pad -> "scratch pad of " + new ObjectId(pad.object()).type();
      case Place.Pair pair -> {
        String key = PlaceNames.key(pair.key());
        boolean isMetadata = key.matches("\"(object|skerry|map|serialized)_.*|.*_ids_index\"");
        yield isMetadata ? key : "pair of " + bytes.length;
      }
      case Place.Tile tile -> "tile of " + tile.object();
      case Place.Block block -> "block " + block.number();
    };
  }
}
