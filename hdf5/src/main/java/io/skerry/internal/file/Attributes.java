package io.skerry.internal.file;

import io.skerry.Attribute;
import io.skerry.datatype.Datatype;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.internal.dataset.ElementEncoder;
import io.skerry.internal.dataset.LostContent;
import io.skerry.internal.tree.AttributeEditor;
import io.skerry.internal.value.ValueWriter;
import io.skerry.parallel.Operation;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** The attributes of one object. Every rank makes the same changes to its copy of the metadata. */
public final class Attributes implements StoredAttributes {
  private final NativeFile file;
  private final ObjectPath path;
  private final long address;

  /**
   * Creates access to the attributes of an object.
   *
   * @param path the path of the object, for messages
   * @param address the address of its header
   */
  Attributes(NativeFile file, ObjectPath path, long address) {
    this.file = file;
    this.path = path;
    this.address = address;
  }

  @Override
  public List<Attribute> all() {
    return file.gate()
        .exclusively(
            () -> file.tree().attributes(address).stream().map(AttributeEncoding::decode).toList());
  }

  @Override
  public void set(Attribute attribute) {
    step(attribute.describe(), () -> put(AttributeEncoding.encode(attribute)));
  }

  @Override
  public void set(String name, Datatype type, Shape shape, List<Value> values) {
    alone(() -> setValues(name, type, shape, values));
  }

  private void setValues(String name, Datatype type, Shape shape, List<Value> values) {
    LostContent old = new LostContent(file);
    step(
        name + " " + type + " " + shape + " " + values,
        () -> {
          check(name, type, shape, values);
          collect(name, old);
        });
    store(
        name,
        type,
        values,
        old,
        packed -> AttributeEncoding.encode(Attribute.of(name, type, shape, packed)));
  }

  @Override
  public void set(String name, String typePath, Shape shape, List<Value> values) {
    alone(() -> setShared(name, typePath, shape, values));
  }

  private void setShared(String name, String typePath, Shape shape, List<Value> values) {
    LostContent old = new LostContent(file);
    CommittedTypes.Found type =
        file.collective()
            .steps()
            .together(
                Operation.WRITE_ATTRIBUTE,
                path.shown(),
                name + " " + typePath + " " + shape + " " + values,
                () -> {
                  CommittedTypes.Found found = CommittedTypes.at(file, typePath);
                  check(name, found.datatype(), shape, values);
                  collect(name, old);
                  return found;
                });
    store(
        name,
        type.datatype(),
        values,
        old,
        packed ->
            AttributeEncoding.encode(Attribute.of(name, type.datatype(), shape, packed))
                .withSharedType(type.reference()));
  }

  /** Creates the message of an attribute from its packed elements. */
  @FunctionalInterface
  private interface Encoding {
    AttributeMessage of(MemorySegment packed);
  }

  /**
   * Collects the heap objects that the current value of an attribute owns. The value is about to be
   * replaced.
   */
  private void collect(String name, LostContent old) {
    editor().find(name).ifPresent(old::attribute);
  }

  private void store(
      String name, Datatype type, List<Value> values, LostContent old, Encoding encoding) {
    ElementEncoder encoder = new ElementEncoder(file);
    MemorySegment packed = encoder.common(path.shown(), type, values, old.bytes());
    boolean done = false;
    try {
      step(name, () -> put(encoding.of(packed)));
      done = true;
    } finally {
      if (!done) {
        encoder.giveUp();
      }
    }
  }

  /** Checks the values before anything is stored, so that all ranks reject the same values. */
  private void check(String name, Datatype type, Shape shape, List<Value> values) {
    if (values.size() != shape.elements()) {
      throw new IllegalArgumentException(
          "as many values as elements are needed: attribute="
              + name
              + " expected="
              + shape.elements()
              + " actual="
              + values.size());
    }
    GlobalHeapWriter trial =
        GlobalHeapWriter.create(file.tree().widths(), SpaceAllocator.startingAt(0));
    MemorySegment unused = new ValueWriter(file.tree().widths(), trial::add).writeAll(type, values);
  }

  private void put(AttributeMessage attribute) {
    Optional<AttributeMessage> old = editor().find(attribute.name());
    editor().put(attribute);
    attribute.sharedType().ifPresent(type -> CommittedTypes.count(file.tree(), type, 1));
    old.ifPresent(gone -> new ObjectRemoval(file).attribute(gone));
  }

  @Override
  public void delete(String name) {
    step(
        "delete " + name,
        () -> {
          AttributeMessage gone = require(name);
          editor().remove(name);
          new ObjectRemoval(file).attribute(gone);
        });
  }

  @Override
  public void rename(String from, String to) {
    step(
        "rename " + from + " to " + to,
        () -> {
          AttributeMessage unused = require(from);
          if (editor().find(to).isPresent()) {
            throw new IllegalStateException(
                "the name is taken: attribute=" + to + " of=" + path.shown());
          }
          editor().rename(from, to);
        });
  }

  /** Runs several steps; no other thread can replace the attribute between the steps. */
  private void alone(Runnable steps) {
    file.gate().collectively(Operation.WRITE_ATTRIBUTE, path.shown(), steps);
  }

  private void step(String arguments, Runnable change) {
    boolean unused =
        file.collective()
            .steps()
            .together(
                Operation.WRITE_ATTRIBUTE,
                path.shown(),
                arguments,
                () -> {
                  change.run();
                  return true;
                });
  }

  private AttributeEditor editor() {
    return new AttributeEditor(file.tree(), address);
  }

  private AttributeMessage require(String name) {
    return editor()
        .find(name)
        .orElseThrow(() -> Resolver.missing(file, "no such attribute: " + name, path.shown()));
  }
}
