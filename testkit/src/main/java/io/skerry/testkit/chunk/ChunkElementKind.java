package io.skerry.testkit.chunk;

import io.skerry.chunk.content.PackedContent;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.VariableLength;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A kind of element under test. The model represents elements as strings; the chunk format
 * represents them as packed bytes.
 */
public enum ChunkElementKind {
  /** Signed integers of 32 bits. */
  NUMBERS(Datatype.I32) {
    @Override
    String draw(RandomGenerator random) {
      return Integer.toString(random.nextInt(1000));
    }

    @Override
    MemorySegment pack(List<String> values) {
      MemorySegment packed = MemorySegment.ofArray(new byte[4 * values.size()]);
      for (int i = 0; i < values.size(); i++) {
        packed.setAtIndex(I32, i, Integer.parseInt(values.get(i)));
      }
      return packed;
    }

    @Override
    List<String> unpack(MemorySegment packed, int count) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        values.add(Integer.toString(packed.getAtIndex(I32, i)));
      }
      return values;
    }

    @Override
    String zero() {
      return "0";
    }
  },

  /**
   * Opaque elements so large that a dense chunk of a few hundred elements spans several pages.
   * Pages are the parts that successive versions of a chunk share in memory.
   */
  BLOCKS(new Opaque(1000, "")) {
    @Override
    String draw(RandomGenerator random) {
      return Integer.toString(random.nextInt(100));
    }

    @Override
    MemorySegment pack(List<String> values) {
      MemorySegment packed = MemorySegment.ofArray(new byte[type().size() * values.size()]);
      for (int i = 0; i < values.size(); i++) {
        packed
            .asSlice((long) i * type().size(), type().size())
            .fill((byte) Integer.parseInt(values.get(i)));
      }
      return packed;
    }

    @Override
    List<String> unpack(MemorySegment packed, int count) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        byte[] block =
            packed.asSlice((long) i * type().size(), type().size()).toArray(ValueLayout.JAVA_BYTE);
        byte[] expected = new byte[block.length];
        Arrays.fill(expected, block[0]);
        values.add(Arrays.equals(block, expected) ? Integer.toString(block[0]) : "torn");
      }
      return values;
    }

    @Override
    String zero() {
      return "0";
    }
  },

  /** Variable-length strings, some of which are long or empty. */
  TEXTS(VariableLength.string(CharacterSet.UTF8)) {
    @Override
    String draw(RandomGenerator random) {
      return "t".repeat(random.nextInt(8) == 0 ? random.nextInt(500) : random.nextInt(5))
          + (random.nextInt(4) == 0 ? "" : random.nextInt(100));
    }

    @Override
    MemorySegment pack(List<String> values) {
      MemorySegment elements = MemorySegment.ofArray(new byte[type().size() * values.size()]);
      PackedContent.Builder content = new PackedContent.Builder();
      for (int i = 0; i < values.size(); i++) {
        byte[] text = values.get(i).getBytes(StandardCharsets.UTF_8);
        content.put(
            elements.asSlice((long) i * type().size(), type().size()),
            text.length,
            MemorySegment.ofArray(text));
      }
      return content.join(elements);
    }

    @Override
    List<String> unpack(MemorySegment packed, int count) {
      PackedContent split = PackedContent.split(packed, (long) count * type().size());
      List<String> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        byte[] text =
            split
                .content(split.elements(), (long) i * type().size(), 1)
                .toArray(ValueLayout.JAVA_BYTE);
        values.add(new String(text, StandardCharsets.UTF_8));
      }
      return values;
    }

    @Override
    String zero() {
      return "";
    }
  };

  private static final ValueLayout.OfInt I32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Datatype type;

  ChunkElementKind(Datatype type) {
    this.type = type;
  }

  /** Returns the datatype of the elements. */
  public Datatype type() {
    return type;
  }

  /** Returns a random value. */
  abstract String draw(RandomGenerator random);

  /** Returns the values in the packed form that a chunk format accepts. */
  abstract MemorySegment pack(List<String> values);

  /** Decodes values from the packed form that a chunk format returns. */
  abstract List<String> unpack(MemorySegment packed, int count);

  /** Returns the value of undefined elements if no fill value was set. */
  abstract String zero();
}
