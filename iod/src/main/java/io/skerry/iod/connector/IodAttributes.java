package io.skerry.iod.connector;

import io.skerry.Attribute;
import io.skerry.NoSuchObjectException;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.iod.connector.store.Step;
import io.skerry.iod.connector.value.EncodedCells;
import io.skerry.iod.encoding.property.CreationLists;
import io.skerry.iod.encoding.property.CreationOrder;
import io.skerry.iod.object.ArrayObject;
import io.skerry.iod.object.ArrayWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.AttributeWriter;
import io.skerry.iod.object.model.Attributes;
import io.skerry.iod.object.model.CellPart;
import io.skerry.iod.object.model.CommittedDatatype;
import io.skerry.iod.object.model.Metadata;
import io.skerry.iod.object.model.MetadataKey;
import io.skerry.iod.object.model.ObjectKind;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.iod.object.model.TypeRules;
import io.skerry.parallel.Operation;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The attributes of an object of a container.
 *
 * @param owner the file
 * @param location the path of the object, for messages
 * @param id the identifier of the object
 */
record IodAttributes(IodFile owner, ObjectPath location, ObjectId id) implements StoredAttributes {
  @Override
  public List<Attribute> all() {
    return owner.session().look(this::read);
  }

  private List<Attribute> read(Values values) {
    StoredObject object = owner.present(values, location, id);
    List<Attributes.Named> named = Attributes.of(object, values).all();
    if (CreationLists.attributeOrder(object.metadata(values).creation())
        != CreationOrder.UNTRACKED) {
      // Numbers are assigned in ascending order, so they reflect the creation order.
      named =
          named.stream()
              .sorted(Comparator.comparingLong(attribute -> attribute.id().number()))
              .toList();
    }
    return named.stream().map(attribute -> read(values, attribute)).toList();
  }

  private static Attribute read(Values values, Attributes.Named named) {
    Metadata metadata =
        StoredObject.open(values, named.id(), ObjectKind.ATTRIBUTE).metadata(values);
    Datatype type = metadata.datatype(MetadataKey.OBJECT_DATATYPE);
    Optional<Shape> extent = metadata.extent();
    if (extent.isEmpty()) {
      return Attribute.empty(named.name(), type);
    }
    MemorySegment cells =
        new ArrayObject(named.id(), values)
            .get(Attributes.TILE, (bytes, _) -> HeapBytes.allocate(bytes))
            .orElseGet(() -> HeapBytes.allocate(0));
    // The product of a damaged extent and the size of the type may exceed a long.
    long elements = extent.get().elements();
    if (cells.byteSize() % type.size() != 0 || cells.byteSize() / type.size() != elements) {
      throw new FormatException(
              "bytes of an attribute",
              elements + " elements of " + type.size() + " bytes",
              cells.byteSize())
          .inObject(named.id() + " \"" + named.name() + "\"")
          .inFile(values.container());
    }
    return Attribute.of(named.name(), type, extent.get(), cells);
  }

  @Override
  public void set(Attribute attribute) {
    change(
        attribute::describe,
        step -> {
          Datatype type = attribute.datatype();
          for (CellPart part : CellPart.of(type)) {
            requireNull(attribute, part);
          }
          Optional<Shape> extent =
              attribute.hasNoElements() ? Optional.empty() : Optional.of(attribute.shape());
          put(step, attribute.name(), type, extent, attribute.segment(), Optional.empty());
        });
  }

  /** Refuses cells that refer to BLOBs, which would then belong to two elements. */
  private void requireNull(Attribute attribute, CellPart part) {
    MemorySegment elements = attribute.segment();
    int size = attribute.datatype().size();
    for (long at = part.offset(); at < elements.byteSize(); at += size) {
      if (!HeapBytes.isZeros(elements.asSlice(at, part.kind().size()))) {
        throw new UnsupportedFeatureException(
            "writing descriptors of variable length or regions; set values instead",
            "attribute " + attribute.name());
      }
    }
  }

  @Override
  public void set(String name, Datatype type, Shape shape, List<Value> values) {
    change(
        () -> name + " " + type + " " + shape + " " + values,
        step -> setValues(step, name, type, shape, values, Optional.empty()));
  }

  @Override
  public void set(String name, String typePath, Shape shape, List<Value> values) {
    change(
        () -> name + " " + typePath + " " + shape + " " + values,
        step -> {
          ObjectId shared = committed(step, typePath);
          Datatype type =
              CommittedDatatype.read(StoredObject.open(step.changes(), shared), step.changes());
          setValues(step, name, type, shape, values, Optional.of(shared));
        });
  }

  private ObjectId committed(Step step, String typePath) {
    ObjectId found = owner.resolver(step.changes()).hard(typePath);
    if (StoredObject.open(step.changes(), found).kind() != ObjectKind.DATATYPE) {
      throw new NoSuchObjectException(
          "not a named datatype", typePath, owner.name(), owner.session().ranks());
    }
    return found;
  }

  private void setValues(
      Step step,
      String name,
      Datatype type,
      Shape shape,
      List<Value> values,
      Optional<ObjectId> committed) {
    if (values.size() != shape.elements()) {
      throw new IllegalArgumentException(
          "as many values as elements are needed: attribute="
              + name
              + " expected="
              + shape.elements()
              + " actual="
              + values.size());
    }
    TypeRules.check(type, "datatype of attribute " + name);
    EncodedCells encoded = EncodedCells.of(type, values);
    MemorySegment elements = encoded.elements();
    encoded.store(step.changes(), step.ids(), elements, HeapBytes.allocate(elements.byteSize()));
    put(step, name, type, Optional.of(shape), elements, committed);
  }

  private void put(
      Step step,
      String name,
      Datatype type,
      Optional<Shape> extent,
      MemorySegment elements,
      Optional<ObjectId> committed) {
    StoredObject object = owner.present(step.changes(), location, id);
    if (Attributes.of(object, step.changes()).find(name).isPresent()) {
      step.deletion().deleteAttribute(object, name);
    }
    boolean isAscii = name.chars().allMatch(c -> c < 0x80);
    StoredObject attribute =
        step.creator()
            .attribute(
                object,
                name,
                type,
                extent,
                CreationLists.attribute(isAscii ? CharacterSet.ASCII : CharacterSet.UTF8),
                committed);
    if (elements.byteSize() > 0) {
      new ArrayWriter(attribute.id(), step.changes()).put(Attributes.TILE, elements);
    }
  }

  @Override
  public void delete(String name) {
    change(
        () -> "delete " + name,
        step -> {
          StoredObject object = owner.present(step.changes(), location, id);
          require(step, object, name);
          step.deletion().deleteAttribute(object, name);
        });
  }

  @Override
  public void rename(String from, String to) {
    change(
        () -> "rename " + from + " to " + to,
        step -> {
          StoredObject object = owner.present(step.changes(), location, id);
          require(step, object, from);
          new AttributeWriter(object, step.changes()).rename(from, to);
        });
  }

  private void require(Step step, StoredObject object, String name) {
    if (Attributes.of(object, step.changes()).find(name).isEmpty()) {
      throw new NoSuchObjectException(
          "no such attribute: " + name, location.shown(), owner.name(), owner.session().ranks());
    }
  }

  private void change(Supplier<String> arguments, Consumer<Step> change) {
    // The arguments are compared only if several ranks have the file open.
    String compared = owner.session().isShared() ? arguments.get() : "";
    owner.session().lead(Operation.WRITE_ATTRIBUTE, location.shown(), compared, change);
  }
}
