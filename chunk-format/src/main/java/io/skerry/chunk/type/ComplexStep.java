package io.skerry.chunk.type;

import java.util.List;
import java.util.Optional;

/**
 * Complex numbers: part by part; from a real number with an imaginary part of zero; to a real
 * number by their real part. A compound of two numbers, or an array of two, that looks byte for
 * byte as a complex number is copied.
 */
final class ComplexStep {
  private ComplexStep() {}

  /** A real number becomes the real part. */
  static Step fromReal(int size, Step part, int partSize) {
    Step real =
        CompoundStep.of(
            size, 2 * partSize, List.of(new CompoundStep.Part(0, size, 0, partSize, part)));
    return new Step.Whole(
        2 * partSize,
        (in, out, elements) -> {
          out.fill((byte) 0);
          real.move(in, out, elements);
        });
  }

  /** The real part becomes a real number. */
  static Step toReal(int partSize, Step part, int size) {
    return CompoundStep.of(
        2 * partSize, size, List.of(new CompoundStep.Part(0, partSize, 0, size, part)));
  }

  /** The copy between a complex number and what looks the same, if it does. */
  static Optional<Step> copy(ComplexType complex, Datatype other) {
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
    return same ? Optional.of(new Step.Copy(complex.size())) : Optional.empty();
  }
}
