package io.skerry.iod.object.check;

import io.skerry.iod.engine.Part;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The objects that a walk has reached, and the largest number per type. Not thread-safe. */
final class Reached {
  /** The uses of an object. */
  enum Role {
    /** A group, dataset, committed datatype, map or attribute; it has a scratch pad. */
    OBJECT,
    /** A key-value object that a scratch pad names. */
    AUXILIARY,
    /** A BLOB that holds a large value of metadata, or the content of a cell. */
    CONTENT
  }

  private final Map<Long, Role> roles = new HashMap<>();
  private final Map<Long, Long> links = new HashMap<>();

  /** Records an object; returns the role that it had before, empty if it is new. */
  Optional<Role> add(ObjectId id, Role role) {
    return Optional.ofNullable(roles.putIfAbsent(id.bits(), role));
  }

  /** Counts a link to an object. */
  void link(ObjectId target) {
    links.merge(target.bits(), 1L, Long::sum);
  }

  long links(ObjectId target) {
    return links.getOrDefault(target.bits(), 0L);
  }

  boolean has(long object) {
    return roles.containsKey(object);
  }

  /** Returns whether an object of its type and role may have values in a part. */
  boolean mayHave(long object, Part part) {
    Role role = roles.get(object);
    if (role == null) {
      return false;
    }
    if (part == Part.SCRATCH_PAD) {
      return role == Role.OBJECT;
    }
    ObjectType type = new ObjectId(object).type();
    return switch (part) {
      case PAIR -> type == ObjectType.KV;
      case TILE -> type == ObjectType.ARRAY;
      case BLOCK -> type == ObjectType.BLOB;
      case SCRATCH_PAD -> false;
    };
  }
}
