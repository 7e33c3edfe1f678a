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
 * The values that one rank writes to one dataset in a call that writes to several datasets: see
 * {@link H5File#writeAll}, which checks the selection and the content. A null is refused there, on
 * all ranks, and not by this class: a rank that fails before the collective call would leave the
 * others waiting.
 *
 * @param dataset the dataset
 * @param selection the elements to write, within the extent
 * @param content one value for each selected element, in selection order
 */
public record DatasetWrite(Dataset dataset, Selection selection, Content content) {
  /** The values to write. */
  public sealed interface Content {}

  /**
   * Values in the layout of a datatype in memory. The memory is not copied.
   *
   * @param memory the type of the values in memory, from which they are converted
   * @param values the values in selection order, of {@code memory.size()} bytes each
   */
  public record Elements(Datatype memory, MemorySegment values) implements Content {}

  /**
   * Values of any type, including variable-length values and references. Immutable.
   *
   * @param values the values in selection order
   */
  public record Values(List<Value> values) implements Content {
    /**
     * Creates the content from a copy of the list. Local, thread-safe.
     *
     * @throws NullPointerException if a value is null
     */
    public Values {
      values = List.copyOf(values);
    }
  }

  /**
   * Describes a write of values in memory, like {@link Dataset#write(Selection, Datatype,
   * MemorySegment)}. Local, thread-safe; does not fail.
   *
   * @param dataset the dataset
   * @param selection the elements to write
   * @param memory the type of the values in memory
   * @param values one value for each selected element, in selection order, of {@code memory.size()}
   *     bytes each
   * @return the description of the write
   */
  public static DatasetWrite of(
      Dataset dataset, Selection selection, Datatype memory, MemorySegment values) {
    return new DatasetWrite(dataset, selection, new Elements(memory, values));
  }

  /**
   * Describes a write of values of any type. Local, thread-safe.
   *
   * @param dataset the dataset
   * @param selection the elements to write
   * @param values one value for each selected element, in selection order
   * @return the description of the write
   * @throws NullPointerException if a value is null
   */
  public static DatasetWrite of(Dataset dataset, Selection selection, List<Value> values) {
    return new DatasetWrite(dataset, selection, new Values(values));
  }

  /**
   * Describes a write of strings of fixed or variable length. Local, thread-safe.
   *
   * @param dataset the dataset
   * @param selection the elements to write
   * @param texts one string for each selected element, in selection order
   * @return the description of the write
   * @throws NullPointerException if the array is null
   */
  public static DatasetWrite of(Dataset dataset, Selection selection, String[] texts) {
    return of(dataset, selection, Stream.of(texts).<Value>map(Value.Text::new).toList());
  }

  /**
   * Describes a write of 8-bit integers or, if the dataset does not hold numbers, of elements in
   * the file datatype. Local, thread-safe; does not fail.
   *
   * @param dataset the dataset
   * @param selection the elements to write
   * @param values one value for each selected element, in selection order; if the dataset does not
   *     hold numbers, the bytes of these elements
   * @return the description of the write
   */
  public static DatasetWrite of(Dataset dataset, Selection selection, byte[] values) {
    Datatype memory = PackedArrays.bytes(dataset.datatype());
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /**
   * Describes a write of 16-bit integers. In a u16 dataset, their bit patterns are stored
   * unchanged. Local, thread-safe; does not fail.
   *
   * @param dataset the dataset
   * @param selection the elements to write
   * @param values one value for each selected element, in selection order
   * @return the description of the write
   */
  public static DatasetWrite of(Dataset dataset, Selection selection, short[] values) {
    Datatype memory = PackedArrays.integers(2, dataset.datatype());
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /**
   * Describes a write of 32-bit integers. In a u32 dataset, their bit patterns are stored
   * unchanged. Local, thread-safe; does not fail.
   *
   * @param dataset the dataset
   * @param selection the elements to write
   * @param values one value for each selected element, in selection order
   * @return the description of the write
   */
  public static DatasetWrite of(Dataset dataset, Selection selection, int[] values) {
    Datatype memory = PackedArrays.integers(4, dataset.datatype());
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /**
   * Describes a write of 64-bit integers. In a u64 dataset, their bit patterns are stored
   * unchanged. Local, thread-safe; does not fail.
   *
   * @param dataset the dataset
   * @param selection the elements to write
   * @param values one value for each selected element, in selection order
   * @return the description of the write
   */
  public static DatasetWrite of(Dataset dataset, Selection selection, long[] values) {
    Datatype memory = PackedArrays.integers(8, dataset.datatype());
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /**
   * Describes a write of 32-bit floating-point numbers. Local, thread-safe; does not fail.
   *
   * @param dataset the dataset
   * @param selection the elements to write
   * @param values one value for each selected element, in selection order
   * @return the description of the write
   */
  public static DatasetWrite of(Dataset dataset, Selection selection, float[] values) {
    Datatype memory = PackedArrays.nativeOrder(Datatype.F32);
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /**
   * Describes a write of 64-bit floating-point numbers. Local, thread-safe; does not fail.
   *
   * @param dataset the dataset
   * @param selection the elements to write
   * @param values one value for each selected element, in selection order
   * @return the description of the write
   */
  public static DatasetWrite of(Dataset dataset, Selection selection, double[] values) {
    Datatype memory = PackedArrays.nativeOrder(Datatype.F64);
    return of(dataset, selection, memory, MemorySegment.ofArray(values));
  }

  /**
   * Describes an empty write, for a rank that writes nothing to a dataset to which other ranks
   * write. If the dataset has no chunks, or its elements contain references or have variable-length
   * values in the global heap, all ranks must pass the same kind of content: this method passes a
   * list of values if elements have variable-length parts, and otherwise elements in memory. If the
   * other ranks pass lists of values or strings in the latter case, use {@link #of(Dataset,
   * Selection, List)} with an empty list instead. Local, thread-safe; does not fail.
   *
   * @param dataset the dataset
   * @return the description of the empty write
   */
  public static DatasetWrite nothing(Dataset dataset) {
    return OwnedContent.isPartOf(dataset.datatype())
        ? of(dataset, Selection.none(), List.of())
        : of(dataset, Selection.none(), new byte[0]);
  }
}
