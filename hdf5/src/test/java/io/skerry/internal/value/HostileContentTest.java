package io.skerry.internal.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.content.PackedContent;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.BitPadding;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FloatingPoint;
import io.skerry.datatype.StringPadding;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.Widths;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests elements of variable length with invalid pointers. */
class HostileContentTest {
  private static final int MEMBERS = 64;
  private static final Datatype NESTED =
      VariableLength.sequence(VariableLength.sequence(Datatype.I8));

  @Test
  void a_length_beyond_the_heap_object_is_refused() {
    MemorySegment element = pointers(1, 1_000_000_000, 1);
    FormatException e =
        assertThrows(
            FormatException.class,
            () -> new ValueReader(heap()).read(VariableLength.sequence(Datatype.I64), element, 0));
    assertTrue(e.getMessage().contains("length=1000000000"), e.getMessage());
    assertThrows(
        FormatException.class,
        () -> new ValueReader(heap()).read(VariableLength.string(CharacterSet.UTF8), element, 0));
  }

  @Test
  void elements_that_share_more_content_than_the_memory_holds_are_refused() {
    MemorySegment object = MemorySegment.ofArray("a".repeat(8192).getBytes(UTF_8));
    int count = Math.toIntExact(Runtime.getRuntime().maxMemory() / 8192 + 1);
    MemorySegment elements = pointers(count, 8192, 1);
    ValueReader reader = new ValueReader(heap((_, _) -> object));
    MemoryLimitException e =
        assertThrows(
            MemoryLimitException.class,
            () -> reader.readAll(VariableLength.string(CharacterSet.UTF8), elements, count));
    assertEquals(count * 8192L, e.bytes());
    assertEquals(3, reader.readAll(VariableLength.string(CharacterSet.UTF8), elements, 3).size());
  }

  @Test
  void sequences_that_contain_themselves_cause_an_exception_instead_of_a_hang() {
    Datatype type = Datatype.I8;
    for (int i = 0; i < 20; i++) {
      type = VariableLength.sequence(type);
    }
    Datatype deep = type;
    MemorySegment element = pointers(1, MEMBERS, 1);
    FormatException e =
        assertThrows(
            FormatException.class,
            () -> new CanonicalForm(deep, heap()).write(element, 1, _ -> {}));
    assertTrue(e.getMessage().contains("in circles"), e.getMessage());
  }

  @Test
  void nested_content_that_many_elements_share_is_written_for_each_of_them() {
    int count = 50;
    MemorySegment bytes = MemorySegment.ofArray(new byte[1 << 20]);
    MemorySegment pointer = pointers(1, bytes.byteSize(), 2);
    long[] written = {0};
    new CanonicalForm(NESTED, heap((_, index) -> index == 1 ? pointer : bytes))
        .write(pointers(count, 1, 1), count, run -> written[0] += run.byteSize());
    assertEquals(count * (8 + bytes.byteSize()), written[0]);
  }

  @Test
  void packed_content_may_be_larger_than_the_file() {
    int count = 20;
    PackedContent.Builder builder = new PackedContent.Builder();
    MemorySegment inner = MemorySegment.ofArray(new byte[16 * count]);
    MemorySegment bytes = MemorySegment.ofArray(new byte[1 << 20]);
    for (int i = 0; i < count; i++) {
      builder.put(inner.asSlice(16L * i, 16), bytes.byteSize(), bytes);
    }
    MemorySegment element = MemorySegment.ofArray(new byte[16]);
    builder.put(element, count, inner);
    PackedContent packed = PackedContent.split(builder.join(element), 16);
    long[] written = {0};
    new CanonicalForm(NESTED, new PackedContents(heap(), packed))
        .write(packed.elements(), 1, run -> written[0] += run.byteSize());
    assertEquals(4 + count * (4 + bytes.byteSize()), written[0]);
  }

