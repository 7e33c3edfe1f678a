package io.skerry.internal.value;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.datatype.Compound;
import io.skerry.datatype.StringType;
import io.skerry.exception.UnsupportedFeatureException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The canonical form of compounds with members of variable canonical size. Members of fixed size
 * are converted column by column, for many rows at a time.
 */
final class CompoundRows implements ElementForm {
  private static final int BLOCK_BYTES = 1 << 16;

  private final int stored;
  private final FixedForm.CompoundForm columns;
  private final List<Part> parts;

  /** A part of a row: a run of consecutive members of fixed size, or one other member. */
  private sealed interface Part {
    /** A range of bytes in the canonical form of the fixed-size members of a row. */
    record Columns(int from, int to) implements Part {}

    /** A member of variable canonical size. */
    record Other(ElementForm form, int offset) implements Part {}
  }

  CompoundRows(Compound type, ElementForms forms) {
    this.stored = type.size();
    List<FixedForm.CompoundForm.Part> fixed = new ArrayList<>();
    List<Part> all = new ArrayList<>();
    int size = 0;
    for (Compound.Member member : type.members()) {
      if (member.type() instanceof StringType || !FixedForm.can(member.type())) {
        all.add(new Part.Other(forms.single(member.type()), member.offset()));
        continue;
      }
      FixedForm form = FixedForm.of(member.type());
      fixed.add(new FixedForm.CompoundForm.Part(form, member.offset(), size));
      int from = size;
      if (!all.isEmpty() && all.getLast() instanceof Part.Columns before) {
        from = before.from;
        all.removeLast();
      }
      if (form.size() > HeapBytes.MAX_ARRAY - size) {
        // The canonical form of a number may be wider than the number in the file.
        throw new UnsupportedFeatureException("rows of 2 GiB or more", "type " + type);
      }
      size += form.size();
      all.add(new Part.Columns(from, size));
    }
    this.columns = new FixedForm.CompoundForm(fixed, size, stored);
    this.parts = List.copyOf(all);
  }

  @Override
  public void write(MemorySegment in, long at, long count, Gathered out) {
    int width = columns.size();
    int block = (int) Math.clamp(BLOCK_BYTES / Math.max(stored, width), 1, Math.max(1, count));
    MemorySegment scratch = MemorySegment.ofArray(new byte[block * width]);
    for (long first = 0; first < count; first += block) {
      int n = (int) Math.min(block, count - first);
      long from = at + first * stored;
      columns.fill(new FixedForm.Run(in, from, stored), new FixedForm.Run(scratch, 0, width), n);
      for (int i = 0; i < n; i++) {
        row(in, from + (long) i * stored, scratch.asSlice((long) i * width, width), out);
      }
    }
  }

  private void row(MemorySegment in, long at, MemorySegment fixed, Gathered out) {
    for (Part part : parts) {
      switch (part) {
        case Part.Columns(int from, int to) -> out.bytes(fixed.asSlice(from, to - from));
        case Part.Other(ElementForm form, int offset) -> form.write(in, at + offset, 1, out);
      }
    }
  }
}
