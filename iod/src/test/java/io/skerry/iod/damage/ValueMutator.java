package io.skerry.iod.damage;

import io.skerry.format.Bytes;
import io.skerry.iod.engine.Place;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Chooses the damage of each case. The number of a case determines it. All kinds of values are
 * chosen with the same probability, however many there are of each.
 */
final class ValueMutator {
  private static final long[] FIELDS = {
    0,
    1,
    2,
    3,
    5,
    7,
    8,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0xffff,
    0x10_0000,
    0x7fff_ffffL,
    0x8000_0000L,
    0xffff_ffffL,
    0x1_0000_0000L,
    1L << 40,
    1L << 62,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2
  };

  private final List<StoredValue> values;
  private final List<List<StoredValue>> kinds;
  private final int shards;

  ValueMutator(List<StoredValue> values, int shards) {
    this.values = values;
    this.shards = shards;
    TreeMap<String, List<StoredValue>> byKind = new TreeMap<>();
    values.forEach(
        value -> byKind.computeIfAbsent(value.kind(), _ -> new ArrayList<>()).add(value));
    this.kinds = List.copyOf(byKind.values());
  }

  int kinds() {
    return kinds.size();
  }

  List<Damage> damages(long number) {
    SplittableRandom random = new SplittableRandom(number);
    List<Damage> damages = new ArrayList<>();
    int count = 1 + random.nextInt(6) / 5;
    for (int i = 0; i < count; i++) {
      damages.addAll(one(random));
    }
    return damages;
  }

  private StoredValue chosen(SplittableRandom random) {
    List<StoredValue> kind = kinds.get(random.nextInt(kinds.size()));
    return kind.get(random.nextInt(kind.size()));
  }

  private List<Damage> one(SplittableRandom random) {
    StoredValue value = chosen(random);
    return switch (random.nextInt(16)) {
      case 0 -> List.of(removal(value));
      case 1, 2 -> moved(value, random);
      // The checksum differs.
      case 3 -> List.of(changed(value, mutated(value.bytes(), random)));
      default -> {
        byte[] bytes = value.value();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          bytes = mutated(bytes, random);
        }
        yield List.of(changed(value, StoredValue.sealed(value.place(), bytes)));
      }
    };
  }

  private static Damage removal(StoredValue value) {
    return new Damage(value.shard(), value.place(), Optional.empty());
  }

  private static Damage changed(StoredValue value, byte[] stored) {
    return new Damage(value.shard(), value.place(), Optional.of(stored));
  }

  /** Stores a value at another place, or in another shard, and keeps or removes it. */
  private List<Damage> moved(StoredValue value, SplittableRandom random) {
    Place place = random.nextInt(8) == 0 ? value.place() : moved(value.place(), random);
    int shard = random.nextInt(4) == 0 ? random.nextInt(shards) : value.shard();
    Damage stored = new Damage(shard, place, Optional.of(StoredValue.sealed(place, value.value())));
    boolean isSame = place.equals(value.place()) && shard == value.shard();
    return isSame || random.nextBoolean() ? List.of(stored) : List.of(removal(value), stored);
  }

  private Place moved(Place place, SplittableRandom random) {
    long object =
        switch (random.nextInt(6)) {
          case 0 -> chosen(random).place().object();
          case 1 -> place.object() ^ 1L << random.nextInt(64);
          default -> place.object();
        };
    return switch (place) {
      case Place.ScratchPad _ ->
          new Place.ScratchPad(object == place.object() ? chosen(random).place().object() : object);
      case Place.Pair pair -> {
        byte[] key = mutated(pair.key().segment().toArray(ValueLayout.JAVA_BYTE), random);
        byte[] stored = Arrays.copyOf(key, Math.min(key.length, Place.LONGEST_KEY));
        yield new Place.Pair(object, Bytes.of(MemorySegment.ofArray(stored)));
      }
      case Place.Tile tile -> new Place.Tile(object, number(tile.number(), random));
      case Place.Block block -> new Place.Block(object, number(block.number(), random));
    };
  }

  private static long number(long before, SplittableRandom random) {
    return switch (random.nextInt(3)) {
      case 0 -> before + 1;
      case 1 -> random.nextLong();
      default -> FIELDS[random.nextInt(FIELDS.length)];
    };
  }

  private byte[] mutated(byte[] bytes, SplittableRandom random) {
    int at = bytes.length == 0 ? 0 : random.nextInt(Math.min(bytes.length, 4096));
    int choice = bytes.length == 0 ? 1 : random.nextInt(12);
    return switch (choice) {
      case 0 -> Arrays.copyOf(bytes, at);
      case 1 -> {
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        System.arraycopy(bytes, at, longer, at + 1, bytes.length - at);
        longer[at] = (byte) random.nextInt();
        yield longer;
      }
      case 2 -> {
        byte[] shorter = Arrays.copyOf(bytes, bytes.length - 1);
        System.arraycopy(bytes, at + 1, shorter, at, bytes.length - at - 1);
        yield shorter;
      }
      case 3 -> values.get(random.nextInt(values.size())).value();
      default -> {
        byte[] changed = bytes.clone();
        field(changed, at, choice, random);
        yield changed;
      }
    };
  }

  /** Replaces a field. */
  private void field(byte[] bytes, int at, int choice, SplittableRandom random) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long value = FIELDS[random.nextInt(FIELDS.length)];
    int aligned = at & -8;
    if (choice == 4 && at + 4 <= bytes.length) {
      buffer.putInt(at, (int) value);
    } else if (choice == 5 && at + 8 <= bytes.length) {
      buffer.putLong(at, value);
    } else if (choice == 6 && aligned + 8 <= bytes.length) {
      buffer.putLong(aligned, buffer.getLong(aligned) + random.nextInt(-2, 3));
    } else if (choice <= 8 && aligned + 8 <= bytes.length) {
      // The identifier of another object.
      buffer.putLong(aligned, chosen(random).place().object());
    } else if (choice == 9) {
      bytes[at] = (byte) value;
    } else {
      bytes[at] ^= (byte) (1 << random.nextInt(8));
    }
  }
}
