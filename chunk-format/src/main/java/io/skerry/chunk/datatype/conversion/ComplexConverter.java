package io.skerry.chunk.datatype.conversion;

import io.skerry.datatype.ArrayType;
import io.skerry.datatype.ComplexType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import java.util.List;
import java.util.Optional;

/**
 * Creates converters for complex numbers. Complex numbers are converted part by part. A real number
 * is converted to the real part, and the imaginary part is set to zero. The real part of a complex
 * number is converted to a real number; the imaginary part is dropped. A compound or array of two
 * numbers with the same layout as a complex number is copied.
 */
final class ComplexConverter {
  private ComplexConverter() {}

  /** Returns a converter from a real number to a complex number. */
  static Converter fromReal(int size, Converter part, int partSize) {
    Converter real =
        CompoundConverter.of(
            size, 2 * partSize, List.of(new CompoundConverter.Part(0, size, 0, partSize, part)));
    return new Converter.FullWrite(
        2 * partSize,
        (in, out, elements) -> {
          out.fill((byte) 0);
          real.move(in, out, elements);
        });
  }

  /** Returns a converter from a complex number to its real part. */
  static Converter toReal(int partSize, Converter part, int size) {
    return CompoundConverter.of(
        2 * partSize, size, List.of(new CompoundConverter.Part(0, partSize, 0, size, part)));
  }

  /**
   * Returns a converter that copies a complex number to or from another type with the same layout;
   * empty if the layouts differ.
   */
  static Optional<Converter> copy(ComplexType complex, Datatype other) {
    Datatype part = complex.part();
    boolean same =
        switch (other) {
          case Compound pair ->
              pair.size() == complex.size()
                  && pair.members().size() == 2
                  && pair.members().stream().allMatch(m -> m.type().equals(part))
                  && pair.members().stream().mapToInt(Compound.Member::offset).sum() == part.size()
                  && pair.members().get(0).offset() != pair.members().get(1).offset();
          case ArrayType pair -> pair.dimensions().equals(List.of(2)) && pair.base().equals(part);
          default -> false;
        };
    return same ? Optional.of(new Converter.Copy(complex.size())) : Optional.empty();
  }
}
