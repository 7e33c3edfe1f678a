package io.skerry.iod.damage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Changes keys and values in the databases of a container, below the layer that adds checksums. The
 * number of a case determines its change.
 */
final class RecordMutator {
  private final List<Stored> records = new ArrayList<>();

  /** A key and its value. */
  private record Stored(int shard, byte[] key, byte[] value) {}

  /**
   * A change of a database.
   *
   * @param shard the shard
   * @param removed the key to remove; empty if none
   * @param key the key to store; empty if none
   * @param value its value
   */
  record Change(int shard, byte[] removed, byte[] key, byte[] value) {
    @Override
    public String toString() {
      HexFormat hex = HexFormat.of();
      return "shard "
          + shard
          + " removed "
          + hex.formatHex(removed)
          + " stored "
          + hex.formatHex(key)
          + " = "
          + hex.formatHex(value, 0, Math.min(value.length, 40));
    }

    void apply(Path container) {
      try (Options options = new Options();
          RocksDB database = RocksDB.open(options, folder(container, shard))) {
        if (removed.length > 0) {
          database.delete(removed);
        }
        if (key.length > 0) {
          database.put(key, value);
        }
      } catch (RocksDBException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static String folder(Path container, int shard) {
    return container.resolve("shard-" + shard).toString();
  }

  RecordMutator(Path container, int shards) {
    for (int shard = 0; shard < shards; shard++) {
      try (Options options = new Options();
          RocksDB database = RocksDB.openReadOnly(options, folder(container, shard));
          RocksIterator each = database.newIterator()) {
        for (each.seekToFirst(); each.isValid(); each.next()) {
          records.add(new Stored(shard, each.key(), each.value()));
        }
      } catch (RocksDBException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Returns the change of a case; each kind of key has the same probability. */
  Change change(long number) {
    SplittableRandom random = new SplittableRandom(number);
    List<Byte> kinds = records.stream().map(each -> each.key[0]).distinct().toList();
    byte kind = kinds.get(random.nextInt(kinds.size()));
    List<Stored> ofKind = records.stream().filter(each -> each.key[0] == kind).toList();
    Stored chosen = ofKind.get(random.nextInt(ofKind.size()));
    byte[] none = {};
    return switch (random.nextInt(6)) {
      case 0 -> new Change(chosen.shard, chosen.key, none, none);
      case 1 ->
          new Change(
              chosen.shard,
              random.nextBoolean() ? chosen.key : none,
              mutated(chosen.key, random),
              chosen.value);
      default -> new Change(chosen.shard, none, chosen.key, mutated(chosen.value, random));
    };
  }

  private static byte[] mutated(byte[] bytes, SplittableRandom random) {
    // The first bytes tell kind and size.
    int at = random.nextInt(Math.max(1, Math.min(bytes.length, random.nextBoolean() ? 10 : 200)));
    return switch (bytes.length == 0 ? 1 : random.nextInt(6)) {
      case 0 -> Arrays.copyOf(bytes, Math.max(1, at));
      case 1 -> {
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        longer[bytes.length] = (byte) random.nextInt();
        yield longer;
      }
      case 2 -> {
        byte[] changed = bytes.clone();
        changed[at] = (byte) (random.nextBoolean() ? 0xff : random.nextInt());
        yield changed;
      }
      case 3 -> {
        // A large number with the most significant byte first.
        byte[] changed = bytes.clone();
        for (int i = at; i < Math.min(bytes.length, at + 4); i++) {
          changed[i] = (byte) (i == at ? 0x3f : 0xff);
        }
        yield changed;
      }
      default -> {
        byte[] changed = bytes.clone();
        changed[at] ^= (byte) (1 << random.nextInt(8));
        yield changed;
      }
    };
  }
}
