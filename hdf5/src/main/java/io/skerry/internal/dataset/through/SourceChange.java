package io.skerry.internal.dataset.through;

import io.skerry.DatasetWrite;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.dataset.Elements;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.value.ElementTransfer;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A change to elements of a virtual dataset, which is applied to the sources. */
public sealed interface SourceChange {
  /** Returns the change that writes values. */
  static SourceChange writing(DatasetWrite.Content content) {
    return switch (content) {
      case DatasetWrite.Elements(var memory, var values) -> new Elementwise(memory, values);
      case DatasetWrite.Values(var values) -> new Values(values);
    };
  }

  Operation operation();

  /**
   * Returns whether every element must have a source; otherwise, elements without one are left out.
   */
  default boolean needsSources() {
    return true;
  }

  /** Checks that there is one value for each selected element. Local. */
  void checkCount(long selected);

  /** Checks that the change can be applied to a source; throws an exception if not. Local. */
  void check(NativeDataset source);

  /** Applies the change to a source on a rank that changes none of its elements. Collective. */
  void applyNothing(NativeDataset source);

  /**
   * Prepares the change to the elements of a source; throws an exception if this rank cannot apply
   * it. Local.
   *
   * @return the action that applies the change; collective
   */
  Runnable prepared(NativeDataset source, SourcePart part);

  /** A write of values in a memory datatype. */
  record Elementwise(Datatype memory, MemorySegment values) implements SourceChange {
    @Override
    public Operation operation() {
      return Operation.WRITE;
    }

    @Override
    public void checkCount(long selected) {
      long expected = Math.multiplyExact(selected, memory.size());
      if (values.byteSize() != expected) {
        throw new IllegalArgumentException(
            "as many values as selected elements are needed: expectedBytes="
                + expected
                + " actualBytes="
                + values.byteSize());
      }
    }

    @Override
    public void check(NativeDataset source) {
      if (Elements.leadOutside(memory)) {
        throw new UnsupportedFeatureException(
            "writing bytes of elements of type " + memory + "; write values instead",
            source.path());
      }
      var unused = Conversion.between(memory, source.datatype(), source.path());
    }

    @Override
    public void applyNothing(NativeDataset source) {
      source.write(Selection.none(), memory, MemorySegment.ofArray(new byte[0]));
    }

    @Override
    public Runnable prepared(NativeDataset source, SourcePart part) {
      MemorySegment packed = packed(part.places());
      return () -> source.write(part.selection(), memory, packed);
    }

    private MemorySegment packed(PackedRuns places) {
      int size = memory.size();
      List<MemorySegment> runs = new ArrayList<>();
      places.forEach((first, length) -> runs.add(values.asSlice(first * size, length * size)));
      if (runs.size() == 1) {
        return runs.getFirst();
      }
      MemorySegment packed = HeapBytes.allocate(Math.multiplyExact(places.count(), (long) size));
      long at = 0;
      for (MemorySegment run : runs) {
        MemorySegment.copy(run, 0, packed, at, run.byteSize());
        at += run.byteSize();
      }
      return packed;
    }
  }

  /** A write of {@link Value} objects. */
  record Values(List<Value> values) implements SourceChange {
    @Override
    public Operation operation() {
      return Operation.WRITE;
    }

    @Override
    public void checkCount(long selected) {
      if (values.size() != selected) {
        throw new IllegalArgumentException(
            "as many values as selected elements are needed: expectedValues="
                + selected
                + " actualValues="
                + values.size());
      }
    }

    @Override
    public void check(NativeDataset source) {
      if (ElementTransfer.refersToObjects(source.datatype())) {
        throw new UnsupportedFeatureException(
            "writing references through a virtual dataset", source.path());
      }
    }

    @Override
    public void applyNothing(NativeDataset source) {
      source.writeValues(Selection.none(), List.of());
    }

    @Override
    public Runnable prepared(NativeDataset source, SourcePart part) {
      List<Value> packed = new ArrayList<>();
      part.places()
          .forEach((first, length) ->
              packed.addAll(values.subList((int) first, (int) (first + length))));
      return () -> source.writeValues(part.selection(), packed);
    }
  }

  /** The removal of elements from sparse sources. */
  record Erasure() implements SourceChange {
    @Override
    public Operation operation() {
      return Operation.ERASE;
    }

    @Override
    public boolean needsSources() {
      return false;
    }

    @Override
    public void checkCount(long selected) {}

    @Override
    public void check(NativeDataset source) {
      if (!source.isSparse()) {
        throw new UnsupportedFeatureException("erasing elements of a dense dataset", source.path());
      }
    }

    @Override
    public void applyNothing(NativeDataset source) {
      source.erase(Selection.none());
    }

    @Override
    public Runnable prepared(NativeDataset source, SourcePart part) {
      return () -> source.erase(part.selection());
    }
  }
}
