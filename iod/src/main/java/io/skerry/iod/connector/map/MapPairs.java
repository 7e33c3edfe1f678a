package io.skerry.iod.connector.map;

import io.skerry.DatasetWrite;
import io.skerry.MapObject.KeyVisitor;
import io.skerry.MapObject.Next;
import io.skerry.MapObject.PairVisitor;
import io.skerry.MapObject.Position;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.internal.value.StoredContents;
import io.skerry.iod.connector.store.Session;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.KeyValue;
import io.skerry.iod.object.KeyValueObject;
import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.PlaceNames;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.MapTypes;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.parallel.Operation;
import io.skerry.spi.ObjectPath;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The pairs of a map of an open file. All methods are local, may be called by the threads that
 * {@link io.skerry.MapObject} names, and throw the exceptions that it describes.
 */
public final class MapPairs {
  private static final SegmentAllocator HEAP = (bytes, _) -> HeapBytes.allocate(bytes);

  private final Session session;
  private final StoredContents contents;
  private final ObjectPath location;
  private final ObjectId id;
  private final MapTypes types;
  private final PairForm keys;
  private final PairForm values;

  /** The number of link changes at which the map was last found to exist. */
  private final AtomicLong found = new AtomicLong(-1);

  /**
   * Creates access to the pairs of a map.
   *
   * @param session the open file
   * @param contents access to the objects of the file
   * @param location the path of the map, for messages
   * @param id the identifier of the map
   * @param types the datatypes of the map
   */
  public MapPairs(
      Session session, Contents contents, ObjectPath location, ObjectId id, MapTypes types) {
    this.session = session;
    this.contents = StoredContents.of(contents);
    this.location = location;
    this.id = id;
    this.types = types;
    String where = location.shown();
    this.keys = new PairForm(types.key(), PairForm.Role.KEY, Place.LONGEST_KEY, where);
    this.values =
        new PairForm(types.value(), PairForm.Role.VALUE, ValueChanges.LARGEST_VALUE, where);
  }

  /**
   * Checks that the map still exists. Reads the container only if links may have changed since the
   * last check, because only a change of links can delete the map.
   */
  private void requirePresent(Values current) {
    long changes = session.changesOfLinks();
    if (found.get() != changes) {
      if (StoredObject.findPad(current, id).isEmpty()) {
        throw new IllegalStateException(
            "the object was deleted: object="
                + location.shown()
                + " file="
                + session.path().toString());
      }
      found.set(changes);
    }
  }

  private <T> T look(Function<KeyValueObject, T> read) {
    return session.look(current -> {
      requirePresent(current);
      return located(() -> read.apply(new KeyValueObject(id, current)));
    });
  }

  private <T> T change(Function<KeyValueWriter, T> change) {
    return session.changeHere(
        Operation.WRITE,
        location.shown(),
        changes -> {
          requirePresent(changes);
          return located(() -> change.apply(new KeyValueWriter(id, changes)));
        });
  }

  /** Runs a step, and adds the path of the map to the message about a damaged pair. */
  private <T> T located(Supplier<T> step) {
    try {
      return step.get();
    } catch (FormatException e) {
      throw e.inPart("map " + location.shown());
    }
  }

  /**
   * Runs a step that decodes a pair, and adds the map, the key and the file to the message about
   * damage.
   */
  private <T> T decoded(Bytes key, Supplier<T> step) {
    return located(() -> {
      try {
        return step.get();
      } catch (FormatException e) {
        throw e.inObject(PlaceNames.of(new Place.Pair(id.bits(), key)))
            .inFile(session.path().toString());
      }
    });
  }

  private Bytes key(Value key) {
    return Bytes.of(keys.encode(key));
  }

  /**
   * Stores pairs.
   *
   * @throws IllegalArgumentException if a key or value does not fit, or the numbers of keys and
   *     values differ
   * @throws io.skerry.exception.UnsupportedFeatureException if there is no conversion from a type
   *     in memory
   */
  public void put(DatasetWrite.Content newKeys, DatasetWrite.Content newValues) {
    session.requireWritable(Operation.WRITE, location.shown());
    EncodedParts storedKeys = keys.encode(newKeys);
    EncodedParts storedValues = values.encode(newValues);
    long count = storedKeys.count();
    if (storedValues.count() != count) {
      throw new IllegalArgumentException(
          "one value for each key is needed: map="
              + location.shown()
              + " keys="
              + count
              + " values="
              + storedValues.count());
    }
    boolean unused =
        change(pairs -> {
          for (long i = 0; i < count; i++) {
            pairs.put(Bytes.of(storedKeys.get(i)), storedValues.get(i));
          }
          return true;
        });
  }

