package io.skerry.datatype;

/**
 * The type of an element as stored in the file: one record for each class of the HDF5 datatype
 * message. Immutable, thread-safe; two types are equal if all stored fields are equal. Methods that
 * access an element in memory throw {@link IllegalStateException} if the memory is no longer
 * accessible, {@link WrongThreadException} if only another thread may access it, and, if they
 * write, {@link IllegalArgumentException} if it is read-only. Methods of a type that contains other
 * types throw {@link StackOverflowError} if thousands of types are nested in one another.
 *
 * <p>The constants are the little-endian types; {@link FixedPoint#withOrder} and {@link
 * FloatingPoint#withOrder} derive types with other byte orders. {@code toString} returns a short
 * name such as {@code u16}, {@code f32be}, {@code string[16]} or {@code compound[12]{x@0:i32,
 * y@4:f64}}.
 *
 * <p>Source: HDF5 file format specification, section IV.A.2.d.
 */
public sealed interface Datatype
    permits FixedPoint,
        FloatingPoint,
        Time,
        StringType,
        BitField,
        Opaque,
        Compound,
        Reference,
        Enumeration,
        VariableLength,
        ArrayType,
        ComplexType {
  FixedPoint U8 = FixedPoint.of(1, Signedness.UNSIGNED, Endian.LITTLE);
  FixedPoint U16 = FixedPoint.of(2, Signedness.UNSIGNED, Endian.LITTLE);
  FixedPoint U32 = FixedPoint.of(4, Signedness.UNSIGNED, Endian.LITTLE);
  FixedPoint U64 = FixedPoint.of(8, Signedness.UNSIGNED, Endian.LITTLE);
  FixedPoint I8 = FixedPoint.of(1, Signedness.SIGNED, Endian.LITTLE);
  FixedPoint I16 = FixedPoint.of(2, Signedness.SIGNED, Endian.LITTLE);
  FixedPoint I32 = FixedPoint.of(4, Signedness.SIGNED, Endian.LITTLE);
  FixedPoint I64 = FixedPoint.of(8, Signedness.SIGNED, Endian.LITTLE);
  FloatingPoint F16 = FloatingPoint.ieee(2, 10, 5, Endian.LITTLE);
  FloatingPoint F32 = FloatingPoint.ieee(4, 23, 8, Endian.LITTLE);
  FloatingPoint F64 = FloatingPoint.ieee(8, 52, 11, Endian.LITTLE);

  /** Returns the size of an element in bytes, at least 1. Local, thread-safe; does not fail. */
  int size();
}
