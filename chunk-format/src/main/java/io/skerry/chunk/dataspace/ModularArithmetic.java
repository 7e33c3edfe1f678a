package io.skerry.chunk.dataspace;

import java.math.BigInteger;
import java.util.Optional;

/** Arithmetic modulo a period, for patterns of repeating blocks. */
final class ModularArithmetic {
  private ModularArithmetic() {}

  /**
   * Returns the least k ≥ 0 for which k × step modulo period is between low and high inclusive,
   * where 0 ≤ step < period and 0 < low ≤ high < period; empty if there is none.
   */
  static Optional<BigInteger> firstMultiple(
      BigInteger step, BigInteger period, BigInteger low, BigInteger high) {
    if (step.signum() == 0) {
      return Optional.empty();
    }
    if (step.shiftLeft(1).compareTo(period) > 0) {
      return firstMultiple(
          period.subtract(step), period, period.subtract(high), period.subtract(low));
    }
    BigInteger k = ceilDiv(low, step);
    if (k.multiply(step).compareTo(high) <= 0) {
      return Optional.of(k);
    }
    // First compute the number of complete periods before the multiple. This is an instance
    // of the same problem, modulo the step.
    return firstMultiple(period.mod(step), step, high.negate().mod(step), low.negate().mod(step))
        .map(passed -> ceilDiv(passed.multiply(period).add(low), step));
  }

  static BigInteger ceilDiv(BigInteger a, BigInteger b) {
    return a.add(b).subtract(BigInteger.ONE).divide(b);
  }
}
