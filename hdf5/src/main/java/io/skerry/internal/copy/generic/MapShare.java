package io.skerry.internal.copy.generic;

import io.skerry.MapObject;
import io.skerry.MapObject.Next;
import io.skerry.MapObject.Position;
import io.skerry.spi.Connectors;
import io.skerry.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pairs of a map that one rank copies. The pairs are divided, in iteration order, into batches
 * that the ranks take in turn. Of the batches of other ranks, a rank reads only the keys. Local.
 */
final class MapShare {
  /** The number of pairs in a batch. */
  private static final long BATCH = 4096;

  /** The assumed memory use of a value without its text or bytes, in bytes. */
  private static final long VALUE_BYTES = 64;

  private final MapObject map;
  private final Connectors.Position ranks;
  private Optional<Position> position = Optional.empty();

  /** The number of pairs before the next batch of this rank. */
  private long skipped;

  /** The number of pairs left in the current batch of this rank. */
  private long left = BATCH;

  /**
   * The assumed memory use of the pairs that the current call of {@link #next} has read, in bytes.
   */
  private long read;

  private boolean isRead;

  /**
   * Creates the share of a rank.
   *
   * @param map the map, which must not change
   * @param ranks the position of this rank among those that copy the map
   */
  MapShare(MapObject map, Connectors.Position ranks) {
    this.map = map;
    this.ranks = ranks;
    this.skipped = ranks.rank() * BATCH;
  }

  /** Returns whether all pairs of this rank have been read. */
  boolean isRead() {
    return isRead;
  }

  /**
   * Reads the next pairs: the rest of the current batch, or only as many as are needed to reach
   * {@link CopyRounds#PART} bytes.
   *
   * @return the pairs in iteration order; empty if this rank has no more
   */
  Map<Value, Value> next() {
    if (skipped > 0 && !isRead) {
      moveTo(map.iterateKeys(position, _ -> --skipped == 0 ? Next.STOP : Next.CONTINUE));
    }
    Map<Value, Value> pairs = new LinkedHashMap<>();
    if (isRead) {
      return pairs;
    }
    read = 0;
    moveTo(
        map.iteratePairs(
            position,
            (key, value) -> {
              pairs.put(key, value);
              left--;
              read += bytes(key) + bytes(value);
              return left == 0 || read >= CopyRounds.PART ? Next.STOP : Next.CONTINUE;
            }));
    if (left == 0) {
      left = BATCH;
      skipped = (ranks.of() - 1) * BATCH;
    }
    return pairs;
  }

  private void moveTo(Optional<Position> reached) {
    position = reached;
    isRead = reached.isEmpty();
  }

  private static long bytes(Value value) {
    return VALUE_BYTES
        + switch (value) {
          case Value.Text text -> text.value().length();
          case Value.Opaque opaque -> opaque.bytes().size();
          case Value.Compound compound ->
              compound.fields().stream().mapToLong(field -> bytes(field.value())).sum();
          case Value.Array array -> bytes(array.elements());
          case Value.Sequence sequence -> bytes(sequence.elements());
          default -> 0;
        };
  }

  private static long bytes(List<Value> values) {
    return values.stream().mapToLong(MapShare::bytes).sum();
  }
}