  private Optional<MemorySegment> stored(Bytes key) {
    return look(pairs -> pairs.get(key, HEAP));
  }

  /** Returns the value of a key; empty if there is no pair. */
  public Optional<Value> get(Value key) {
    Bytes stored = key(key);
    return stored(stored).map(value -> value(stored, value));
  }

  private Value value(Bytes key, MemorySegment stored) {
    return decoded(
        key,
        () -> {
          types.requireValue(stored.byteSize());
          return values.decode(stored, contents);
        });
  }

  private Value key(Bytes key) {
    return decoded(
        key,
        () -> {
          types.requireKey(key.size());
          return keys.decode(key.segment(), contents);
        });
  }

  /**
   * Returns the value of a key in memory; empty if there is no pair.
   *
   * @throws IllegalArgumentException if there is not exactly one key
   * @throws io.skerry.exception.UnsupportedFeatureException if there is no conversion
   */
  public Optional<MemorySegment> get(DatasetWrite.Elements key, Datatype memory) {
    Conversion conversion = values.conversionTo(memory);
    EncodedParts parts = keys.encode(key);
    if (parts.count() != 1) {
      throw new IllegalArgumentException("number of keys: expected=1 actual=" + parts.count());
    }
    Bytes stored = Bytes.of(parts.get(0));
    return stored(stored)
        .map(value ->
            decoded(
                stored,
                () -> {
                  types.requireValue(value.byteSize());
                  return values.decode(value, conversion);
                }));
  }

  /** Returns whether there is a pair with a key. */
  public boolean contains(Value key) {
    Bytes stored = key(key);
    return look(pairs -> pairs.has(stored));
  }

  /** Removes a pair, and returns whether there was one. */
  public boolean remove(Value key) {
    session.requireWritable(Operation.WRITE, location.shown());
    Bytes stored = key(key);
    return change(pairs -> {
      boolean isPresent = pairs.reader().has(stored);
      if (isPresent) {
        pairs.remove(stored);
      }
      return isPresent;
    });
  }

  /** Returns the number of pairs, which are counted page by page. */
  public long size() {
    AtomicLong count = new AtomicLong();
    var unused =
        iterate(
            Optional.empty(),
            (pairs, after) -> pairs.keys(after, PageLimit.DEFAULT),
            Function.identity(),
            _ -> {
              count.incrementAndGet();
              return Next.CONTINUE;
            });
    return count.get();
  }

  /** Visits keys; see {@link io.skerry.MapObject#iterateKeys}. */
  public Optional<Position> iterateKeys(Optional<Position> start, KeyVisitor<Value> visitor) {
    return iterate(
        start,
        (pairs, after) -> pairs.keys(after, PageLimit.DEFAULT),
        Function.identity(),
        key -> visitor.visit(key(key)));
  }

  /** Visits pairs; see {@link io.skerry.MapObject#iteratePairs}. */
  public Optional<Position> iteratePairs(
      Optional<Position> start, PairVisitor<Value, Value> visitor) {
    return iterate(
        start,
        (pairs, after) -> pairs.pairs(after, PageLimit.DEFAULT, HEAP),
        KeyValue::key,
        pair -> visitor.visit(key(pair.key()), value(pair.key(), pair.value())));
  }

  /**
   * Visits the items of pages.
   *
   * @param pages reads the page after a key, while no change can run
   * @param key returns the key of an item
   * @param visitor visits an item, while other threads may use the file
   */
  private <T> Optional<Position> iterate(
      Optional<Position> start,
      BiFunction<KeyValueObject, Optional<Bytes>, Page<T>> pages,
      Function<T, Bytes> key,
      Function<T, Next> visitor) {
    Optional<Bytes> after = start.map(Position::key);
    boolean isLast = false;
    while (!isLast) {
      Optional<Bytes> last = after;
      Page<T> page = look(pairs -> pages.apply(pairs, last));
      for (T item : page.items()) {
        if (visitor.apply(item) == Next.STOP) {
          return Optional.of(new Position(key.apply(item)));
        }
      }
      isLast = page.isLast();
      after = isLast ? after : Optional.of(key.apply(page.items().getLast()));
    }
    return Optional.empty();
  }
}
