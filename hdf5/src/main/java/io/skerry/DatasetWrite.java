package io.skerry;

import io.skerry.datatype.Datatype;
import io.skerry.internal.value.OwnedContent;
import io.skerry.internal.value.PackedArrays;
import io.skerry.selection.Selection;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * What one rank writes to one dataset in a call that writes to several: see {@link
 * H5File#writeAll}.
 *
 * @param dataset the dataset
 * @param selection its elements, within the extent
 * @param content one value per selected element, in selection order
 */
public record DatasetWrite(Dataset dataset, Selection selection, Content content) {

  /** The values that are written. */
  public sealed interface Content {}

  /**
   * Values as they stand in memory.
   *
   * @param memory their type, from which they are converted
   * @param values one after the other
   */
  public record Elements(Datatype memory, MemorySegment values) implements Content {}

  /**
   * Values of any type, with content of variable length and references.
   *
   * @param values one after the other
   */
  public record Values(List<Value> values) implements Content {
    /** Takes a copy of the list. */
    public Values {
      values = List.copyOf(values);
    }
  }

  /**
   * Writes values in a memory type, as {@link Dataset#write(Selection, Datatype, MemorySegment)}.
   */
  public static DatasetWrite of(
      Dataset dataset, Selection selection, Datatype memory, MemorySegment values) {
    return new DatasetWrite(dataset, selection, new Elements(memory, values));
  }

  /** Writes values of any type. */
  public static DatasetWrite of(Dataset dataset, Selection selection, List<Value> values) {
    return new DatasetWrite(dataset, selection, new Values(values));
  }

  /** Writes texts, fixed or variable-length. */
  public static DatasetWrite of(Dataset dataset, Selection selection, String[] texts) {
    return of(dataset, selection, Stream.of(texts).<Value>map(Value.Text::new).toList());
  }

  /** Writes bytes: u8 or i8 values, or elements as they are in the file. */
  public static DatasetWrite of(Dataset dataset, Selection selection, byte[] values) {
    Datatype memory = PackedArrays.bytes(dataset.datatype());
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /** Writes 16-bit integers; for a u16 dataset their bits. */
  public static DatasetWrite of(Dataset dataset, Selection selection, short[] values) {
    Datatype memory = PackedArrays.integers(2, dataset.datatype());
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /** Writes 32-bit integers; for a u32 dataset their bits. */
  public static DatasetWrite of(Dataset dataset, Selection selection, int[] values) {
    Datatype memory = PackedArrays.integers(4, dataset.datatype());
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /** Writes 64-bit integers; for a u64 dataset their bits. */
  public static DatasetWrite of(Dataset dataset, Selection selection, long[] values) {
    Datatype memory = PackedArrays.integers(8, dataset.datatype());
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /** Writes 32-bit floating-point numbers. */
  public static DatasetWrite of(Dataset dataset, Selection selection, float[] values) {
    Datatype memory = PackedArrays.nativeOrder(Datatype.F32);
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /** Writes 64-bit floating-point numbers. */
  public static DatasetWrite of(Dataset dataset, Selection selection, double[] values) {
    Datatype memory = PackedArrays.nativeOrder(Datatype.F64);
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /**
   * Writes nothing: what a rank gives that has no part in a dataset that others write to. Where
   * these give a list of values for numbers that are not in chunks, it is an empty list instead.
   */
  public static DatasetWrite nothing(Dataset dataset) {
    return OwnedContent.isPartOf(dataset.datatype())
        ? of(dataset, Selection.none(), List.of())
        : of(dataset, Selection.none(), new byte[0]);
  }
}