  @Test
  void packed_content_that_contains_itself_is_refused() {
    Datatype deep = NESTED;
    for (int i = 0; i < 20; i++) {
      deep = VariableLength.sequence(deep);
    }
    ByteWriter out = ByteWriter.create();
    for (int i = 0; i <= MEMBERS; i++) {
      out.u32(MEMBERS).uint(1, 6).uint(0, 6);
    }
    PackedContents contents = new PackedContents(heap(), PackedContent.split(out.written(), 16));
    CanonicalForm form = new CanonicalForm(deep, contents);
    FormatException e =
        assertThrows(
            FormatException.class, () -> form.write(contents.packed().elements(), 1, _ -> {}));
    assertTrue(e.getMessage().contains("in circles"), e.getMessage());
  }

  @Test
  void a_type_of_another_size_than_a_pointer_is_refused() {
    for (int size : List.of(4, 12, 24)) {
      Datatype type =
          new VariableLength(
              size,
              VariableLength.Kind.SEQUENCE,
              Datatype.I8,
              StringPadding.NULL_TERMINATED,
              CharacterSet.ASCII);
      MemorySegment element = MemorySegment.ofArray(new byte[size]);
      for (Executable read :
          List.<Executable>of(
              () -> new ValueReader(heap()).read(type, element, 0),
              () -> new CanonicalForm(type, heap()).write(element, 1, _ -> {}))) {
        FormatException e = assertThrows(FormatException.class, read);
        assertTrue(e.getMessage().contains("expected=16 actual=" + size), e.getMessage());
      }
    }
  }

  @Test
  void an_invalid_heap_index_is_refused_and_a_null_pointer_has_no_content() {
    assertThrows(
        FormatException.class,
        () ->
            new ValueReader(heap())
                .read(VariableLength.sequence(Datatype.I8), pointers(1, 1, 0x10000), 0));
    MemorySegment none = MemorySegment.ofArray(new byte[16]);
    assertEquals(
        new Value.Sequence(List.of()),
        new ValueReader(heap()).read(VariableLength.sequence(Datatype.I8), none, 0));
  }

  @Test
  void rows_of_widened_members_that_no_array_holds_are_not_supported() {
    FloatingPoint half =
        new FloatingPoint(
            2,
            Endian.LITTLE,
            BitPadding.ZEROS,
            FloatingPoint.Normalization.MSB_IMPLIED,
            15,
            0,
            16,
            7,
            8,
            0,
            7,
            127);
    Datatype array = new ArrayType(List.of(1 << 25), half);
    List<Compound.Member> members =
        IntStream.range(0, 16).mapToObj(i -> new Compound.Member("m" + i, i << 26, array)).toList();
    CanonicalForm form = new CanonicalForm(new Compound(1 << 30, members), heap());
    UnsupportedFeatureException e =
        assertThrows(
            UnsupportedFeatureException.class,
            () -> form.write(MemorySegment.ofArray(new byte[0]), 0, _ -> {}));
    assertTrue(e.getMessage().contains("rows of 2 GiB or more"), e.getMessage());
  }

  private static MemorySegment pointers(int count, long length, long index) {
    ByteWriter out = ByteWriter.create();
    for (int i = 0; i < count; i++) {
      out.u32(length).u64(4096).u32(index);
    }
    return out.written();
  }

  /** Returns contents whose only heap object consists of pointers to itself. */
  private static StoredContents heap() {
    MemorySegment object = pointers(MEMBERS, MEMBERS, 1);
    return heap((_, _) -> object);
  }

  /** Returns the contents of a file of 8 KiB with the given heap objects. */
  private static StoredContents heap(BiFunction<Long, Integer, MemorySegment> objects) {
    return new StoredContents() {
      @Override
      public String fileName() {
        return "hostile.h5";
      }

      @Override
      public Widths widths() {
        return Widths.EIGHT;
      }

      @Override
      public long fileSize() {
        return 8192;
      }

      @Override
      public MemorySegment heapObject(long collection, int index) {
        return objects.apply(collection, index);
      }

      @Override
      public Optional<String> pathOf(long address) {
        return Optional.empty();
      }

      @Override
      public boolean isObject(long address) {
        return false;
      }
    };
  }
}
