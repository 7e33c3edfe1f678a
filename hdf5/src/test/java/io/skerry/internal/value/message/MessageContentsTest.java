package io.skerry.internal.value.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Widths;
import io.skerry.internal.value.StoredContents;
import io.skerry.internal.value.ValueReader;
import io.skerry.internal.value.ValueWriter;
import io.skerry.selection.Selection;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests messages with elements and their contents. */
class MessageContentsTest {
  private static final Datatype TEXT = VariableLength.string(CharacterSet.UTF8);
  private static final Datatype TYPE =
      new Compound(
          60,
          List.of(
              new Compound.Member("text", 0, TEXT),
              new Compound.Member("list", 16, VariableLength.sequence(TEXT)),
              new Compound.Member("object", 32, new Reference(8, Reference.Kind.OBJECT)),
              new Compound.Member("region", 40, new Reference(12, Reference.Kind.REGION)),
              new Compound.Member("n", 52, Datatype.I64)));
  private static final ElementFile FILE =
      new ElementFile(Path.of("/folder/file.h5"), "file.h5", Widths.EIGHT, 5000);

  /** The contents of a file in which an object is at each address below 1000. */
  private record FileContents(HeldObjects heap) implements StoredContents {
    @Override
    public Widths widths() {
      return Widths.EIGHT;
    }

    @Override
    public MemorySegment heapObject(long collection, int index) {
      return heap.object(collection, index);
    }

    @Override
    public String fileName() {
      return "file.h5";
    }

    @Override
    public long fileSize() {
      return 5000;
    }

    @Override
    public Optional<String> pathOf(long address) {
      return address < 500 ? Optional.of("/object" + address) : Optional.empty();
    }

    @Override
    public boolean isObject(long address) {
      return address < 1000;
    }
  }

  private static Value element(String text, int parts, long address) {
    Value.Target target =
        new Value.Target(
            Optional.empty(),
            address < 500 ? Optional.of("/object" + address) : Optional.empty(),
            address);
    List<Value> list =
        IntStream.range(0, parts).<Value>mapToObj(i -> new Value.Text(text + i)).toList();
    return new Value.Compound(
        List.of(
            new Value.Field("text", new Value.Text(text)),
            new Value.Field("list", new Value.Sequence(list)),
            new Value.Field("object", new Value.ObjectReference(target)),
            new Value.Field("region", new Value.RegionReference(target, Selection.at(parts))),
            new Value.Field("n", new Value.Whole(BigInteger.valueOf(parts)))));
  }

  private static final List<Value> VALUES =
      List.of(element("é", 3, 8), element("", 0, 999), element("long".repeat(100), 1, 2000));

  private static byte[] message() {
    HeldObjects heap = new HeldObjects();
    MemorySegment packed = new ValueWriter(Widths.EIGHT, heap).writeAll(TYPE, VALUES);
    ByteWriter out = ByteWriter.create();
    new MessageWriter(new FileContents(heap), TYPE).write(packed, out);
    return out.toArray();
  }

  private static StoredElements read(byte[] message, int length) {
    ByteReader in = ByteReader.of(MemorySegment.ofArray(message).asSlice(0, length), "message");
    return MessageContents.read(in, TYPE, VALUES.size(), FILE);
  }

  @Test
  void a_message_has_the_values_and_the_objects_of_references() {
    byte[] message = message();
    StoredElements read = read(message, message.length);
    StoredContents contents = StoredContents.of(read.contents());
    assertEquals(VALUES, new ValueReader(contents).readAll(TYPE, read.packed(), VALUES.size()));
    assertTrue(contents.isObject(8));
    assertTrue(contents.isObject(999));
    assertFalse(contents.isObject(2000));
    assertEquals(Optional.of("/object8"), contents.pathOf(8));
    assertEquals(Optional.empty(), contents.pathOf(999));
    assertEquals("file.h5", contents.fileName());
  }

  @Test
  void each_shorter_or_longer_message_is_refused() {
    byte[] message = message();
    for (int length = 0; length < message.length; length++) {
      int shorter = length;
      assertThrows(FormatException.class, () -> read(message, shorter), () -> "length " + shorter);
    }
    byte[] longer = Arrays.copyOf(message, message.length + 1);
    FormatException e = assertThrows(FormatException.class, () -> read(longer, longer.length));
    assertEquals("message: bytes after the last address", e.what());
  }

  @Test
  void a_length_beyond_the_message_is_refused() {
    MemorySegment packed = MemorySegment.ofArray(new byte[VALUES.size() * TYPE.size()]);
    byte[] manyObjects = ByteWriter.create().bytes(packed).u32(-1).toArray();
    byte[] longObject = ByteWriter.create().bytes(packed).u32(1).u32(-1).u32(0).toArray();
    byte[] longPath =
        ByteWriter.create().bytes(packed).u32(0).u32(1).u64(8).u8(3).u32(-1).toArray();
    for (byte[] message : List.of(manyObjects, longObject, longPath)) {
      assertThrows(FormatException.class, () -> read(message, message.length));
    }
  }

  @Test
  void a_pointer_to_contents_outside_the_message_is_refused() {
    MemorySegment packed = MemorySegment.ofArray(new byte[VALUES.size() * TYPE.size()]);
    ByteWriter pointer = ByteWriter.create().u32(4).u64(1).u32(2);
    MemorySegment.copy(pointer.written(), 0, packed, 0, pointer.position());
    byte[] message = ByteWriter.create().bytes(packed).u32(1).u32(4).u32(7).u32(0).toArray();
    StoredElements read = read(message, message.length);
    FormatException e =
        assertThrows(
            FormatException.class,
            () -> new ValueReader(read.contents()).readAll(TYPE, read.packed(), VALUES.size()));
    assertEquals("1 objects", e.expected());
  }
}
