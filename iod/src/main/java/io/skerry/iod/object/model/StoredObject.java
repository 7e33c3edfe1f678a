package io.skerry.iod.object.model;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ScratchPad;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import java.util.Optional;

/**
 * An object of a container: identifier, kind and scratch pad. Immutable.
 *
 * @param id the identifier
 * @param kind the kind
 * @param pad the scratch pad
 */
public record StoredObject(ObjectId id, ObjectKind kind, ScratchPad pad) {
  /**
   * Opens an object.
   *
   * @throws FormatException if there is no such object, or if its scratch pad or its kind is
   *     damaged; the message names the container and the object
   */
  public static StoredObject open(Values values, ObjectId id) {
    ScratchPad pad =
        findPad(values, id)
            .orElseThrow(
                () -> located(values, id, new FormatException("object", "a scratch pad", "none")));
    try {
      ObjectKind kind = new Metadata(pad.requireMetadata(), values).kind();
      if (kind.type() != id.type()) {
        throw new FormatException("type of a " + kind, kind.type(), id.type());
      }
      if (kind != ObjectKind.ATTRIBUTE) {
        ObjectId unused = pad.requireAttributes();
      }
      return new StoredObject(id, kind, pad);
    } catch (FormatException e) {
      throw located(values, id, e);
    }
  }

  /**
   * Opens an object of a kind.
   *
   * @throws FormatException under the conditions of {@link #open}, or if the object is of another
   *     kind
   */
  public static StoredObject open(Values values, ObjectId id, ObjectKind kind) {
    StoredObject object = open(values, id);
    if (object.kind != kind) {
      throw located(values, id, new FormatException("kind of an object", kind, object.kind));
    }
    return object;
  }

  /** Returns the scratch pad of an object; empty if there is no such object. */
  public static Optional<ScratchPad> findPad(Values values, ObjectId id) {
    return values
        .get(new Place.ScratchPad(id.bits()), Metadata.HEAP)
        .map(bytes -> {
          try {
            return ScratchPad.decode(bytes);
          } catch (FormatException e) {
            throw located(values, id, e);
          }
        });
  }

  private static FormatException located(Values values, ObjectId id, FormatException e) {
    return e.inObject(id.toString()).inFile(values.container());
  }

  /**
   * Returns the metadata.
   *
   * @throws FormatException if the scratch pad names none
   */
  public Metadata metadata(Values values) {
    return new Metadata(pad.requireMetadata(), values);
  }

  /** Stores the scratch pad of a new object. */
  void create(ValueChanges changes) {
    changes.put(new Place.ScratchPad(id.bits()), pad.encode());
  }
}
