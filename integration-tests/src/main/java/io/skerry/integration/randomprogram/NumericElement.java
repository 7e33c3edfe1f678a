package io.skerry.integration.randomprogram;

import io.skerry.Dataset;
import io.skerry.DatasetWrite;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The tested datatypes in the file. All represent the model values, 0 to 30000, exactly. */
enum NumericElement {
  U16(Datatype.U16),
  I32(Datatype.I32),
  I64(Datatype.I64),
  F64(Datatype.F64);

  private final Datatype type;

  NumericElement(Datatype type) {
    this.type = type;
  }

  Datatype type() {
    return type;
  }

  /** Returns the bytes of a value in the file. */
  byte[] bytes(long value) {
    MemorySegment one = MemorySegment.ofArray(new byte[type.size()]);
    switch (this) {
      case U16 -> one.set(little(ValueLayout.JAVA_SHORT_UNALIGNED), 0, (short) value);
      case I32 -> one.set(little(ValueLayout.JAVA_INT_UNALIGNED), 0, (int) value);
      case I64 -> one.set(little(ValueLayout.JAVA_LONG_UNALIGNED), 0, value);
      case F64 -> one.set(little(ValueLayout.JAVA_DOUBLE_UNALIGNED), 0, value);
    }
    return one.toArray(ValueLayout.JAVA_BYTE);
  }

  @SuppressWarnings("unchecked")
  private static <L extends ValueLayout> L little(L layout) {
    return (L) layout.withOrder(ByteOrder.LITTLE_ENDIAN);
  }

  /** The type of values in memory. */
  private enum Memory {
    /** The type of the file. */
    SAME,
    I64,
    F32,
    /** 32-bit integers in big-endian order, unlike the byte order of most machines. */
    I32_BIG
  }

  /**
   * Returns a write whose values have one of several types in memory.
   *
   * @param choice any number; determines the type
   */
  DatasetWrite write(Dataset dataset, Selection selection, long[] values, long choice) {
    Memory memory = Memory.values()[(int) Math.floorMod(choice, (long) Memory.values().length)];
    return switch (memory) {
      case SAME -> same(dataset, selection, values);
      case I64 -> DatasetWrite.of(dataset, selection, values);
      case F32 -> {
        float[] floats = new float[values.length];
        for (int i = 0; i < floats.length; i++) {
          floats[i] = values[i];
        }
        yield DatasetWrite.of(dataset, selection, floats);
      }
      case I32_BIG -> {
        MemorySegment big = MemorySegment.ofArray(new byte[4 * values.length]);
        for (int i = 0; i < values.length; i++) {
          big.set(
              ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN),
              4L * i,
              (int) values[i]);
        }
        yield DatasetWrite.of(dataset, selection, Datatype.I32.withOrder(Endian.BIG), big);
      }
    };
  }

  private DatasetWrite same(Dataset dataset, Selection selection, long[] values) {
    byte[] bytes = new byte[type.size() * values.length];
    for (int i = 0; i < values.length; i++) {
      System.arraycopy(bytes(values[i]), 0, bytes, type.size() * i, type.size());
    }
    return DatasetWrite.of(dataset, selection, type, MemorySegment.ofArray(bytes));
  }
}
