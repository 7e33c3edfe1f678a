package io.skerry.iod.object.model;

import io.skerry.exception.FormatException;
import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ValueChanges;

/**
 * Changes of the links of a group. Methods are local and throw the exceptions of {@link
 * ValueChanges}. Changes of one group, and of the link counts of one object, must not overlap in
 * time.
 *
 * @param group the identifier of the group
 * @param changes the changes of the transaction
 * @param deletion removes objects without links
 */
public record LinkWriter(ObjectId group, ValueChanges changes, Deletion deletion) {
  /** Returns the links with the changes so far. */
  public Links reader() {
    return new Links(group, changes);
  }

  /**
   * Creates a link. A hard link increases the link count of its target.
   *
   * @throws IllegalArgumentException if there is a link with the name, if the name is empty or
   *     contains a NUL, or if the target is an attribute
   * @throws FormatException if there is no target
   */
  public void put(String name, Link link) {
    if (reader().find(name).isPresent()) {
      throw new IllegalArgumentException(
          "the group has a link of this name: group=" + group + " name=" + name);
    }
    if (link instanceof Link.Hard(ObjectId target)) {
      StoredObject object = StoredObject.open(changes, target);
      if (object.kind() == ObjectKind.ATTRIBUTE) {
        throw new IllegalArgumentException("link to an attribute: target=" + target);
      }
      deletion.writer(object.pad().requireMetadata()).addLink();
    }
    pairs().put(NameKeys.encode(name), link.encode());
  }

  private KeyValueWriter pairs() {
    return new KeyValueWriter(group, changes);
  }

  /**
   * Removes a link. If it was the last hard link to an object, the object is removed as well.
   *
   * @throws IllegalArgumentException if there is no link with the name
   * @throws FormatException if the target is damaged
   */
  public void remove(String name) {
    Link link =
        reader()
            .find(name)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "the group has no link of this name: group=" + group + " name=" + name));
    pairs().remove(NameKeys.encode(name));
    if (link instanceof Link.Hard(ObjectId target)) {
      deletion.removeLink(target);
    }
  }
}
