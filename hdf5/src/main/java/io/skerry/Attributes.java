package io.skerry;

import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.collective.Operation;
import io.skerry.format.Bytes;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.format.object.AttributeMessage;
import io.skerry.format.object.DataspaceMessage;
import io.skerry.format.object.DatatypeMessage;
import io.skerry.value.Value;
import io.skerry.value.ValueWriter;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** The attributes of objects. Every rank changes its own copy of the metadata in the same way. */
final class Attributes {
  private Attributes() {}

  static List<Attribute> of(NativeFile file, long address) {
    return file.tree().attributes(address).stream().map(Attributes::decode).toList();
  }

  /** Sets or replaces an attribute. Collective. */
  static void set(NativeFile file, String path, long address, Attribute attribute) {
    step(
        file,
        path,
        attribute.describe(),
        () -> {
          LostContent lost = old(file, address, attribute.name());
          new AttributeEditor(file.tree(), address).put(encode(attribute));
          lost.release();
        });
  }

  /** Sets or replaces an attribute of any type. Collective. */
  static void set(
      NativeFile file,
      String path,
      long address,
      String name,
      Datatype type,
      Shape shape,
      List<Value> values) {
    step(
        file,
        path,
        name + " " + type + " " + shape + " " + values,
        () -> {
          if (values.size() != shape.elements()) {
            throw new IllegalArgumentException(
                "as many values as elements are needed: attribute="
                    + name
                    + " expected="
                    + shape.elements()
                    + " actual="
                    + values.size());
          }
          // Tried before anything is stored: all ranks refuse the same values.
          GlobalHeapWriter trial =
              GlobalHeapWriter.create(file.tree().widths(), SpaceAllocator.startingAt(0));
          MemorySegment unused =
              new ValueWriter(file.tree().widths(), trial::add).writeAll(type, values);
        });
    ElementEncoder encoder = new ElementEncoder(file);
    MemorySegment packed = encoder.common(path, type, values, old(file, address, name).bytes());
    boolean done = false;
    try {
      set(file, path, address, Attribute.of(name, type, shape, packed));
      done = true;
    } finally {
      if (!done) {
        encoder.giveUp();
      }
    }
  }

  /** What the attribute of a name owns, if there is one. */
  private static LostContent old(NativeFile file, long address, String name) {
    LostContent lost = new LostContent(file);
    find(file, address, name).ifPresent(lost::attribute);
    return lost;
  }

  /** Removes an attribute. Collective. */
  static void delete(NativeFile file, String path, long address, String name) {
    step(
        file,
        path,
        "delete " + name,
        () -> {
          LostContent lost = new LostContent(file);
          lost.attribute(require(file, path, address, name));
          new AttributeEditor(file.tree(), address).remove(name);
          lost.release();
        });
  }

  /** Gives an attribute another name. Collective. */
  static void rename(NativeFile file, String path, long address, String from, String to) {
    step(
        file,
        path,
        "rename " + from + " to " + to,
        () -> {
          AttributeMessage old = require(file, path, address, from);
          if (find(file, address, to).isPresent()) {
            throw new IllegalStateException("the name is taken: attribute=" + to + " of=" + path);
          }
          AttributeEditor editor = new AttributeEditor(file.tree(), address);
          editor.remove(from);
          editor.put(old.withName(to));
        });
  }

  private static void step(NativeFile file, String path, String arguments, Runnable change) {
    boolean unused =
        file.collective()
            .together(
                Operation.WRITE_ATTRIBUTE,
                path,
                arguments,
                () -> {
                  change.run();
                  return true;
                });
  }

  private static Optional<AttributeMessage> find(NativeFile file, long address, String name) {
    return file.tree().attributes(address).stream().filter(a -> a.name().equals(name)).findFirst();
  }

  private static AttributeMessage require(NativeFile file, String path, long address, String name) {
    return find(file, address, name)
        .orElseThrow(() ->
            new NoSuchObjectException("no such attribute: " + name, path, file.path().toString()));
  }

  static Attribute decode(AttributeMessage message) {
    return Attribute.of(
        message.name(),
        message.datatype().datatype(),
        message.dataspace().shape(),
        message.data().segment());
  }

  static AttributeMessage encode(Attribute attribute) {
    DataspaceMessage space =
        attribute.hasNoElements()
            ? DataspaceMessage.empty()
            : DataspaceMessage.of(attribute.shape());
    return AttributeMessage.of(
        attribute.name(),
        DatatypeMessage.of(attribute.datatype()),
        space,
        Bytes.of(attribute.segment()));
  }
}
