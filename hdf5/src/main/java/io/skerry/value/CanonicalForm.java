package io.skerry.value;

import io.skerry.chunk.type.ArrayType;
import io.skerry.chunk.type.Compound;
import io.skerry.chunk.type.Datatype;
import io.skerry.chunk.type.Reference;
import io.skerry.chunk.type.VariableLength;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The bytes that stand for elements in a content digest, whatever their layout, filters and byte
 * order in the file:
 *
 * <ul>
 *   <li>integers little-endian at their size, sign-extended over padding bits; enumerations alike;
 *   <li>bit fields and times little-endian at their size, all bits as stored;
 *   <li>floating point little-endian in the narrowest of binary16, binary32, binary64 and the
 *       80-bit extended format in 16 bytes that holds every value of the type and is not smaller;
 *       what fits none of them as stored, little-endian;
 *   <li>complex numbers as real and imaginary part;
 *   <li>text at its size, NUL-padded; what is NUL-padded in the file as stored; opaque as stored;
 *   <li>compound members in order, packed; array elements in order;
 *   <li>variable-length text as u32 bytes, then content up to a NUL; sequences as u32 elements,
 *       then elements;
 *   <li>references of every kind as u32 bytes, then the path of the object; no bytes for a
 *       reference to nothing or to an object without path, {@code ?} if there is no object, the
 *       path after {@code file:} for another file. An attribute reference adds {@code @} and the
 *       attribute's name.
 * </ul>
 *
 * <p>Of one file and one type. Local.
 */
public final class CanonicalForm {
  private static final int BLOCK_BYTES = 1 << 16;

  private final Datatype type;
  private final Contents contents;
  private final References references;
  private final NestedContent nested;

  /**
   * @param type of the elements in the file
   * @param contents of that file
   */
  public CanonicalForm(Datatype type, Contents contents) {
    this.type = type;
    this.contents = contents;
    this.references = new References(contents);
    this.nested = new NestedContent(contents);
  }

  /** Writes the canonical bytes of the first elements of a packed run. */
  public void write(MemorySegment packed, long count, ByteSink sink) {
    try (Gathered out = new Gathered(sink)) {
      elements(type, packed, count, out);
    }
  }

  private void elements(Datatype of, MemorySegment in, long count, Gathered out) {
    if (count == 0) {
      return;
    }
    if (FixedForm.can(of)) {
      fixed(FixedForm.of(of), of.size(), in, count, out);
      return;
    }
    switch (of) {
      case VariableLength variable -> {
        for (long i = 0; i < count; i++) {
          variable(variable, in, i * of.size(), out);
        }
      }
      case Reference reference -> {
        for (long i = 0; i < count; i++) {
          text(path(references.read(reference, in, i * of.size())), out);
        }
      }
      case ArrayType array ->
          elements(array.base(), in, count * (of.size() / array.base().size()), out);
      case Compound compound -> rows(compound, in, count, out);
      default -> throw new IllegalStateException("of fixed size: type=" + of);
    }
  }

  private static void fixed(FixedForm form, int size, MemorySegment in, long count, Gathered out) {
    if (form.isIdentity()) {
      out.bytes(in.asSlice(0, count * size));
      return;
    }
    int block = (int) Math.clamp(BLOCK_BYTES / Math.max(form.size(), size), 1, count);
    MemorySegment scratch = MemorySegment.ofArray(new byte[block * form.size()]);
    for (long i = 0; i < count; i += block) {
      int n = (int) Math.min(block, count - i);
      form.fill(
          new FixedForm.Run(in, i * size, size), new FixedForm.Run(scratch, 0, form.size()), n);
      out.bytes(scratch.asSlice(0, (long) n * form.size()));
    }
  }

  private void rows(Compound compound, MemorySegment in, long count, Gathered out) {
    List<Compound.Member> members = compound.members();
    for (long i = 0; i < count; i++) {
      for (Compound.Member member : members) {
        long at = i * compound.size() + member.offset();
        elements(member.type(), in.asSlice(at, member.type().size()), 1, out);
      }
    }
  }

  private void variable(VariableLength of, MemorySegment in, long at, Gathered out) {
    if (of.kind() == VariableLength.Kind.STRING) {
      MemorySegment text = Texts.content(in, at, contents);
      out.u32(text.byteSize());
      out.bytes(text);
      return;
    }
    HeapPointer pointer = HeapPointer.read(in, at, contents.widths(), "sequence");
    MemorySegment content = pointer.content(of.base().size(), contents);
    long count = content.byteSize() / of.base().size();
    out.u32(count);
    nested.within(
        content,
        () -> {
          elements(of.base(), content, count, out);
          return true;
        });
  }

  private static void text(String text, Gathered out) {
    MemorySegment bytes = MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
    out.u32(bytes.byteSize());
    out.bytes(bytes);
  }

  private String path(Value reference) {
    return switch (reference) {
      case Value.ObjectReference(Value.Target target) -> path(target);
      case Value.RegionReference(Value.Target target, _) -> path(target);
      case Value.AttributeReference(Value.Target target, String name) -> path(target) + "@" + name;
      default -> "";
    };
  }

  private String path(Value.Target target) {
    if (target.file().isPresent()) {
      return target.toString();
    }
    return target.path().orElseGet(() -> contents.isObject(target.address()) ? "" : "?");
  }
}
