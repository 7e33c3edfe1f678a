package io.skerry.jobs.interchange.form;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.H5Object;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.filter.FilterSpec;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An HDF5 group that contains an array in an interchange form, and the attributes that identify the
 * form.
 *
 * <p>String attributes are written with variable length, as h5py writes them and AnnData expects
 * them.
 */
final class InterchangeGroup {
  static final String TYPE = "encoding-type";
  static final String VERSION = "encoding-version";
  static final String SHAPE = "shape";

  /**
   * The attribute that contains the fill value, which is the value of elements that are not listed.
   * It is specific to Skerry; other programs ignore it and assume zero.
   */
  static final String FILL = "fill-value";

  private final Group group;

  private InterchangeGroup(Group group) {
    this.group = group;
  }

  /** Returns the interchange group for an existing group. */
  static InterchangeGroup of(Group group) {
    return new InterchangeGroup(group);
  }

  /**
   * Creates a group and its attributes.
   *
   * @param path the path of the new group, or the root group
   * @param type the value of {@code encoding-type}
   * @param version the value of {@code encoding-version}
   * @param view the array to store in the group
   */
  static InterchangeGroup create(
      H5File file, String path, String type, String version, ElementView view) {
    Group group = path.equals("/") ? file.root() : file.createGroup(path);
    InterchangeGroup made = new InterchangeGroup(group);
    made.text(TYPE, type);
    made.text(VERSION, version);
    group.setAttribute(Attribute.of(SHAPE, view.extent()));
    Dataset dataset = view.dataset();
    group.setAttribute(Attribute.of(FILL, dataset.datatype(), Shape.scalar(), dataset.fillValue()));
    return made;
  }

  private void text(String name, String text) {
    group.setAttribute(
        name,
        VariableLength.string(CharacterSet.UTF8),
        Shape.scalar(),
        List.of(new Value.Text(text)));
  }

  /** Creates a dataset in the group. */
  Dataset create(String name, Datatype type, Shape shape, List<FilterSpec> filters) {
    DatasetSpec spec = DatasetSpec.of(type, shape);
    boolean some = shape.elements() > 0;
    return group.createDataset(
        name, some ? spec.chunked().filters(filters.toArray(FilterSpec[]::new)) : spec);
  }

  /**
   * Returns the string of fixed or variable length that an attribute of the group holds.
   *
   * @return the string; empty if the attribute does not exist
   * @throws FormatException if the attribute is not a single string
   */
  Optional<String> text(String name) {
    return text(group, name);
  }

  /**
   * Returns the string of fixed or variable length that an attribute of an object holds.
   *
   * @return the string; empty if the attribute does not exist
   * @throws FormatException if the attribute is not a single string
   */
  static Optional<String> text(H5Object object, String name) {
    Optional<Attribute> attribute = object.attribute(name);
    if (attribute.isEmpty()) {
      return Optional.empty();
    }
    Datatype type = attribute.get().datatype();
    if ((type instanceof StringType || type instanceof VariableLength)
        && attribute.get().shape().elements() == 1) {
      for (Value value : attribute.get().values(object.file().contents())) {
        if (value instanceof Value.Text text) {
          return Optional.of(text.value());
        }
      }
    }
    throw wrong(object, attribute.get(), "a text");
  }

  private static FormatException wrong(H5Object object, Attribute attribute, String expected) {
    return new FormatException(
        "attribute " + attribute.name() + " of " + object.path(),
        expected,
        attribute.hasNoElements()
            ? "no value"
            : attribute.shape() + " values of type " + attribute.datatype());
  }

  /**
   * Returns the numbers in an attribute of the group.
   *
   * @return the numbers; empty if the attribute does not exist
   * @throws FormatException if the attribute does not contain numbers
   */
  Optional<long[]> numbers(String name) {
    return group
        .attribute(name)
        .map(attribute -> {
          boolean numeric =
              attribute.datatype() instanceof FixedPoint
                  || attribute.datatype() instanceof FloatingPoint;
          if (!numeric || attribute.isNull()) {
            throw wrong(group, attribute, "whole numbers");
          }
          return attribute.longs();
        });
  }

  /**
   * Returns the fill value from the attributes; empty if the attribute is missing, has another
   * datatype or does not have exactly one element.
   */
  Optional<byte[]> fill(Datatype type) {
    return group
        .attribute(FILL)
        .filter(a -> a.datatype().equals(type))
        .map(Attribute::bytes)
        .filter(bytes -> bytes.length == type.size());
  }

  /** Returns whether the group has a link with the given name. */
  boolean has(String name) {
    return group.links().stream().anyMatch(link -> link.name().equals(name));
  }

  /** Returns the names of the links of the group that are not in a set of known names. */
  List<String> others(Set<String> known) {
    return group.links().stream().map(Group.Link::name).filter(n -> !known.contains(n)).toList();
  }

  /**
   * Returns a dataset in the group.
   *
   * @throws FormatException if the group has no dataset with this name
   */
  Dataset dataset(String name) {
    String path = group.childPath(name);
    H5Object object = has(name) ? group.file().object(path) : group;
    if (object instanceof Dataset dataset) {
      return dataset;
    }
    throw new FormatException("member of the group " + group.path(), "a dataset " + name, "none");
  }

  /**
   * Returns a one-dimensional dataset in the group.
   *
   * @throws FormatException if the group has no dataset with this name, or if its rank is not 1
   */
  Dataset vector(String name) {
    Dataset dataset = dataset(name);
    if (dataset.shape().rank() != 1) {
      throw new FormatException("dimensions of " + dataset.path(), 1, dataset.shape().rank());
    }
    return dataset;
  }

  String path() {
    return group.path();
  }
}
