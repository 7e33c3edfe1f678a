package io.skerry.chunk.type;

import java.lang.foreign.MemorySegment;

/**
 * Converts the members of arrays of one shape.
 *
 * @param times members of an array
 * @param stride bytes of a member that comes out
 * @param each converts a member
 */
record ArrayStep(int times, int stride, Step each) implements Step {
  /** The step for arrays of a type. */
  static Step of(ArrayType type, Step each) {
    int stride = type.base().size();
    return each instanceof Step.Copy
        ? new Step.Copy(type.size())
        : new ArrayStep(type.size() / stride, stride, each);
  }

  @Override
  public void move(MemorySegment in, MemorySegment out, long elements) {
    each.move(in, out, elements * times);
  }

  @Override
  public boolean keeps() {
    return each.keeps();
  }

  @Override
  public void written(int at, WrittenBytes bytes) {
    if (!each.keeps()) {
      bytes.add(at, times * stride);
      return;
    }
    for (int i = 0; i < times; i++) {
      each.written(at + i * stride, bytes);
    }
  }
}
