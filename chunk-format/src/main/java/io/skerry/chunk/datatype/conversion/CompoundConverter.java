package io.skerry.chunk.datatype.conversion;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Converts elements part by part; each part has its own position in the source and in the target.
 * Bytes of a target element that belong to no part, such as gaps and members that only the target
 * type has, keep their values, as with the background buffer of HDF5.
 *
 * <p>Elements are processed in blocks, and each block part by part.
 */
final class CompoundConverter implements Converter {
  private static final int MOST_ELEMENTS = 512;
  private static final int MOST_BYTES = 32 << 10;

  private final int inSize;
  private final int outSize;
  private final List<Part> parts;
  private final boolean keeps;

  /**
   * A part that both types have.
   *
   * @param from the offset in a source element, in bytes
   * @param inSize the size in the source, in bytes
   * @param to the offset in a target element, in bytes
   * @param outSize the size in the target, in bytes
   * @param step the converter for the part
   */
  record Part(int from, int inSize, int to, int outSize, Converter step) {}

  private static final Part NOTHING = new Part(0, 0, 0, 0, new Converter.Copy(0));

  private CompoundConverter(int inSize, int outSize, List<Part> parts) {
    this.inSize = inSize;
    this.outSize = outSize;
    this.parts = parts;
    WrittenBytes bytes = new WrittenBytes();
    addWrittenBytes(0, bytes);
    this.keeps = !bytes.ranges().equals(List.of(new ElementParts.Range(0, outSize)));
  }

  /** Returns a converter for the given parts, which may be in any order. */
  static Converter of(int inSize, int outSize, List<Part> parts) {
    List<Part> sorted = new ArrayList<>(parts);
    sorted.sort(Comparator.comparingInt(Part::to));
    List<Part> joined = new ArrayList<>();
    for (Part part : sorted) {
      if (!joined.isEmpty() && together(joined.getLast(), part)) {
        Part last = joined.getLast();
        int size = last.inSize + part.inSize;
        joined.set(
            joined.size() - 1, new Part(last.from, size, last.to, size, new Converter.Copy(size)));
      } else {
        joined.add(part);
      }
    }
    Part first = joined.isEmpty() ? NOTHING : joined.getFirst();
    boolean copies = first.step instanceof Converter.Copy && first.inSize == inSize;
    return copies && inSize == outSize
        ? first.step
        : new CompoundConverter(inSize, outSize, List.copyOf(joined));
  }

  private static boolean together(Part a, Part b) {
    return a.step instanceof Converter.Copy
        && b.step instanceof Converter.Copy
        && a.from + a.inSize == b.from
        && a.to + a.outSize == b.to;
  }

  @Override
  public boolean keepsBytes() {
    return keeps;
  }

  @Override
  public void addWrittenBytes(int at, WrittenBytes bytes) {
    for (Part part : parts) {
      part.step.addWrittenBytes(at + part.to, bytes);
    }
  }

  @Override
  public void move(MemorySegment in, MemorySegment out, long elements) {
    int fitting = Math.clamp(MOST_BYTES / Math.max(inSize, outSize), 1, MOST_ELEMENTS);
    int block = (int) Math.min(fitting, elements);
    MemorySegment before = scratch(block, Part::inSize);
    MemorySegment after = scratch(block, Part::outSize);
    for (long at = 0; at < elements; at += block) {
      int n = (int) Math.min(block, elements - at);
      MemorySegment blockIn = in.asSlice(at * inSize, (long) n * inSize);
      MemorySegment blockOut = out.asSlice(at * outSize, (long) n * outSize);
      for (Part part : parts) {
        move(part, blockIn, blockOut, n, before, after);
      }
    }
  }

  private MemorySegment scratch(int elements, ToIntFunction<Part> size) {
    int most = 0;
    for (Part part : parts) {
      if (!(part.step instanceof Converter.Copy)) {
        most = Math.max(most, size.applyAsInt(part));
      }
    }
    return MemorySegment.ofArray(new byte[Math.multiplyExact(most, elements)]);
  }

  private void move(
      Part part,
      MemorySegment in,
      MemorySegment out,
      int n,
      MemorySegment before,
      MemorySegment after) {
    if (part.step instanceof Converter.Copy) {
      StridedCopy.copy(in, part.from, inSize, out, part.to, outSize, part.inSize, n);
      return;
    }
    MemorySegment gathered = before.asSlice(0, (long) n * part.inSize);
    MemorySegment converted = after.asSlice(0, (long) n * part.outSize);
    StridedCopy.copy(in, part.from, inSize, gathered, 0, part.inSize, part.inSize, n);
    if (part.step.keepsBytes()) {
      StridedCopy.copy(out, part.to, outSize, converted, 0, part.outSize, part.outSize, n);
    }
    part.step.move(gathered, converted, n);
    StridedCopy.copy(converted, 0, part.outSize, out, part.to, outSize, part.outSize, n);
  }
}
