package io.skerry.jobs.file;

import io.skerry.Attribute;
import io.skerry.H5Object;
import io.skerry.collective.step.LocalStatus;
import io.skerry.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A snapshot of the attributes of an object, with their values. The values are kept in memory,
 * because replacing an attribute releases the data to which its elements refer.
 *
 * @param attributes the attributes
 */
record SavedAttributes(List<Saved> attributes) {
  /** No attributes. */
  static final SavedAttributes NONE = new SavedAttributes(List.of());

  /**
   * An attribute and its values.
   *
   * @param values the values; empty if the elements refer to no other data, or if this data cannot
   *     be read
   */
  record Saved(Attribute attribute, Optional<List<Value>> values) {
    private static Saved of(Attribute attribute, H5Object object) {
      // Damaged data must not prevent an operation that replaces other attributes.
      return new Saved(
          attribute,
          new LocalStatus().attempt(() -> valuesOf(attribute, object), Optional.empty()));
    }

    private static Optional<List<Value>> valuesOf(Attribute attribute, H5Object object) {
      return hasAddresses(attribute)
          ? Optional.of(attribute.values(object.file().contents()))
          : Optional.empty();
    }

    private static boolean hasAddresses(Attribute attribute) {
      return ElementAddresses.areIn(attribute.datatype()) && !attribute.isNull();
    }

    private boolean isIn(H5Object object) {
      Optional<Saved> now = object.attribute(attribute.name()).map(found -> of(found, object));
      return now.equals(Optional.of(this));
    }

    private void restore(H5Object object) {
      if (values.isPresent()) {
        object.setAttribute(
            attribute.name(), attribute.datatype(), attribute.shape(), values.get());
      } else if (!hasAddresses(attribute)) {
        object.setAttribute(attribute);
      }
    }
  }

  SavedAttributes {
    attributes = List.copyOf(attributes);
  }

  /** Saves the attributes of an object. Local. */
  static SavedAttributes of(H5Object object) {
    return new SavedAttributes(
        object.attributes().stream().map(attribute -> Saved.of(attribute, object)).toList());
  }

  /**
   * Restores the saved attributes of an object and deletes all other attributes. Attributes that
   * have not changed are not written; an attribute whose values could not be read is not restored.
   * Collective.
   */
  void restore(H5Object object) {
    Set<String> names =
        attributes.stream().map(saved -> saved.attribute().name()).collect(Collectors.toSet());
    object.attributes().stream()
        .map(Attribute::name)
        .filter(name -> !names.contains(name))
        .forEach(object::deleteAttribute);
    attributes.stream()
        .filter(saved -> !saved.isIn(object))
        .forEach(saved -> saved.restore(object));
  }
}
