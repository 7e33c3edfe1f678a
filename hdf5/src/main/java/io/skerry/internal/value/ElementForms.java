package io.skerry.internal.value;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Creates the canonical forms for the datatypes of one file. */
final class ElementForms {
  private static final int BLOCK_BYTES = 1 << 16;

  private final StoredContents contents;
  private final ReferenceReader references;
  private final NestedContent nested;

  ElementForms(StoredContents contents) {
    this.contents = contents;
    this.references = new ReferenceReader(contents);
    this.nested = new NestedContent(contents);
  }

  /** Returns the form of elements of an array or a dataset. */
  ElementForm of(Datatype type) {
    if (FixedForm.can(type)) {
      FixedForm form = FixedForm.of(type);
      return (in, at, count, out) -> fixed(form, type.size(), in, at, count, out);
    }
    return switch (type) {
      case VariableLength variable -> variable(variable);
      case Reference reference ->
          (in, at, count, out) -> {
            for (long i = 0; i < count; i++) {
              text(path(references.read(reference, in, at + i * reference.size())), out);
            }
          };
      case ArrayType array -> {
        ElementForm base = of(array.base());
        long length = array.size() / array.base().size();
        yield (in, at, count, out) -> base.write(in, at, count * length, out);
      }
      case Compound compound -> new CompoundRows(compound, this);
      default -> throw new IllegalStateException("of fixed size: type=" + type);
    };
  }

  /** Returns the form of a single value: a scalar, or a member of a compound. */
  ElementForm single(Datatype type) {
    return switch (type) {
      case StringType text ->
          (in, at, _, out) -> out.bytes(trimmed(in.asSlice(at, text.size()), text));
      case VariableLength v when v.kind() == VariableLength.Kind.SEQUENCE -> bare(v);
      default -> of(type);
    };
  }

  /** Returns a single string without trailing NULs; an empty string becomes one NUL. */
  private static MemorySegment trimmed(MemorySegment field, StringType type) {
    long length = field.byteSize();
    if (type.padding() != StringPadding.NULL_PADDED) {
      length = StringElements.length(field, type.padding());
    }
    length = StringElements.withoutNuls(field, length);
    return length == 0 ? MemorySegment.ofArray(new byte[1]) : field.asSlice(0, length);
  }

  private static void fixed(
      FixedForm form, int size, MemorySegment in, long at, long count, Gathered out) {
    if (form.isIdentity()) {
      out.bytes(in.asSlice(at, count * size));
      return;
    }
    int block = (int) Math.clamp(BLOCK_BYTES / Math.max(form.size(), size), 1, Math.max(1, count));
    MemorySegment scratch = MemorySegment.ofArray(new byte[block * form.size()]);
    FixedForm.Run to = new FixedForm.Run(scratch, 0, form.size());
    for (long i = 0; i < count; i += block) {
      int n = (int) Math.min(block, count - i);
      form.fill(new FixedForm.Run(in, at + i * size, size), to, n);
      out.bytes(scratch.asSlice(0, (long) n * form.size()));
    }
  }

  private ElementForm variable(VariableLength type) {
    if (type.kind() == VariableLength.Kind.STRING) {
      return (in, at, count, out) -> {
        for (long i = 0; i < count; i++) {
          MemorySegment text = StringElements.content(type, in, at + i * type.size(), contents);
          out.u32(text.byteSize());
          out.bytes(text);
        }
      };
    }
    Sequence members = members(type.base());
    return (in, at, count, out) -> {
      for (long i = 0; i < count; i++) {
        visit(
            type,
            in,
            at + i * type.size(),
            (content, length) -> {
              out.u32(length * members.repeated * members.each);
              members.form.write(content, 0, length, out);
            });
      }
    };
  }

  /**
   * Returns the form of a single sequence: each element is written as a sequence of length 1. If
   * the elements are sequences themselves, each is written as its length, followed by its own form
   * as a single sequence. Arrays are treated as {@link #members} describes.
   */
  private ElementForm bare(VariableLength type) {
    if (type.base() instanceof VariableLength inner
        && inner.kind() == VariableLength.Kind.SEQUENCE) {
      return bareOfSequences(type, inner);
    }
    Sequence members = members(type.base());
    int base = type.base().size();
    return (in, at, _, out) ->
        visit(
            type,
            in,
            at,
            (content, length) -> {
              for (long i = 0; i < length * members.each; i++) {
                out.u32(members.repeated);
                members.single.write(content, i * base / members.each, 1, out);
              }
            });
  }

  /**
   * Returns the form of a single sequence of sequences: for each inner sequence, its length, then
   * its form as a single sequence.
   */
  private ElementForm bareOfSequences(VariableLength type, VariableLength inner) {
    ElementForm member = bare(inner);
    long each = members(inner.base()).each;
    return (in, at, _, out) ->
        visit(
            type,
            in,
            at,
            (content, length) -> {
              for (long i = 0; i < length; i++) {
                long here = i * inner.size();
                visit(inner, content, here, (_, numbers) -> out.u32(numbers * each));
                member.write(content, here, 1, out);
              }
            });
  }

  /**
   * The form of the elements of a sequence.
   *
   * @param form the form of consecutive elements
   * @param each the number of values in one element: the length of an array of fixed-size values,
   *     otherwise 1
   * @param repeated the number of times that each of these values is written
   * @param single the form of one of these values, with its repetitions
   */
  private record Sequence(ElementForm form, long each, long repeated, ElementForm single) {}

  /**
   * Returns the form of the elements of a sequence. If an element is an array of fixed-size values,
   * each of these values is written as many times as the array has values.
   */
  private Sequence members(Datatype base) {
    ElementForm plain = of(base);
    if (!(base instanceof ArrayType array) || !FixedForm.can(array)) {
      return new Sequence(plain, 1, 1, plain);
    }
    Datatype number = array.base();
    ElementForm one = of(number);
    long each = array.size() / number.size();
    ElementForm repeated =
        (in, at, _, out) -> {
          for (long k = 0; k < each; k++) {
            one.write(in, at, 1, out);
          }
        };
    ElementForm all =
        (in, at, count, out) -> {
          for (long i = 0; i < count * each; i++) {
            repeated.write(in, at + i * number.size(), 1, out);
          }
        };
    return new Sequence(all, each, each, repeated);
  }

  @FunctionalInterface
  private interface Visitor {
    void visit(MemorySegment content, long length);
  }

  private void visit(VariableLength type, MemorySegment in, long at, Visitor visitor) {
    MemorySegment content =
        contents.variable(type, in, at).orElseGet(() -> MemorySegment.ofArray(new byte[0]));
    nested.within(
        content,
        () -> {
          visitor.visit(content, content.byteSize() / type.base().size());
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
    // The result is only the path, even for an element of a virtual dataset, because a digest
    // must not depend on the names of the source files.
    if (target.file().isPresent() && target.path().isEmpty()) {
      return target.toString();
    }
    return target.path().orElseGet(() -> contents.isObject(target.address()) ? "" : "?");
  }
}
