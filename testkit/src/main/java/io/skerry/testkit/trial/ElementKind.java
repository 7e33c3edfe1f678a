package io.skerry.testkit.trial;

import io.skerry.Dataset;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.type.Datatype;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** File types under trial; all hold the model's values, which lie in 0..30000, exactly. */
enum ElementKind {
  U16(Datatype.U16),
  I32(Datatype.I32),
  I64(Datatype.I64),
  F64(Datatype.F64);

  private final Datatype type;

  ElementKind(Datatype type) {
    this.type = type;
  }

  Datatype type() {
    return type;
  }

  /** One value as it stands in the file. */
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

  void write(Dataset dataset, Selection selection, long[] values) {
    switch (this) {
      case U16 -> {
        short[] narrow = new short[values.length];
        for (int i = 0; i < narrow.length; i++) {
          narrow[i] = (short) values[i];
        }
        dataset.write(selection, narrow);
      }
      case I32 -> {
        int[] narrow = new int[values.length];
        for (int i = 0; i < narrow.length; i++) {
          narrow[i] = (int) values[i];
        }
        dataset.write(selection, narrow);
      }
      case I64, F64 -> dataset.write(selection, values);
    }
  }
}
