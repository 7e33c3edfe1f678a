package io.skerry.integration.interop.virtual;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.Value;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** Kinds of elements that refer to contents, with example values. */
enum ContentKind {
  /** Strings. */
  TEXT,
  /** Strings in chunks that hold elements and contents together. */
  SPARSE,
  /** Sequences of integers. */
  LIST,
  /** Sequences of integers, which have another width in the virtual dataset. */
  CONVERTED,
  /** Sequences of strings. */
  NESTED,
  /** An integer and a string. */
  PAIR,
  /** References to objects in the file of the source. */
  OBJECT,
  /** References to elements of a dataset in the file of the source. */
  REGION;

  private static final Datatype STRING = VariableLength.string(CharacterSet.UTF8);

  String path() {
    return "/" + name().toLowerCase(Locale.ROOT);
  }

  /** Returns the datatype of the sources. */
  Datatype type() {
    return switch (this) {
      case TEXT, SPARSE -> STRING;
      case LIST, CONVERTED -> VariableLength.sequence(Datatype.I32);
      case NESTED -> VariableLength.sequence(STRING);
      case PAIR ->
          new Compound(
              24,
              List.of(
                  new Compound.Member("n", 0, Datatype.I32),
                  new Compound.Member("name", 8, STRING)));
      case OBJECT -> new Reference(8, Reference.Kind.OBJECT);
      case REGION -> new Reference(12, Reference.Kind.REGION);
    };
  }

  /** Returns the datatype of the virtual dataset. */
  Datatype virtualType() {
    return this == CONVERTED ? VariableLength.sequence(Datatype.I64) : type();
  }

  /** Writes the objects to which references refer. */
  static void writeTargets(H5File file) {
    for (int i = 0; i < 3; i++) {
      file.createDataset("/targets/" + i, DatasetSpec.of(Datatype.U8, Shape.of(4)))
          .write(Selection.all(), new byte[] {1, 2, 3, 4});
    }
  }

  /**
   * Returns the value of an element of a source.
   *
   * @param index the row-major index of the element
   */
  Value value(H5File file, int source, int index) {
    return switch (this) {
      case TEXT, SPARSE -> text(source, index);
      case LIST, CONVERTED ->
          new Value.Sequence(
              IntStream.range(0, index % 7 == 6 ? 900 + index : index % 7)
                  .mapToObj(i -> whole(1000L * source + i))
                  .toList());
      case NESTED ->
          new Value.Sequence(
              IntStream.range(0, index % 4).mapToObj(i -> text(source, index + i)).toList());
      case PAIR -> pair(whole(index), text(source, index));
      case OBJECT ->
          index % 5 == 4 ? new Value.NullReference() : file.reference("/targets/" + index % 3);
      case REGION ->
          index % 5 == 4
              ? new Value.NullReference()
              : file.reference("/targets/" + index % 3, Selection.at(index % 4));
    };
  }

  /** Returns the value of an element without a source. */
  Value fill() {
    return switch (this) {
      case TEXT, SPARSE -> new Value.Text("");
      case LIST, CONVERTED, NESTED -> new Value.Sequence(List.of());
      case PAIR -> pair(whole(0), new Value.Text(""));
      case OBJECT, REGION -> new Value.NullReference();
    };
  }

  private static Value whole(long value) {
    return new Value.Whole(BigInteger.valueOf(value));
  }

  private static Value text(int source, int index) {
    return new Value.Text(index % 6 == 0 ? "" : "é".repeat(index % 5) + source + ":" + index);
  }

  private static Value pair(Value n, Value name) {
    return new Value.Compound(List.of(new Value.Field("n", n), new Value.Field("name", name)));
  }

  /** Returns a value of a file as it is read from another file. */
  static Value seenFrom(Value value, String file) {
    return switch (value) {
      case Value.ObjectReference(Value.Target target) ->
          new Value.ObjectReference(in(file, target));
      case Value.RegionReference(Value.Target target, Selection region) ->
          new Value.RegionReference(in(file, target), region);
      default -> value;
    };
  }

  private static Value.Target in(String file, Value.Target target) {
    return new Value.Target(Optional.of(file), target.path(), target.address());
  }
}
