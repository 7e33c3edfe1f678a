package io.skerry.chunk.dataspace;

import java.math.BigInteger;
import java.util.Optional;

/** Arithmetic modulo a period, for blocks that repeat. */
final class ModularArithmetic {
  private ModularArithmetic() {}

  /** The least k with k × step modulo period in low … high, where 0 < low ≤ high < period. */
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
    // How often the period is passed before: the same question, modulo the step.
    return firstMultiple(period.mod(step), step, high.negate().mod(step), low.negate().mod(step))
        .map(passed -> ceilDiv(passed.multiply(period).add(low), step));
  }

  static BigInteger ceilDiv(BigInteger a, BigInteger b) {
    return a.add(b).subtract(BigInteger.ONE).divide(b);
  }
}
