package io.skerry.iod.object.model;

import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ValueChanges;

/**
 * Changes of the names of attributes. Methods are local and throw the exceptions of {@link
 * ValueChanges}. Changes of one object must not overlap in time.
 *
 * @param owner the object to which the attributes belong
 * @param changes the changes of the transaction
 */
public record AttributeWriter(StoredObject owner, ValueChanges changes) {
  /**
   * Renames an attribute, which keeps its identifier.
   *
   * @throws IllegalArgumentException if there is no attribute with the old name, if there is one
   *     with the new name, or if a name is empty or contains a NUL
   */
  public void rename(String from, String to) {
    Attributes attributes = Attributes.of(owner, changes);
    ObjectId id =
        attributes
            .find(from)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "the object has no attribute of this name: object="
                        + owner.id()
                        + " name="
                        + from));
    if (attributes.find(to).isPresent()) {
      throw new IllegalArgumentException(
          "the object has an attribute of this name: object=" + owner.id() + " name=" + to);
    }
    KeyValueWriter pairs = new KeyValueWriter(attributes.id(), changes);
    pairs.put(NameKeys.encode(to), Attributes.encode(id));
    pairs.remove(NameKeys.encode(from));
  }
}
